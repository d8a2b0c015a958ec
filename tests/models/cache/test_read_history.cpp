#include <copysim/models/cache/read_history.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

Extent at(std::int64_t kib, std::int64_t length_kib = 64) {
  return {Bytes{kib << 10}, Bytes{length_kib << 10}};
}

}  // namespace

TEST_CASE("the third sequential read of a handle is predicted, the second is not",
          "[cache][read-ahead]") {
  ReadHistory history{{}, false};

  CHECK_FALSE(history.note(at(0)));
  CHECK_FALSE(history.note(at(64)));
  CHECK(history.note(at(128)) == at(192));
}

TEST_CASE("the sequential hint predicts from the first read, twice as far", "[cache][read-ahead]") {
  ReadHistory history{{}, true};

  // XP's steady state: 128 KiB ahead of 64 KiB reads (PCM1).
  CHECK(history.note(at(0)) == at(64, 128));
  CHECK(history.note(at(64)) == at(192, 64));
}

TEST_CASE("factor 2 reads twice the application's size ahead, up to the limit",
          "[cache][read-ahead]") {
  ReadHistory history{{.factor = 2, .most = 2_MiB}, false};

  CHECK_FALSE(history.note(at(0, 1024)));
  CHECK_FALSE(history.note(at(1024, 1024)));
  CHECK(history.note(at(2048, 1024)) == at(3072, 2048));
}

TEST_CASE("unaligned 60 KiB reads are read ahead to a multiple of 64 KiB", "[cache][read-ahead]") {
  ReadHistory history{{}, false};

  CHECK_FALSE(history.note(at(0, 60)));
  CHECK_FALSE(history.note(at(60, 60)));
  // The read ends at 180 KiB; one granule further is 244, rounded up 256.
  CHECK(history.note(at(120, 60)) == at(180, 76));
  // Ends at 240; to 304, rounded 320; up to 256 was asked for.
  CHECK(history.note(at(180, 60)) == at(256, 64));
}

TEST_CASE("three reads at a constant distance predict a fourth", "[cache][read-ahead]") {
  ReadHistory history{{}, false};

  CHECK_FALSE(history.note(at(0, 60)));
  CHECK_FALSE(history.note(at(2048, 60)));
  CHECK(history.note(at(4096, 60)) == at(6144, 64));
}

TEST_CASE("streams in changing order are not predicted", "[cache][read-ahead]") {
  ReadHistory history{{}, false};

  CHECK_FALSE(history.note(at(0, 60)));
  CHECK_FALSE(history.note(at(4096, 60)));
  CHECK_FALSE(history.note(at(2048, 60)));
  CHECK_FALSE(history.note(at(60, 60)));
  CHECK_FALSE(history.note(at(6144, 60)));
}
