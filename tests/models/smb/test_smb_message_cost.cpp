#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/smb/smb_message_cost.hpp>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

constexpr SmbMessageCost cost{
    .copy = Bandwidth{1e9},
    .fresh_copy = Bandwidth{0.5e9},
    .sign = Bandwidth{0.25e9},
    .algorithms = {.hmac_sha256 = Bandwidth{0.2e9}, .aes_128_gcm = Bandwidth{0.1e9}}};

// A share whose ends have one thread each on two cores of one machine.
struct CostlyShare {
  CostlyShare(RedirectorConfig redirector, SmbServerConfig config)
      : server{sim, "server", cpu, store, config, cost},
        client{sim, cpu, transport, server, redirector, cost} {}

  Simulation sim;
  SharedCpu cpu{sim, "host", {.cores = 2}};
  MemoryStore store{sim};
  DelayTransport transport{sim};
  SmbServer server;
  SmbClient client;
};

CostlyShare one_thread_each() {
  RedirectorConfig client = smb2_redirector();
  client.request_cpu = 1ms;
  client.threads = 1;
  SmbServerConfig server = smb2_server(256);
  server.request_cpu = 2ms;
  server.worker_threads = 1;
  return {client, server};
}

}  // namespace

TEST_CASE("Data costs its copy, fresh memory and a signature or a cipher beyond it", "[smb]") {
  CHECK(cost.time({1000000_B}) == 1ms);
  CHECK(cost.time({1000000_B, 500000_B}) == 2ms);  // + 0.5 MB at 0.5 GB/s
  // + 1 MB at 0.25 GB/s and at 0.2 GB/s
  CHECK(cost.time({1000000_B, 500000_B, SmbProtection::hmac_sha256}) == 11ms);
  CHECK(cost.time({1000000_B, 500000_B, SmbProtection::aes_128_gcm}) == 12ms);  // no signature
  CHECK(SmbMessageCost{}.time({1000000_B, 1000000_B}) == Duration::zero());
  // On the reference core: 1 MB at 15.8 and at 28.6 cycles per byte of 2.4 GHz.
  const auto alone = [](SmbProtection protection) {
    return seconds(SmbMessageCost{}.time({1000000_B, 0_B, protection}));
  };
  CHECK(alone(SmbProtection::hmac_sha256) == Approx(15.8e6 / 2.4e9).epsilon(0.01));
  CHECK(alone(SmbProtection::aes_128_ccm) == Approx(28.6e6 / 2.4e9).epsilon(0.01));
}

TEST_CASE("A connection pays for fresh memory until as much was outstanding before", "[smb]") {
  CostlyShare share = one_thread_each();
  share.store.add("f", some_file(0, 4_MiB));
  OpenResult opened = share.sim.run(share.client.open("f", {.cached = false}));
  const auto file = opened.take();
  const auto time_of = [&](Bytes piece) {
    const SimTime start = share.sim.now();
    share.sim.run(read_many(share.sim, *file, piece, 1));
    return share.sim.now() - start;
  };

  // 50,000 B: 1 ms, 5 ms, 2 ms and 50 + 100 us at the server, 5 ms, 50 + 100 us at the client.
  CHECK(time_of(50000_B) == 13300us);
  CHECK(time_of(50000_B) == 13100us);  // the same buffers again
  CHECK(time_of(60000_B) == 13160us);  // 10,000 B more than ever: 2 x 60 + 2 x 20 us
}

TEST_CASE("The one thread of a program makes its requests one after the other", "[smb]") {
  CostlyShare share = one_thread_each();
  share.store.add("f", some_file(0, 4_MiB));
  OpenResult opened = share.sim.run(share.client.open("f", {.cached = false}));
  const auto file = opened.take();
  share.sim.run(read_many(share.sim, *file, 50000_B, 4));  // uses all memory for the first time
  const SimTime start = share.sim.now();

  share.sim.run(read_many(share.sim, *file, 50000_B, 4));

  // The server is the bottleneck: 1 + 5 ms until it starts, 4 x 2.05 ms, 5 ms, 50 us for the last.
  CHECK(share.sim.now() - start == 19250us);
}
