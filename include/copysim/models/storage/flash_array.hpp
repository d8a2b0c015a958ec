#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The flash of a solid state drive: dies that work side by side, a few of them on each channel.
///
/// A page read occupies its die for `page_read`, then the channel while the wanted bytes cross it;
/// a program occupies the channel with the page, then the die for `page_program`. Each die and
/// channel serves in the order of asking, so one number per die and channel, the time when it is
/// free, is the whole state, and a request costs no events. Logical pages are striped over the dies
/// (die of page p: p mod dies); written pages go to the next die in turn, as a log-structured layer
/// does.
///
/// Collection. Programs use up erased pages. At first all space that holds no data is erased:
/// capacity (1 + spare - filled). When it has gone, each page written needs room that is made by
/// copying the valid rest of a block and erasing it: w copies and 1 / pages_per_block erases, with
/// w + 1 the write amplification. For writes in sequence whole blocks are void, w = 0; for uniform
/// random ones a greedy collector has w + 1 = (1 + s) / (2 s), s = (1 + spare - filled) / filled
/// (Agarwal and Marrow, IEEE Globecom workshops 2010). Between them w goes with the part of the
/// pages that were written out of sequence. Left out: the mapping table's own traffic, wear
/// levelling, suspended programs, a fast cache of single-level cells.
class FlashArray {
public:
  struct Config {
    int channels = 8;
    int dies = 4;         ///< on each channel
    Bytes page = 16_KiB;  ///< all planes of a die together; 2x8 or 4x4 KiB usual
    int pages_per_block = 256;
    Duration page_read = 60us;       ///< 50 to 100 us for cells of 2 to 3 bits
    Duration page_program = 1300us;  ///< 0.6 ms (2 bits) to 2 ms (3 bits)
    Duration block_erase = 5ms;      ///< 3 to 10 ms
    Bandwidth channel_rate{400e6};   ///< ONFI 3 and Toggle 2.0: 400 MB/s
    double spare = 0.07;             ///< space beyond the capacity: GiB of flash, GB sold
    double filled = 0.5;             ///< part of the capacity that holds data before the run

    static constexpr auto parameters = std::tuple{
        parameter("channels", &Config::channels, "buses between controller and flash",
                  between(1, 64)),
        parameter("dies", &Config::dies, "dies on each channel", between(1, 64)),
        parameter("page", &Config::page, "unit of reading and programming", at_least(512_B)),
        parameter("pages_per_block", &Config::pages_per_block, "pages erased together",
                  between(1, 65536)),
        parameter("page_read", &Config::page_read, "from the cells to the die's register",
                  at_least(Duration{})),
        parameter("page_program", &Config::page_program, "from the register to the cells",
                  at_least(Duration{})),
        parameter("block_erase", &Config::block_erase, "time to erase a block",
                  at_least(Duration{})),
        parameter("channel_rate", &Config::channel_rate, "rate of a channel"),
        parameter("spare", &Config::spare, "flash beyond the capacity, as part of it",
                  between(0.001, 10.0)),
        parameter("filled", &Config::filled, "part of the capacity that holds data",
                  between(0.0, 1.0)),
    };
  };

  /// \throws ConfigError if a rate is not positive.
  FlashArray(Config config, Bytes capacity);

  /// When `length` bytes of logical page `page` have left the flash, asked for at `now`.
  SimTime read(std::int64_t page, Bytes length, SimTime now);
  /// When the next page has been programmed; `in_sequence` says how it was written.
  SimTime program(SimTime now, bool in_sequence);

  /// Copies of valid pages per page written, w of the equation above, as of now.
  [[nodiscard]] double copies_per_write() const;
  [[nodiscard]] std::int64_t erased_blocks() const { return erased_blocks_; }
  [[nodiscard]] std::int64_t copied_pages() const { return copied_; }

private:
  [[nodiscard]] std::size_t dies() const { return die_free_.size(); }
  SimTime program_on(std::size_t die, SimTime now);
  void make_room(std::size_t die, SimTime now);

  Config config_;
  std::vector<SimTime> die_free_;
  std::vector<SimTime> channel_free_;
  std::size_t next_die_ = 0;
  double erased_pages_;
  double random_copies_;  // w of purely random writes
  std::int64_t programmed_ = 0;
  std::int64_t scattered_ = 0;
  double copies_due_ = 0;
  double erases_due_ = 0;
  std::int64_t copied_ = 0;
  std::int64_t erased_blocks_ = 0;
};

}  // namespace copysim
