#include <copysim/error.hpp>
#include <copysim/models/storage/flash_translation.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// Pages of 4 KiB that take 1 ms to program and 0.25 ms to read, 16 of them in a block; a block is
// erased in 2 ms. Copying a page takes 1.25 ms.
FlashTranslation::Config small_flash() {
  return {.erase_block = 64_KiB,
          .page = 4_KiB,
          .open_blocks = 2,
          .read_rate = 4_KiB / Duration{250us},
          .program_rate = 4_KiB / Duration{1ms},
          .access_time = 300us,
          .erase_time = 2ms};
}

}  // namespace

TEST_CASE("Flash reads in sequence without the access time", "[storage][flash]") {
  FlashTranslation flash{small_flash()};

  CHECK(flash.read({64_KiB, 8_KiB}).access == 300us);
  const FlashTimes next = flash.read({72_KiB, 8_KiB});
  CHECK(next.access == 0us);
  CHECK(next.transfer == 500us);
}

TEST_CASE("Flash writes whole blocks in sequence without copying", "[storage][flash]") {
  FlashTranslation flash{small_flash()};

  FlashTimes sum;
  for (int i = 0; i < 8; ++i) {
    const FlashTimes times = flash.write({16_KiB * i, 16_KiB});
    sum.transfer += times.transfer;
    sum.merge += times.merge;
  }
  // 32 pages; two old blocks are erased.
  CHECK(sum.transfer == 32ms);
  CHECK(sum.merge == 4ms);
  CHECK(flash.erased_blocks() == 2);
}

TEST_CASE("Flash keeps as many blocks open as it may and closes the one not used for longest",
          "[storage][flash]") {
  FlashTranslation flash{small_flash()};

  CHECK(flash.write({0_KiB, 16_KiB}).merge == 0ms);
  CHECK(flash.write({640_KiB, 16_KiB}).merge == 0ms);
  CHECK(flash.write({16_KiB, 16_KiB}).merge == 0ms);
  // The third block closes the second: 12 pages are copied (15 ms), the old block erased (2 ms).
  CHECK(flash.write({320_KiB, 16_KiB}).merge == 17ms);
  CHECK(flash.write({32_KiB, 16_KiB}).merge == 0ms);
}

TEST_CASE("Flash appends rewritten pages until the update block is full, then folds all of it",
          "[storage][flash]") {
  FlashTranslation flash{small_flash()};

  // 16 rewrites of one sector use 16 pages of 1 ms.
  for (int i = 0; i < 16; ++i) {
    const FlashTimes times = flash.write({8_KiB, 512_B});
    CHECK(times.transfer == 1ms);
    CHECK(times.merge == 0ms);
  }
  // The next one finds no page: 16 pages are copied (20 ms), two blocks erased (4 ms).
  CHECK(flash.write({8_KiB, 512_B}).merge == 24ms);
  CHECK(flash.erased_blocks() == 2);
}

TEST_CASE("Flash copies the pages that a step forward skips, and stays in order",
          "[storage][flash]") {
  FlashTranslation flash{small_flash()};
  CHECK(flash.write({0_KiB, 16_KiB}).merge == 0ms);

  // 16 KiB are skipped: 4 pages of 1.25 ms. The rest fills the block in order: only an erase.
  CHECK(flash.write({32_KiB, 16_KiB}).merge == 5ms);
  CHECK(flash.write({48_KiB, 16_KiB}).merge == 2ms);
  CHECK(flash.erased_blocks() == 1);
}

TEST_CASE("Flash counts a step forward within a page as no skip", "[storage][flash]") {
  FlashTranslation flash{small_flash()};
  CHECK(flash.write({0_KiB, 512_B}).merge == 0ms);
  CHECK(flash.write({3584_B, 512_B}).merge == 0ms);  // the same page
  CHECK(flash.write({4_KiB, 512_B}).merge == 0ms);   // the next one
}

TEST_CASE("Flash scatters a block by a step backward, and folds all of it when it closes",
          "[storage][flash]") {
  FlashTranslation::Config config = small_flash();
  config.open_blocks = 1;
  FlashTranslation forward{config};
  FlashTranslation backward{config};
  CHECK(forward.write({32_KiB, 16_KiB}).merge == 0ms);
  CHECK(backward.write({32_KiB, 16_KiB}).merge == 0ms);
  CHECK(backward.write({0_KiB, 16_KiB}).merge == 0ms);  // appended all the same

  // In order: the 12 pages that were not written, one erase: 15 + 2 ms. Scattered: 16 pages, two
  // erases: 20 + 4 ms.
  CHECK(forward.write({64_KiB, 4_KiB}).merge == 17ms);
  CHECK(backward.write({64_KiB, 4_KiB}).merge == 24ms);
}

TEST_CASE("Flash is slow where tables are rewritten between data and few blocks are open",
          "[storage][flash]") {
  const auto merge_time = [](int open_blocks) {
    FlashTranslation::Config config = small_flash();
    config.open_blocks = open_blocks;
    FlashTranslation flash{config};
    // Data, first and second table, directory: four places in turn, three times.
    Duration sum{};
    for (int i = 0; i < 3; ++i) {
      sum += flash.write({1_MiB + 4_KiB * i, 4_KiB}).merge;
      sum += flash.write({128_KiB + 512_B * i, 512_B}).merge;
      sum += flash.write({256_KiB + 512_B * i, 512_B}).merge;
      sum += flash.write({384_KiB + 512_B * i, 512_B}).merge;
    }
    return sum;
  };

  CHECK(merge_time(4) == 0ms);
  // Each of 12 writes but the first 3 closes a block with one page: 15 x 1.25 + 2 = 20.75 ms.
  CHECK(merge_time(3) == 9 * 20'750us);
}

TEST_CASE("Flash rejects pages that do not fill a block", "[storage][flash]") {
  FlashTranslation::Config config = small_flash();
  config.page = 3_KiB;
  CHECK_THROWS_AS(FlashTranslation{config}, ConfigError);
}
