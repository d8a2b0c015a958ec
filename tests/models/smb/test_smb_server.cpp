#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/sim/task_group.hpp>

#include "models/smb/memory_store.hpp"
#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

Task<> answer(SmbServer& server) {
  co_await server.answer();
}

Task<> answer_many(Simulation& sim, SmbServer& server, int count) {
  TaskGroup group{sim};
  for (int i = 0; i < count; ++i) group.spawn(answer(server));
  co_await group.join();
}

Duration time_of_three(int threads) {
  Simulation sim;
  SharedCpu cpu{sim, "server", {.cores = 2}};
  MemoryStore store{sim};
  SmbServerConfig config;
  config.worker_threads = threads;
  config.request_cpu = 1ms;
  SmbServer server{sim, "server", cpu, store, config};
  sim.run(answer_many(sim, server, 3));
  CHECK(server.counters().queue_peak == 3 - std::min(threads, 3));
  return sim.now() - SimTime{};
}

OpenOptions opened_as(NonCachedOpen rule, OpenOptions asked) {
  SmbServerConfig config;
  config.non_cached_open = rule;
  Share share{{}, config};
  share.store.add("f", some_file(0, 1_B));
  const auto file = open(share, "f", asked);
  return share.store.opened().back();
}

}  // namespace

TEST_CASE("SmbServer keeps requests waiting that find no worker thread", "[smb]") {
  // Two cores, three requests of 1 ms: one thread does them in 3 ms, three threads on two cores
  // in 2 ms.
  CHECK(time_of_three(1) == 3ms);
  CHECK(time_of_three(3) == 2ms);
}

TEST_CASE("SmbServer opens its files for a remote client", "[smb]") {
  const OpenOptions options = opened_as(NonCachedOpen::write_through, {.sequential = true});
  CHECK(options.for_remote_client);
  CHECK(options.sequential);
  CHECK(options.cached);
  CHECK_FALSE(options.write_through);
}

TEST_CASE("SmbServer turns a non-cached open into write-through if its rule says so", "[smb]") {
  const OpenOptions options = opened_as(NonCachedOpen::write_through, {.cached = false});
  CHECK(options.cached);
  CHECK(options.write_through);
}

TEST_CASE("SmbServer does not pass a non-cached open on if its rule says so", "[smb]") {
  const OpenOptions options = opened_as(NonCachedOpen::cached, {.cached = false});
  CHECK(options.cached);
  CHECK_FALSE(options.write_through);
}

TEST_CASE("SmbServer charges its copying by the byte", "[smb][cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "server", {.cores = 1}};
  MemoryStore store{sim};
  store.add("f", some_file(0, 60_KiB));
  SmbServerConfig config;
  config.request_cpu = 50us;
  config.copy = Bandwidth{1e9};
  SmbServer server{sim, "server", cpu, store, config};
  const OpenResult opened = sim.run(server.open("f", {}));

  const ReadResult result = sim.run(server.read(opened.file(), {0_B, 60_KiB}));

  CHECK(result.content() == some_file(0, 60_KiB));
  // 50 us for the open, 50 us and 61.44 us for the read.
  CHECK(cpu.used(CpuWork::thread) == 161440ns);
}

TEST_CASE("SmbServer charges the extra processor time of a write over SMB1 only", "[smb][cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "server", {.cores = 1}};
  MemoryStore store{sim};
  store.add("f", some_file(0, 60_KiB));
  SmbServerConfig config;
  config.request_cpu = 50us;
  config.smb1_write_cpu = 1ms;
  SmbServer server{sim, "server", cpu, store, config};
  const OpenResult opened = sim.run(server.open("f", {}));
  const auto work_of_write = [&](SmbVersion version) {
    const Duration before = cpu.used(CpuWork::thread);
    CHECK(sim.run(server.write(opened.file(), 0_B, some_file(1, 60_KiB), version)) == IoStatus::ok);
    return cpu.used(CpuWork::thread) - before;
  };

  CHECK(work_of_write(SmbVersion::nt_lm_0_12) == 1050us);
  CHECK(work_of_write(SmbVersion::smb2_2_002) == 50us);
  const Duration before = cpu.used(CpuWork::thread);
  CHECK(sim.run(server.read(opened.file(), {0_B, 60_KiB})).ok());
  CHECK(sim.run(server.flush(opened.file())) == IoStatus::ok);
  CHECK(cpu.used(CpuWork::thread) - before == 100us);
}

TEST_CASE("SmbServer works longer for a file that it creates", "[smb]") {
  Simulation sim;
  SharedCpu cpu{sim, "server", {.cores = 1}};
  MemoryStore store{sim};
  SmbServerConfig config;
  config.request_cpu = 1ms;
  config.create_cpu = 3ms;
  SmbServer server{sim, "server", cpu, store, config};

  CHECK(sim.run(server.open("f", {.create = true})).ok());
  CHECK(sim.now() == SimTime{4ms});
  CHECK(sim.run(server.open("f", {})).ok());
  CHECK(sim.now() == SimTime{5ms});
}
