#include <copysim/models/smb/remote_file.hpp>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

constexpr OpenOptions non_cached{.cached = false};
constexpr OpenOptions create{.create = true};

// The time that a task takes on a share, without what went before.
template <class T>
Duration time_of(Share& share, Task<T> task) {
  const SimTime start = share.sim.now();
  static_cast<void>(share.sim.run(std::move(task)));
  return share.sim.now() - start;
}
template <>
Duration time_of(Share& share, Task<> task) {
  const SimTime start = share.sim.now();
  share.sim.run(std::move(task));
  return share.sim.now() - start;
}

Task<> write_pieces_backwards(Simulation& sim, File& file, Content content, Bytes piece) {
  for (Bytes at = align_down(content.size() - 1_B, piece); at >= 0_B; at -= piece) {
    Content part = content.slice({at, std::min(piece, content.size() - at)});
    co_await file.write(at, std::move(part));
    co_await sim.delay(1us);
  }
}

}  // namespace

TEST_CASE("RemoteFile over SMB1 lets ten requests out, and the eleventh waits", "[smb]") {
  Share share;
  share.store.add("f", some_file(0, 1_MiB));
  const auto file = open(share, "f", non_cached);

  CHECK(time_of(share, read_many(share.sim, *file, 1000_B, 10)) == 10ms);
  CHECK(share.client.counters().slot_stalls == 0);
  CHECK(time_of(share, read_many(share.sim, *file, 1000_B, 11)) == 20ms);
  CHECK(share.client.counters().slot_stalls == 1);
  CHECK(share.client.counters().outstanding_peak == 10);
}

TEST_CASE("RemoteFile over SMB1 sends the pieces of one read one at a time", "[smb]") {
  Share share;
  share.store.add("f", some_file(0, 4_MiB));
  const auto file = open(share, "f", non_cached);

  // 2 MiB are 34.1 pieces of 60 KiB: 35 round trips.
  CHECK(time_of(share, file->read({0_B, 2_MiB})) == 350ms);
}

TEST_CASE("RemoteFile over SMB1 writes pieces of 4,292 bytes to NT 4.0", "[smb]") {
  SmbServerConfig nt4;
  nt4.max_buffer = 4356_B;
  nt4.large_writes = false;
  Share share{{}, nt4};
  const auto file = open(share, "f", create);

  // 100,000 / 4,292 = 23.3: 24 round trips.
  CHECK(time_of(share, file->write(0_B, some_file(0, 100000_B))) == 240ms);
}

TEST_CASE("RemoteFile over SMB2 sends the pieces of one read side by side", "[smb]") {
  Share share{smb2_redirector(), smb2_server(16)};
  share.store.add("f", some_file(0, 4_MiB));
  const auto file = open(share, "f", non_cached);

  // 1 MiB is 16 pieces of 64 KiB, one for each credit; one piece more waits.
  CHECK(time_of(share, file->read({0_B, 1_MiB})) == 10ms);
  CHECK(time_of(share, file->read({0_B, 1_MiB + 1_B})) == 20ms);
}

TEST_CASE("RemoteFile over SMB2 has more requests out as credits are granted", "[smb]") {
  SmbServerConfig server = smb2_server(4);
  server.credits_initial = 1;
  RedirectorConfig redirector = smb2_redirector();
  redirector.open_path_queries = 0;
  redirector.open_file_queries = 0;
  Share share{redirector, server};
  share.store.add("f", some_file(0, 1_MiB));
  const auto file = open(share, "f", non_cached);  // its answer brings the second credit
  REQUIRE(share.client.connection().slots() == 2);

  // 2 requests, then 4, then 4 at most: 6 in two round trips, 7 in three, 10 in three.
  CHECK(time_of(share, read_many(share.sim, *file, 1000_B, 6)) == 20ms);
  CHECK(share.client.connection().slots() == 4);
  CHECK(time_of(share, read_many(share.sim, *file, 1000_B, 8)) == 20ms);
  CHECK(time_of(share, read_many(share.sim, *file, 1000_B, 9)) == 30ms);
}

TEST_CASE("RemoteFile brings every byte back in its place", "[smb]") {
  const auto version = GENERATE(SmbVersion::nt_lm_0_12, SmbVersion::smb2_2_002);
  RedirectorConfig redirector;
  redirector.version = version;
  SmbServerConfig server = smb2_server(8);
  Share share{redirector, server};
  const Content original = some_file(7, 1000001_B);
  const auto target = open(share, "f", create);
  share.sim.run(write_pieces_backwards(share.sim, *target, original, 130000_B));
  const IoStatus closed = share.sim.run(target->close());
  CHECK(closed == IoStatus::ok);
  CHECK(share.store.node("f").content.read({0_B, 1000001_B}) == original);

  const auto source = open(share, "f", {});
  const ReadResult all = share.sim.run(source->read({0_B, 2000000_B}));
  CHECK(all.content() == original);
  const ReadResult end = share.sim.run(source->read({1000001_B, 1_B}));
  CHECK(end.status() == IoStatus::end_of_file);
}

TEST_CASE("RemoteFile waits for each answer unless it reads ahead", "[smb]") {
  const Bytes ahead = GENERATE(0_B, 120_KiB);
  RedirectorConfig redirector;
  redirector.read_ahead = ahead;
  Share share{redirector, {}};
  const Content original = some_file(3, 600_KiB);
  share.store.add("f", original);
  const auto file = open(share, "f", {.sequential = true});

  const SimTime start = share.sim.now();
  const Content content = share.sim.run(read_in_order(*file, 60_KiB));
  const Duration time = share.sim.now() - start;

  CHECK(content == original);
  // Ten pieces: one round trip each; with two pieces ahead, three pieces per round trip: the first
  // read and its two neighbours come at 10 ms, then three more at 20, 30 and 40 ms.
  CHECK(time == (ahead == 0_B ? 100ms : 40ms));
  const IoStatus closed = share.sim.run(file->close());
  CHECK(closed == IoStatus::ok);
}

TEST_CASE("RemoteFile writes behind as far as it may, and close waits for the rest", "[smb]") {
  RedirectorConfig redirector;
  redirector.write_behind = 120_KiB;
  redirector.close_find_queries = 0;
  Share share{redirector, {}};
  const Content original = some_file(3, 240_KiB);
  const auto file = open(share, "f", create);

  // Two pieces of 60 KiB are taken at once, two more when those are answered after 10 ms.
  CHECK(time_of(share, write_in_order(*file, original, 60_KiB)) == 10ms);
  // The last two answers come at 20 ms, then the close goes: 10 + 10 ms.
  CHECK(time_of(share, file->close()) == 20ms);
  CHECK(share.store.node("f").content.read({0_B, 240_KiB}) == original);
}

TEST_CASE("RemoteFile neither reads ahead nor writes behind without local buffering", "[smb]") {
  RedirectorConfig redirector;
  redirector.read_ahead = 1_MiB;
  redirector.write_behind = 1_MiB;
  Share share{redirector, {}};
  const auto file = open(share, "f", {.create = true, .local_buffering = false});

  CHECK(time_of(share, write_in_order(*file, some_file(3, 120_KiB), 60_KiB)) == 20ms);
}

TEST_CASE("RemoteFile reports at close what failed behind the program's back", "[smb]") {
  RedirectorConfig redirector;
  redirector.write_behind = 1_MiB;
  Share share{redirector, {}};
  const auto file = open(share, "f", create);
  share.transport.cut = true;

  const IoStatus written = share.sim.run(file->write(0_B, some_file(3, 60_KiB)));
  const IoStatus closed = share.sim.run(file->close());

  CHECK(written == IoStatus::ok);
  CHECK(closed == IoStatus::link_down);
}

TEST_CASE("RemoteFile flushes in one round trip, when all that it wrote behind is there", "[smb]") {
  const bool smb2 = GENERATE(false, true);
  RedirectorConfig redirector = smb2 ? smb2_redirector() : RedirectorConfig{};
  redirector.write_behind = 1_MiB;
  Share share{redirector, smb2 ? smb2_server(8) : SmbServerConfig{}};
  const auto file = open(share, "f", create);
  CHECK(share.sim.run(file->write(0_B, some_file(3, 60_KiB))) == IoStatus::ok);
  CHECK(time_of(share, file->flush()) == 20ms);  // the write's round trip, then the flush's

  const Bytes before = share.transport.counters().wire_bytes;
  CHECK(time_of(share, file->flush()) == 10ms);
  // SMB1: header 32, one word (and its count) and the byte count, 37 there and 35 back, each with
  // 4 bytes of NetBIOS. SMB2: header 64, 24 there and 4 back, and 4.
  CHECK(share.transport.counters().wire_bytes - before == (smb2 ? 92_B + 72_B : 41_B + 39_B));
  CHECK(share.client.counters().count(SmbOperation::flush) == 2);
}

TEST_CASE("RemoteFile reports at flush what failed behind the program's back", "[smb]") {
  RedirectorConfig redirector;
  redirector.write_behind = 1_MiB;
  Share share{redirector, {}};
  const auto file = open(share, "f", create);
  share.transport.cut = true;
  CHECK(share.sim.run(file->write(0_B, some_file(3, 60_KiB))) == IoStatus::ok);
  share.sim.run_until(share.sim.now() + 1s);
  share.transport.cut = false;

  CHECK(share.sim.run(file->flush()) == IoStatus::link_down);
  CHECK(share.sim.run(file->close()) == IoStatus::link_down);
}
