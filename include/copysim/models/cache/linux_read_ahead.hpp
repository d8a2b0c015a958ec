#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The two rules by which Linux has read ahead.
///
/// `window`: kernel 2.4, `generic_file_readahead` in mm/filemap.c. `on-demand`: from 2.6.23 on,
/// `ondemand_readahead` in mm/readahead.c.
enum class LinuxReadAheadRule : std::uint8_t { window, on_demand };
[[nodiscard]] constexpr std::string_view to_string(LinuxReadAheadRule rule) {
  return rule == LinuxReadAheadRule::window ? "window" : "on-demand";
}
[[nodiscard]] constexpr std::array<LinuxReadAheadRule, 2> all_values(LinuxReadAheadRule /*rule*/) {
  return {LinuxReadAheadRule::window, LinuxReadAheadRule::on_demand};
}

struct LinuxReadAheadConfig {
  LinuxReadAheadRule rule = LinuxReadAheadRule::window;
  /// The furthest that is read ahead: 31 pages in 2.4 (`vm_max_readahead`, L24-FILEMAP), 128 KiB
  /// later (`read_ahead_kb`, L26-RA).
  Bytes most = 124_KiB;
  /// The least, where the reads look sequential: 3 pages in 2.4 (`vm_min_readahead`, L24-FILEMAP).
  /// The later rule has none.
  Bytes least = 12_KiB;

  static constexpr auto parameters = std::tuple{
      parameter("rule", &LinuxReadAheadConfig::rule, "window (2.4) or on-demand (2.6 and later)"),
      parameter("most", &LinuxReadAheadConfig::most, "the furthest read-ahead", at_least(4_KiB)),
      parameter("least", &LinuxReadAheadConfig::least, "window: the least read-ahead",
                at_least(4_KiB)),
  };
};

/// Pages of a file by number, `first` up to but without `end`.
struct PageRange {
  std::int64_t first = 0;
  std::int64_t end = 0;
  [[nodiscard]] constexpr bool empty() const { return first >= end; }
  constexpr bool operator==(const PageRange&) const = default;
};

/// Decides, for one handle, which pages to ask the disk for as a program reads page after page.
///
/// Contract: `begin` is called once per read call with its pages, then `visit` for each of them in
/// order, before the page is waited for. What `visit` returns is submitted at once: some of it may
/// be in memory already, and pages behind the end of the file are dropped by the caller. The page
/// itself is among the returned ones only if the rule reads it together with others; a missing
/// page is read in any case.
class LinuxReadAhead {
public:
  /// How the visited page was found.
  enum class Found : std::uint8_t {
    ready,    ///< in memory
    loading,  ///< asked for already, not there yet
    missing,  ///< not in memory
  };

  virtual ~LinuxReadAhead() = default;
  virtual void begin(PageRange read) = 0;
  /// `file_pages`: whole pages of the file, as the kernel counts them (size / 4 KiB, rounded down).
  [[nodiscard]] virtual PageRange visit(std::int64_t page, Found found,
                                        std::int64_t file_pages) = 0;
};

/// Kernel 2.4: a window that doubles with each request, read in two halves one ahead of the other.
///
/// A missing page opens a window of `least` pages behind it; when the reader enters the last
/// requested window, the next one is requested, twice as long, up to `most` and one page. A page
/// outside of the last two windows closes them. The last page of a file, where it is not whole, is
/// never read ahead (the kernel stops before `end_index`).
class WindowReadAhead final : public LinuxReadAhead {
public:
  explicit WindowReadAhead(LinuxReadAheadConfig config) : config_{config} {}
  void begin(PageRange read) override;
  [[nodiscard]] PageRange visit(std::int64_t page, Found found, std::int64_t file_pages) override;

private:
  LinuxReadAheadConfig config_;
  bool sequential_ = true;       ///< this read lies within the windows (`reada_ok`)
  std::int64_t end_ = 0;         ///< first page behind the last window (`f_raend`)
  std::int64_t length_ = 0;      ///< of the last window (`f_ralen`)
  std::int64_t both_ = 0;        ///< of the last two windows (`f_rawin`)
  std::int64_t next_ahead_ = 0;  ///< how far the next window goes (`f_ramax`)
};

/// From 2.6.23 on: a window with a mark; reaching the mark requests the next window.
///
/// The first read of a file, or one that goes on where the last one ended, opens a window: the
/// request rounded up to a power of two, times 4 up to `most`/32, times 2 up to `most`/4, else
/// `most`. Each further one is 4 times as long below `most`/16, else twice, up to `most`. Another
/// read is taken as random and read as it is. Left out: interleaved streams on one handle.
class OnDemandReadAhead final : public LinuxReadAhead {
public:
  explicit OnDemandReadAhead(LinuxReadAheadConfig config) : most_{config.most / Bytes{4096}} {}
  void begin(PageRange read) override;
  [[nodiscard]] PageRange visit(std::int64_t page, Found found, std::int64_t file_pages) override;

private:
  [[nodiscard]] std::int64_t first_size(std::int64_t request) const;
  [[nodiscard]] std::int64_t next_size(std::int64_t size) const;

  std::int64_t most_;
  PageRange read_;               ///< the present call
  std::int64_t last_page_ = -1;  ///< the last page of the call before
  std::int64_t start_ = 0;       ///< of the last window
  std::int64_t size_ = 0;
  std::int64_t behind_mark_ = 0;  ///< pages from the mark to the end of the window
};

[[nodiscard]] std::unique_ptr<LinuxReadAhead> make_read_ahead(const LinuxReadAheadConfig& config);

}  // namespace copysim
