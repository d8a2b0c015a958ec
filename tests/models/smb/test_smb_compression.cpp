#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/models/smb/smb_compression.hpp>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

RedirectorConfig compressing_client() {
  RedirectorConfig config;
  config.version = SmbVersion::smb3_3_1_1;
  config.compression = SmbCompression::lz77;
  config.open_path_queries = 0;
  config.request_cpu = 0ms;
  return config;
}

SmbServerConfig compressing_server(SmbVersion version = SmbVersion::smb3_3_1_1) {
  SmbServerConfig config;
  config.version = version;
  config.compression = true;
  config.credits_initial = 128;
  config.request_cpu = 0ms;
  return config;
}

// Bytes that one write of `size` and its answer put on the wire; data that shrinks to a quarter.
Bytes bytes_of_a_write(const RedirectorConfig& client, const SmbServerConfig& server, Bytes size,
                       bool asks, double to = 0.25) {
  Share share{client, server};
  share.client.contents_compress_to(to);
  const auto file = open(share, "f", {.create = true, .cached = false, .compressed = asks});
  const Bytes before = share.transport.counters().wire_bytes;
  CHECK(share.sim.run(write_in_order(*file, some_file(0, size), size)) == IoStatus::ok);
  return share.transport.counters().wire_bytes - before;
}

}  // namespace

TEST_CASE("A compressed write carries headers, 16 bytes more, and what is left of its data",
          "[smb][compression]") {
  const RedirectorConfig client = compressing_client();
  const SmbServerConfig server = compressing_server();
  // A write's headers are 116 bytes, its answer 84; 65,536 / 4 = 16,384.
  CHECK(bytes_of_a_write(client, server, 65536_B, true) == 116_B + 16_B + 16384_B + 84_B);
  CHECK(bytes_of_a_write(client, server, 65536_B, false) == 116_B + 65536_B + 84_B);
  // What does not get smaller is sent as it is, and so is less than 4 KiB.
  CHECK(bytes_of_a_write(client, server, 65536_B, true, 1.0) == 116_B + 65536_B + 84_B);
  CHECK(bytes_of_a_write(client, server, 4095_B, true) == 116_B + 4095_B + 84_B);
  CHECK(bytes_of_a_write(client, server, 4096_B, true) == 116_B + 16_B + 1024_B + 84_B);
}

TEST_CASE("The client's setting and the share ask in place of the program", "[smb][compression]") {
  RedirectorConfig client = compressing_client();
  SmbServerConfig server = compressing_server();
  client.compress_all = true;
  CHECK(bytes_of_a_write(client, server, 65536_B, false) == 116_B + 16_B + 16384_B + 84_B);
  client.compress_all = false;
  server.compress_share = true;
  CHECK(bytes_of_a_write(client, server, 65536_B, false) == 116_B + 16_B + 16384_B + 84_B);
}

TEST_CASE("A server of an older dialect, or without compression, ignores the wish",
          "[smb][compression]") {
  const RedirectorConfig client = compressing_client();
  const Bytes plain = 116_B + 65536_B + 84_B;
  CHECK(bytes_of_a_write(client, compressing_server(SmbVersion::smb3_3_0), 65536_B, true) == plain);
  SmbServerConfig without = compressing_server();
  without.compression = false;
  CHECK(bytes_of_a_write(client, without, 65536_B, true) == plain);
}

TEST_CASE("Encryption comes after compression: its header goes around it", "[smb][compression]") {
  RedirectorConfig client = compressing_client();
  client.encryption = true;
  const Bytes encrypted = bytes_of_a_write(client, compressing_server(), 65536_B, true);
  CHECK(encrypted == 116_B + 16_B + 16384_B + 84_B + 2 * smb_transform_header);
  // The cipher has a quarter of the data: 1 MB compressed at 1 MB/s takes 1 s, and at the same rate
  // the cipher 0.25 s and some header; a signature would cover all of it.
  SmbMessageCost cost;
  cost.algorithms.aes_128_gmac = cost.algorithms.aes_128_gcm = Bandwidth{1e6};
  cost.compressors.lz77 = Bandwidth{1e6};
  cost.compressors.lz77_back = Bandwidth{2e6};
  SmbData data{.size = 1000000_B,
               .protection = SmbProtection::aes_128_gcm,
               .compression = SmbCompression::lz77,
               .left = 250000_B,
               .outgoing = true};
  CHECK(cost.time(data) == 1250ms);
  data.outgoing = false;
  CHECK(cost.time(data) == 750ms);
  data.protection = SmbProtection::aes_128_gmac;
  CHECK(cost.time(data) == 1500ms);
  // Nothing saved: the sender has tried, the receiver has nothing to do.
  data.left = data.size;
  CHECK(cost.time(data) == 1000ms);
}

TEST_CASE("A compressed write is shorter on a slow line by what it saves", "[smb][compression]") {
  const auto time = [](bool asks) {
    Simulation sim;
    FreeCpu cpu;
    MemoryStore store{sim};
    const auto link =
        make_link(sim, {.kind = LinkKind::relay, .rtt = 10ms, .bottleneck = Bandwidth{1e6}});
    const auto transport = link->open({}, {});
    SmbServer server{sim, "server", cpu, store, compressing_server()};
    SmbClient client{sim, cpu, *transport, server, compressing_client()};
    client.contents_compress_to(0.25);
    OpenResult opened =
        sim.run(client.open("f", {.create = true, .cached = false, .compressed = asks}));
    const auto file = opened.take();
    const SimTime start = sim.now();
    CHECK(sim.run(write_in_order(*file, some_file(0, 65536_B), 65536_B)) == IoStatus::ok);
    return seconds(sim.now() - start);
  };
  // A byte takes 1 us: 10 ms there and back, 84 bytes of answer, and 65,652 or 16,516 of request.
  CHECK(time(false) == Approx(0.010 + 84e-6 + 65652e-6).epsilon(0.001));
  CHECK(time(true) == Approx(0.010 + 84e-6 + 16516e-6).epsilon(0.001));
}

TEST_CASE("Both processors work for a compressed read, before and after the wire",
          "[smb][compression]") {
  // Compressing 60,000 bytes at 1 MB/s takes 60 ms at the server, decompressing at 2 MB/s 30 ms at
  // the client.
  SmbMessageCost cost;
  cost.compressors.lz77 = Bandwidth{1e6};
  cost.compressors.lz77_back = Bandwidth{2e6};
  Simulation sim;
  SharedCpu cpu{sim, "host", {.cores = 2}};
  MemoryStore store{sim};
  store.add("f", some_file(0, 60000_B));
  DelayTransport transport{sim};
  SmbServer server{sim, "server", cpu, store, compressing_server(), cost};
  SmbClient client{sim, cpu, transport, server, compressing_client(), cost};
  client.contents_compress_to(0.5);
  OpenResult opened = sim.run(client.open("f", {.cached = false, .compressed = true}));
  const auto file = opened.take();
  const SimTime start = sim.now();

  sim.run(read_one(*file, {0_B, 60000_B}));

  CHECK(sim.now() - start == 10ms + 60ms + 30ms);
  CHECK(client.counters().compressed == 60000_B);
  CHECK(client.counters().saved == 60000_B - 30000_B - smb_compression_header);
}

TEST_CASE("A client that samples gives up on a file that does not get smaller",
          "[smb][compression]") {
  RedirectorConfig client = compressing_client();
  client.compression_sample = 128_KiB;
  client.compression_threshold = 64_KiB;
  const auto compressed = [&](double to) {
    Share share{client, compressing_server()};
    share.client.contents_compress_to(to);
    const auto file = open(share, "f", {.create = true, .cached = false, .compressed = true});
    CHECK(share.sim.run(write_in_order(*file, some_file(0, 256_KiB), 64_KiB)) == IoStatus::ok);
    return share.client.counters().compressed;
  };
  CHECK(compressed(0.5) == 256_KiB);
  CHECK(compressed(1.0) == 0_B);
  CompressionSample sample{128_KiB, 64_KiB};
  sample.note(64_KiB, 64_KiB);
  CHECK(sample.goes_on());
  sample.note(64_KiB, 64_KiB);
  CHECK_FALSE(sample.goes_on());
}
