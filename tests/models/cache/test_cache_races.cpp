#include "models/cache/cache_world.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::testing;

namespace {

constexpr CacheConfig all_for_files{.read_ahead = {}, .in_use = 0_B};

}  // namespace

TEST_CASE("a page that is written again while it goes to the device goes once more, later",
          "[cache]") {
  CacheWorld world{all_for_files};
  world.sim.run(world.write({0_B, 64_KiB}, 1));
  world.backing.write_time = 10ms;
  world.sim.spawn(world.flush(), "test");
  world.sim.run_until(SimTime{1ms});

  // The second write would take 1 ms: begun at once, it would reach the medium before the first.
  world.backing.write_time = 1ms;
  world.sim.run(world.write({0_B, 64_KiB}, 2));
  CHECK(world.cache.dirty() == 128_KiB);  // 64 KiB on their way and 64 KiB dirty again
  world.sim.run(world.flush());

  CHECK(world.sim.now() == SimTime{11ms});
  CHECK(world.backing.writes.size() == 2);
  CHECK(world.backing.written.read({0_B, 64_KiB}) == written(2, {0_B, 64_KiB}));
  CHECK(world.cache.dirty() == 0_B);
  CHECK(world.statuses.back() == IoStatus::ok);
}

TEST_CASE("a file forgotten while it is written back leaves nothing behind", "[cache]") {
  CacheWorld world{all_for_files};
  world.sim.run(world.write_pieces({0_B, 1_MiB}, 64_KiB));
  world.sim.spawn(world.flush(), "test");
  world.sim.run_until(SimTime{500us});

  world.cache.forget(world.file);
  CHECK(world.cache.dirty() == 64_KiB);  // the write that is under way
  world.sim.run_until(SimTime{10s});

  CHECK(world.cache.dirty() == 0_B);
  CHECK(world.file.writing == 0_B);
  CHECK(world.file.views.empty());
  CHECK(world.backing.writes.size() == 1);
}

TEST_CASE("a file forgotten while it is read costs no memory that nobody knows of", "[cache]") {
  CacheWorld world{all_for_files};
  world.sim.spawn(world.read({0_B, 64_KiB}), "test");
  world.sim.run_until(SimTime{500us});
  world.cache.forget(world.file);
  world.sim.run_until(SimTime{10ms});

  // The reader asks again for what was dropped.
  CHECK(world.backing.reads == std::vector<Extent>{{0_B, 64_KiB}, {0_B, 64_KiB}});
  CHECK(world.last_read == stored({0_B, 64_KiB}));
  for (Bytes at; at < 32_MiB; at += 64_KiB) world.sim.run(world.read({at, 64_KiB}));
  CHECK(world.resident() == 16_MiB);
}

TEST_CASE("a page that is written while it is read keeps what was written", "[cache]") {
  CacheWorld world{all_for_files};
  world.sim.spawn(world.read({0_B, 64_KiB}), "test");
  world.sim.run_until(SimTime{500us});
  world.sim.run(world.write({16_KiB, 16_KiB}, 1));
  world.sim.run_until(SimTime{2ms});
  world.sim.run(world.read({0_B, 64_KiB}));

  Content expected = stored({0_B, 16_KiB});
  expected.append(written(1, {16_KiB, 16_KiB}));
  expected.append(stored({32_KiB, 32_KiB}));
  CHECK(world.last_read == expected);
  CHECK(world.backing.reads.size() == 1);
}

TEST_CASE("the rest of a page whose bytes nobody wrote reads as zeros", "[cache]") {
  CacheWorld world{all_for_files};
  world.valid = 0_B;
  world.sim.run(world.write({0_B, 100_B}, 1));
  world.sim.run(world.read({0_B, 4_KiB}));

  Content expected = written(1, {0_B, 100_B});
  expected.append(Content::zeros(4_KiB - 100_B));
  CHECK(world.last_read == expected);
  CHECK(world.backing.reads.empty());
}

TEST_CASE("a failed write-behind is told to the next writer and to flush, and the run goes on",
          "[cache][failure]") {
  CacheWorld world{all_for_files};
  world.backing.write_status = IoStatus::device_error;
  world.sim.run(world.write({0_B, 64_KiB}, 1));
  CHECK(world.statuses.back() == IoStatus::ok);
  world.sim.run_until(SimTime{5s});
  CHECK(world.cache.dirty() == 0_B);

  world.backing.write_status = IoStatus::ok;
  world.sim.run(world.write({64_KiB, 64_KiB}, 1));
  CHECK(world.statuses.back() == IoStatus::device_error);
  world.sim.run(world.flush());
  CHECK(world.statuses.back() == IoStatus::device_error);
  CHECK(world.cache.dirty() == 0_B);

  // An emptied file starts anew.
  world.cache.forget(world.file);
  world.sim.run(world.write({0_B, 64_KiB}, 2));
  world.sim.run(world.flush());
  CHECK(world.statuses.back() == IoStatus::ok);
}

TEST_CASE("a failed read is told to its reader, and the page can be read later",
          "[cache][failure]") {
  CacheWorld world{all_for_files};
  world.backing.read_status = IoStatus::device_error;
  world.sim.run(world.read({0_B, 64_KiB}));
  CHECK(world.statuses.back() == IoStatus::device_error);
  CHECK(world.resident() == 0_B);
  // A write that needs the rest of its page fails as well.
  world.sim.run(world.write({100_B, 100_B}, 1));
  CHECK(world.statuses.back() == IoStatus::device_error);

  world.backing.read_status = IoStatus::ok;
  world.sim.run(world.read({0_B, 64_KiB}));
  CHECK(world.last_read == stored({0_B, 64_KiB}));
}

TEST_CASE("a failed read-ahead is nobody's failure", "[cache][failure]") {
  CacheWorld world{all_for_files};
  world.history = ReadHistory{{}, true};
  world.sim.spawn(world.read({0_B, 64_KiB}), "test");
  world.sim.run_until(SimTime{500us});
  REQUIRE(world.backing.reads.size() == 3);  // the fault, then 128 KiB ahead in two reads
  world.sim.run_until(SimTime{5ms});
  world.backing.read_status = IoStatus::device_error;
  world.sim.run(world.read({64_KiB, 64_KiB}));  // there; starts a read-ahead that fails
  CHECK(world.statuses.back() == IoStatus::ok);
  world.sim.run_until(SimTime{10ms});

  world.backing.read_status = IoStatus::ok;
  for (Bytes at = 128_KiB; at < 1_MiB; at += 64_KiB) {
    world.sim.run(world.read({at, 64_KiB}));
    CHECK(world.last_read == stored({at, 64_KiB}));
  }
}

TEST_CASE("read-ahead stops with the page in which the file ends", "[cache]") {
  CacheWorld world{all_for_files, 98'305_B};  // 96 KiB and a byte: 25 pages, 100 KiB
  world.history = ReadHistory{{}, true};
  world.sim.run(world.read({0_B, 64_KiB}));
  world.sim.run_until(SimTime{5ms});

  CHECK(world.backing.reads == std::vector<Extent>{{0_B, 64_KiB}, {64_KiB, 36_KiB}});
  world.sim.run(world.read({64_KiB, 32'769_B}));
  CHECK(world.last_read == stored({64_KiB, 32'769_B}));
  CHECK(world.backing.reads.size() == 2);
  world.sim.run(world.read({128_KiB, 64_KiB}));
  CHECK(world.statuses.back() == IoStatus::end_of_file);
  CHECK(world.resident() == 100_KiB);
}
