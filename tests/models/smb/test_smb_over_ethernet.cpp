#include <memory>
#include <vector>

#include <copysim/models/copy/vista_rtm_copy.hpp>
#include <copysim/models/copy/xp_copy.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/models/smb/smb_client.hpp>
#include <copysim/models/smb/smb_server.hpp>

#include "models/link/link_support.hpp"
#include "models/smb/share.hpp"
#include "support/catch.hpp"
#include "support/fake_store.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// Client, wire and server, whose processors cost nothing unless given.
struct Network {
  Network(const LinkConfig& link_config, RedirectorConfig redirector, SmbServerConfig config,
          TransportEnd here = plain_end(), TransportEnd there = plain_end())
      : link{make_link(sim, link_config)},
        transport{link->open(here, there)},
        server{sim, "server", cpu, store, config},
        client{sim, cpu, *transport, server, redirector} {}

  std::unique_ptr<File> open(std::string name, OpenOptions options) {
    OpenResult opened = sim.run(client.open(std::move(name), options));
    return opened.take();
  }

  Simulation sim;
  FreeCpu cpu;
  MemoryStore store{sim};
  std::unique_ptr<Link> link;
  std::unique_ptr<Transport> transport;
  SmbServer server;
  SmbClient client;
};

template <class T>
double rate(Network& network, Bytes amount, Task<T> task) {
  const SimTime start = network.sim.now();
  static_cast<void>(network.sim.run(std::move(task)));
  return static_cast<double>(amount.count()) / seconds(network.sim.now() - start);
}

Task<bool> read_2_mib_streams(Simulation& sim, File& file, int streams) {
  co_await read_many(sim, file, 2_MiB, streams);
  co_return true;
}

}  // namespace

TEST_CASE("SMB1 moves one 4,292-byte write per round trip to NT 4.0 (MCP-06)", "[smb][paper]") {
  SmbServerConfig nt4;
  nt4.max_buffer = 4356_B;
  nt4.large_writes = false;
  Network network{{.rtt = 62500us}, {}, nt4, plain_end(8760_B, 6), plain_end(8760_B, 6)};
  const auto file = network.open("f", {.create = true});

  const double written =
      rate(network, 100000_B, write_in_order(*file, some_file(0, 100000_B), 60_KiB));

  // 24 writes (15 + 9: 61,440 are 14.3 pieces, 38,560 are 8.98), each 62.5 ms and 38 us of wire.
  CHECK(written == Approx(100000 / (24 * 62.538e-3)).epsilon(0.001));
  // A full piece per round trip is the published 0.0687 MB/s; the short pieces cost a few per cent.
  CHECK(written == Approx(0.0687e6).epsilon(0.05));
}

TEST_CASE("SMB1 writes 60 KiB per round trip whatever the wire (WAN-10)", "[smb][paper]") {
  Network network{{.rtt = 108ms}, {}, {}, plain_end(65535_B), plain_end(65535_B)};
  const auto file = network.open("f", {.create = true});

  const double written =
      rate(network, 600_KiB, write_in_order(*file, some_file(0, 600_KiB), 60_KiB));

  // 61,440 B / (108 ms + 519 us + 1 us): 0.566 MB/s; published 0.5678 (WAN-02).
  CHECK(written == Approx(61440 / 108.52e-3).epsilon(0.001));
}

TEST_CASE("SMB2 fills a gigabit wire although the round trip is long", "[smb]") {
  Network network{{.rtt = 50ms}, smb2_redirector(), smb2_server(128)};
  network.store.add("f", some_file(0, 256_MiB));
  const auto file = network.open("f", {.cached = false});

  const double read = rate(network, 256_MiB, read_2_mib_streams(network.sim, *file, 128));

  // 128 credits of 64 KiB are 8 MiB, more than 50 ms of wire (6.25 MB). 65,536 B take 553.04 us:
  // 118.5 MB/s, less one round trip in 2.3 s.
  CHECK(read == Approx(65536 / 553.04e-6).epsilon(0.03));
}

TEST_CASE("SMB2 is bound by its credits on a longer path", "[smb]") {
  Network network{{.rtt = 100ms}, smb2_redirector(), smb2_server(32)};
  network.store.add("f", some_file(0, 64_MiB));
  const auto file = network.open("f", {.cached = false});

  const double read = rate(network, 64_MiB, read_2_mib_streams(network.sim, *file, 32));

  // 32 x 64 KiB per 100 ms and 0.55 ms.
  CHECK(read == Approx(32 * 65536 / 100.56e-3).epsilon(0.05));
}

TEST_CASE("a delayed ACK for each MiB makes a whole copy 200 ms per MiB longer, no more",
          "[smb][copy]") {
  // 10 MiB in 171 answers of 60 KiB and 64 B, and less than 10 KB of other answers: 10.02 MiB go
  // one way, so ten stalls. The requests, 171 of 63 B, never reach 1 MiB.
  const auto time = [](CopyPolicy& policy, Bytes stall_every) {
    Network network{{.delayed_ack_stall_every = stall_every}, {}, {}};
    network.store.add("f", some_file(0, 10_MiB));
    MemoryStore target{network.sim};
    testing::CountingProgress progress;
    const CopyReport report = network.sim.run(
        policy.copy(CopyJob{network.sim, network.client, target, "f", 10_MiB, progress}));
    CHECK(report.status == IoStatus::ok);
    CHECK(target.node("f").content.read({0_B, 10_MiB}) == some_file(0, 10_MiB));
    // Other timers may fire while a stall lasts; without stalls none does.
    const std::int64_t fired = network.transport->counters().delayed_acks;
    CHECK((stall_every > 0_B ? fired >= 10 : fired == 0));
    return report.elapsed;
  };

  // One request at a time: nothing hides a stall. Eight at a time share the wire, so it stalls all.
  XpCopy xp;
  CHECK(time(xp, 1_MiB) - time(xp, 0_B) == 2s);
  VistaRtmCopy rtm;
  CHECK(seconds(time(rtm, 1_MiB) - time(rtm, 0_B)) == Approx(2).epsilon(0.01));
}

TEST_CASE("One request over SMB1 costs at most fifteen events in link, client and server",
          "[smb][cost]") {
  Simulation sim;
  SharedCpu here{sim, "client", {}};
  SharedCpu there{sim, "server", {}};
  TransportEnd client_end = plain_end();
  TransportEnd server_end = plain_end();
  client_end.cpu = &here;
  server_end.cpu = &there;
  client_end.cost = server_end.cost = NetworkCost{};
  const auto link = make_link(sim, {});
  const auto transport = link->open(client_end, server_end);
  MemoryStore store{sim};
  store.add("f", some_file(0, 64_MiB));
  SmbServer server{sim, "server", there, store, {}};
  SmbClient client{sim, here, *transport, server, {}};
  OpenResult opened = sim.run(client.open("f", {.cached = false}));

  const auto before = sim.events();
  sim.run(read_many(sim, opened.file(), 2_MiB, 32));

  // 35 requests for 2 MiB.
  CHECK(static_cast<double>(sim.events() - before) / (32 * 35) < 15);
  CHECK(client.counters().read == 64_MiB);
}

TEST_CASE("Each channel of a session has a TCP window of its own", "[smb]") {
  const int channels = GENERATE(1, 2, 4);
  RedirectorConfig redirector;
  redirector.version = SmbVersion::smb3_3_0;
  redirector.channels = channels;
  SmbServerConfig config = smb2_server(128);
  config.version = SmbVersion::smb3_3_0;
  Network network{{.rtt = 100ms}, redirector, config, plain_end(65535_B), plain_end(65535_B)};
  std::vector<std::unique_ptr<Transport>> more;
  for (int i = 1; i < channels; ++i) {
    more.push_back(network.link->open(plain_end(65535_B), plain_end(65535_B)));
    network.client.bind(*more.back());
  }
  network.store.add("f", some_file(0, 64_MiB));
  const auto file = network.open("f", {.cached = false});

  const double read = rate(network, 32_MiB, read_2_mib_streams(network.sim, *file, 16));

  // A window per round trip and channel: 0.655 MB/s each.
  CHECK(read == Approx(channels * 65535 / 100e-3).epsilon(0.05));
}
