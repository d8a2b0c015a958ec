// A share whose server has a real file store: what its disk gets to see.
#include <copysim/models/smb/smb_client.hpp>
#include <copysim/models/smb/smb_server.hpp>

#include "models/fs/store_world.hpp"
#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using testing::NtfsWorld;
using testing::program_bytes;

namespace {

struct ServedWorld {
  explicit ServedWorld(NonCachedOpen rule)
      : transport{disk.sim},
        server{disk.sim, "server", disk.cpu, disk.store, {.non_cached_open = rule}},
        client{disk.sim, disk.cpu, transport, server, {}} {}

  std::unique_ptr<File> create_non_cached() {
    return disk.sim.run(client.open("f", {.create = true, .cached = false})).take();
  }

  NtfsWorld disk;
  test::DelayTransport transport;
  SmbServer server;
  SmbClient client;
};

}  // namespace

TEST_CASE("a non-cached write of a client waits for the server's disk if its server says so",
          "[smb][write-through]") {
  ServedWorld world{NonCachedOpen::write_through};
  const auto file = world.create_non_cached();
  const SimTime before = world.disk.sim.now();

  CHECK(world.disk.write(*file, {0_B, 60_KiB}) == IoStatus::ok);

  // 10 ms of wire, 1 ms each for data and log.
  CHECK(world.disk.sim.now() - before == 12ms);
  CHECK(world.disk.device.forced() == std::vector<bool>{true, true});
  CHECK(world.server.counters().write_through_opens == 1);
}

TEST_CASE("a non-cached write of a client stays in a server's cache that ignores the flag",
          "[smb][write-through]") {
  ServedWorld world{NonCachedOpen::cached};
  const auto file = world.create_non_cached();
  const SimTime before = world.disk.sim.now();

  CHECK(world.disk.write(*file, {0_B, 60_KiB}) == IoStatus::ok);

  CHECK(world.disk.sim.now() - before == 10ms);
  CHECK(world.disk.device.writes().empty());
  CHECK(world.server.counters().write_through_opens == 0);
  // Flushing it from afar writes data and log: 10 + 2 ms.
  const SimTime flushing = world.disk.sim.now();
  CHECK(world.disk.sim.run(file->flush()) == IoStatus::ok);
  CHECK(world.disk.sim.now() - flushing == 12ms);
  CHECK(world.disk.device.flushes == 1);
  CHECK(world.disk.store.peek("f") == program_bytes({0_B, 60_KiB}));
}
