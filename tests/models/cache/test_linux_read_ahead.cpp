#include <vector>

#include <copysim/models/cache/linux_read_ahead.hpp>

#include "support/catch.hpp"

using namespace copysim;
using Found = LinuxReadAhead::Found;

namespace {

constexpr std::int64_t long_file = 1 << 20;

/// A program that reads a file from its start, `call` pages at a time, on a disk that is faster
/// than the program: what was asked for is there when its page is visited.
std::vector<PageRange> windows(LinuxReadAhead& ahead, std::int64_t pages, std::int64_t call,
                               std::int64_t file_pages = long_file) {
  std::vector<PageRange> asked;
  std::int64_t there = 0;  // first page that nobody has asked for
  for (std::int64_t page = 0; page < pages; ++page) {
    if (page % call == 0) ahead.begin({page, page + call});
    const bool missing = page >= there;
    const PageRange wanted = ahead.visit(page, missing ? Found::missing : Found::ready, file_pages);
    if (missing) there = page + 1;
    if (wanted.empty()) continue;
    asked.push_back(wanted);
    there = std::max(there, wanted.end);
  }
  return asked;
}

const LinuxReadAheadConfig later{.rule = LinuxReadAheadRule::on_demand, .most = 128_KiB};

}  // namespace

TEST_CASE("the window of 2.4 doubles from 3 pages to 31 and one, requested one window ahead",
          "[cache][linux][read-ahead]") {
  WindowReadAhead ahead{{}};

  // By hand from generic_file_readahead: page 0 is missing, so the 3 least pages follow it (f_ramax
  // 3, then 6). Page 1 lies in that window: 6 + 1 pages behind page 3 (f_ramax 12). Entering those
  // at page 4: 12 + 1 behind 10 (24). At 11: 24 + 1 behind 23 (31, not 48). At 24: 31 + 1, and so
  // on: 32 pages, 128 KiB, each time that the last window is entered.
  CHECK(
      windows(ahead, 100, 1) ==
      std::vector<PageRange>{{1, 4}, {4, 11}, {11, 24}, {24, 49}, {49, 81}, {81, 113}, {113, 145}});
}

TEST_CASE("a large read of 2.4 opens a window of its own length and one page, 31 at most",
          "[cache][linux][read-ahead]") {
  WindowReadAhead ahead{{}};
  // 8 pages a call: f_ramax is 8 + 1 at once. Page 0 misses: 1 to 9; page 1 enters that: 18 + 1
  // pages behind 9; page 10 enters those: 31 + 1 behind 28.
  CHECK(windows(ahead, 11, 8) == std::vector<PageRange>{{1, 10}, {10, 29}, {29, 61}});
}

TEST_CASE("2.4 never reads the last page of a file ahead if it is not whole",
          "[cache][linux][read-ahead]") {
  WindowReadAhead ahead{{}};
  // A file of 2 pages and some bytes: page 0 brings page 1, page 2 is read when it is reached. The
  // kernel counts it as tried, so page 1 asks for nothing more.
  CHECK(windows(ahead, 3, 1, 2) == std::vector<PageRange>{{1, 2}});
}

TEST_CASE("a read elsewhere closes the window of 2.4", "[cache][linux][read-ahead]") {
  WindowReadAhead ahead{{}};
  static_cast<void>(windows(ahead, 24, 1));

  // Not sequential: only what this read needs, 1 page and one more.
  ahead.begin({5000, 5001});
  CHECK(ahead.visit(5000, Found::missing, long_file) == PageRange{5001, 5003});
  // Page 5001 goes on from there, so it is sequential again: f_ramax is 4, and one.
  ahead.begin({5001, 5002});
  CHECK(ahead.visit(5001, Found::ready, long_file) == PageRange{5003, 5008});
}

TEST_CASE("on demand, small reads open 4 pages and grow by 2 up to 128 KiB",
          "[cache][linux][read-ahead]") {
  OnDemandReadAhead ahead{later};

  // One page a call, most 32: get_init_ra_size(1) = 4 (1 <= 32/32), mark behind the first page. At
  // page 1 the next window: 2 x 4 (4 is not below 32/16), mark at its start. At 4: 16, at 12: 32,
  // at 28: 32, at 60: 32.
  CHECK(windows(ahead, 61, 1) ==
        std::vector<PageRange>{{0, 4}, {4, 12}, {12, 28}, {28, 60}, {60, 92}, {92, 124}});
}

TEST_CASE("on demand, reads of 128 KiB open two full windows at once",
          "[cache][linux][read-ahead]") {
  OnDemandReadAhead ahead{later};
  // 32 pages are more than a quarter of the most: the window is the most, 32, with its mark on the
  // page being read, so the next one is merged: 64. Page 32 carries the mark.
  CHECK(windows(ahead, 33, 32) == std::vector<PageRange>{{0, 64}, {64, 96}});
}

TEST_CASE("on demand, a random read brings its own pages only", "[cache][linux][read-ahead]") {
  OnDemandReadAhead ahead{later};
  ahead.begin({5000, 5002});
  CHECK(ahead.visit(5000, Found::missing, long_file) == PageRange{5000, 5002});
  ahead.begin({200, 201});  // behind it, as little sequential as before it
  CHECK(ahead.visit(200, Found::missing, long_file) == PageRange{200, 201});
}
