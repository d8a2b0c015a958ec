#include <copysim/models/smb/remote_file.hpp>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// Two clients of one server, 10 ms away each. The first may write 240 KiB behind and read 120 KiB
// ahead; neither asks for anything but the open itself.
struct TwoClients {
  static RedirectorConfig redirector(SmbVersion version) {
    RedirectorConfig config;
    config.version = version;
    config.write_behind = 240_KiB;
    config.read_ahead = 120_KiB;
    config.open_path_queries = 0;
    config.open_file_queries = 0;
    config.create_volume_queries = 0;
    config.create_file_queries = 0;
    config.close_find_queries = 0;
    return config;
  }
  static SmbServerConfig one_at_a_time(SmbVersion version, bool oplocks) {
    SmbServerConfig config;
    config.version = version;
    config.max_mpx = 1;
    config.oplocks = oplocks;
    return config;
  }
  explicit TwoClients(bool oplocks = true, SmbVersion version = SmbVersion::nt_lm_0_12)
      : share{redirector(version), one_at_a_time(version, oplocks)},
        visitor{share.sim, share.cpu, wire, share.server, redirector(version)} {}
  ~TwoClients() { share.sim.close(); }

  Share share;
  DelayTransport wire{share.sim};
  SmbClient visitor;

  template <class T>
  Duration time_of(Task<T> task) {
    const SimTime start = share.sim.now();
    static_cast<void>(share.sim.run(std::move(task)));
    return share.sim.now() - start;
  }
};

Task<std::unique_ptr<File>> open_file(SmbClient& client, OpenOptions options) {
  OpenResult opened = co_await client.open("f", options);
  co_return opened.take();
}

}  // namespace

TEST_CASE("Another client's open waits until what was written behind is flushed and acknowledged",
          "[smb][oplock]") {
  TwoClients clients;
  Simulation& sim = clients.share.sim;
  const Content original = some_file(3, 240_KiB);
  const auto file = open(clients.share, "f", {.create = true});
  // Four pieces of 60 KiB, behind the program's back; MaxMpx lets out one at a time.
  CHECK(clients.time_of(write_in_order(*file, original, 60_KiB)) == 0ms);

  const SimTime start = sim.now();
  const auto seen = sim.run(open_file(clients.visitor, {}));

  // The open is at the server at 5 ms, the break at the client at 10 ms; the four writes are
  // answered at 10, 20, 30 and 40 ms; the acknowledgement is at the server at 45 ms, the answer to
  // the open at the visitor at 50 ms.
  CHECK(sim.now() - start == 50ms);
  CHECK(clients.share.server.oplocks().breaks() == 1);
  CHECK(clients.share.client.counters().oplock_breaks == 1);
  CHECK(seen->size() == 240_KiB);
  const Content content = sim.run(read_in_order(*seen, 60_KiB));
  CHECK(content == original);
  // From now on each write waits for its answer, and takes the visitor's oplock away.
  CHECK(clients.time_of(file->write(0_B, some_file(4, 60_KiB))) == 10ms);
  sim.run_until(sim.now() + 5ms);
  CHECK(clients.visitor.counters().oplock_breaks == 1);
  const ReadResult fresh = sim.run(seen->read({0_B, 60_KiB}));
  CHECK(fresh.content() == some_file(4, 60_KiB));
}

TEST_CASE("Without oplocks each write waits for its answer, and another open for nothing",
          "[smb][oplock]") {
  TwoClients clients{false};
  Simulation& sim = clients.share.sim;
  const auto file = open(clients.share, "f", {.create = true});

  CHECK(clients.time_of(write_in_order(*file, some_file(3, 240_KiB), 60_KiB)) == 40ms);
  const SimTime start = sim.now();
  const auto seen = sim.run(open_file(clients.visitor, {}));
  CHECK(sim.now() - start == 10ms);
  CHECK(clients.share.server.oplocks().breaks() == 0);
  CHECK(clients.share.client.counters().written_behind == 0_B);
}

TEST_CASE("A client that asks for no oplock caches nothing", "[smb][oplock]") {
  RedirectorConfig redirector = TwoClients::redirector(SmbVersion::nt_lm_0_12);
  redirector.oplocks = false;
  Share share{redirector, {}};
  const auto file = open(share, "f", {.create = true});
  const SimTime start = share.sim.now();

  const IoStatus status = share.sim.run(file->write(0_B, some_file(3, 60_KiB)));

  CHECK(status == IoStatus::ok);
  CHECK(share.sim.now() - start == 10ms);
}

TEST_CASE("A break has the sizes of the dialect: LOCKING_ANDX, oplock or lease", "[smb][oplock]") {
  struct Sizes {
    SmbVersion version;
    Bytes notification;
    Bytes acknowledgement;
  };
  // SMB1: header 32, eight words and their count 17, no bytes 2. SMB2: header 64; 24 and 24 for an
  // oplock; 44 and 36 for a lease. Each with the length of 4 in front.
  const auto sizes =
      GENERATE(Sizes{SmbVersion::nt_lm_0_12, 55_B, 55_B}, Sizes{SmbVersion::smb2_2_002, 92_B, 92_B},
               Sizes{SmbVersion::smb2_2_1, 112_B, 104_B});
  TwoClients clients{true, sizes.version};
  const auto file = open(clients.share, "f", {.create = true});
  const TransportCounters before = clients.share.transport.counters();

  const auto seen = clients.share.sim.run(open_file(clients.visitor, {}));

  const TransportCounters after = clients.share.transport.counters();
  CHECK(after.messages - before.messages == 2);
  CHECK(after.wire_bytes - before.wire_bytes == sizes.notification + sizes.acknowledgement);
}

TEST_CASE("A program that waits for room to write behind goes through after a break",
          "[smb][oplock]") {
  TwoClients clients;
  Simulation& sim = clients.share.sim;
  const Content original = some_file(3, 480_KiB);
  const auto file = open(clients.share, "f", {.create = true});
  TaskGroup group{sim};
  std::unique_ptr<File> seen;
  const auto visit = [](SmbClient& visitor, std::unique_ptr<File>& opened) -> Task<> {
    std::unique_ptr<File> handle = co_await open_file(visitor, {});
    opened = std::move(handle);
  };
  const auto write = [](File& target, Content content) -> Task<> {
    const IoStatus status = co_await write_in_order(target, std::move(content), 60_KiB);
    CHECK(status == IoStatus::ok);
  };
  const SimTime start = sim.now();
  group.spawn(write(*file, original));
  group.spawn(visit(clients.visitor, seen));
  const auto both = [](TaskGroup& tasks) -> Task<> { co_await tasks.join(); };
  sim.run(both(group));

  // Four pieces are held when the break comes at 10 ms, and the fifth has got the room of the
  // first. Eight round trips of one write each in any case, one after another.
  CHECK(sim.now() - start == 80ms);
  CHECK(sim.run(file->close()) == IoStatus::ok);
  CHECK(clients.share.store.node("f").content.read({0_B, 480_KiB}) == original);
}
