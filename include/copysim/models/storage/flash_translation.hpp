#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What a flash access takes.
struct FlashTimes {
  Duration access{};    ///< finding the block
  Duration transfer{};  ///< reading or programming pages
  Duration merge{};     ///< copying and erasing to close a block
};

/// The translation layer of a simple flash controller: blocks are written through a few open ones.
///
/// Flash is programmed in pages and erased in blocks. Each erase block being written has an update
/// block to which pages are appended. In sequence, a full update block replaces the old one, which
/// is erased: no copy. Out of sequence (a rewritten allocation table) pages are appended all the
/// same, until the update block is full. Only `open_blocks` are open; a write outside them closes
/// the one not used for longest: what was not written in sequence, or all of a scattered block, is
/// copied from the old one at read + program speed. This is the scheme of sequential and chaotic
/// update blocks of SanDisk's patents (Gorobets et al., US 7,139,864, 2006), with every logical
/// block taken as holding data, since the controller cannot know what is free. Not modelled: wear
/// levelling, bad blocks, the mapping tables' own writes.
class FlashTranslation {
public:
  struct Config {
    Bytes erase_block = 4_MiB;  ///< 4-8 MiB measured (Flashbench; mechanisms.md 8.6)
    Bytes page = 16_KiB;        ///< a small write takes 2-4 ms: one such page (mechanisms.md 8.6)
    int open_blocks = 4;        ///< data, two allocation tables, directory; 1-8 plausible
    Bandwidth read_rate{34e6};
    Bandwidth program_rate{9e6};
    Duration access_time = 400us;  ///< of a read out of sequence
    Duration erase_time = 2ms;     ///< typical NAND block erase

    static constexpr auto parameters = std::tuple{
        parameter("erase_block", &Config::erase_block, "unit of erasing", at_least(512_B)),
        parameter("page", &Config::page, "unit of programming", at_least(512_B)),
        parameter("open_blocks", &Config::open_blocks, "blocks written at once", between(1, 1024)),
        parameter("read_rate", &Config::read_rate, "rate of the flash, reading"),
        parameter("program_rate", &Config::program_rate, "rate of the flash, programming"),
        parameter("access_time", &Config::access_time, "extra time of a read out of sequence",
                  at_least(Duration{})),
        parameter("erase_time", &Config::erase_time, "time to erase a block", at_least(Duration{})),
    };
  };

  /// \throws ConfigError if pages do not fill a block or a rate is not positive.
  explicit FlashTranslation(Config config);

  FlashTimes read(Extent extent);
  FlashTimes write(Extent extent);

  [[nodiscard]] std::int64_t erased_blocks() const { return erased_; }

private:
  struct OpenBlock {
    OpenBlock(std::int64_t number, Bytes first, Bytes next)
        : block{number}, begin{first}, end{next} {}

    std::int64_t block;
    Bytes begin;  // what was written in sequence, relative to the block
    Bytes end;
    Bytes used;  // appended to the update block
    bool scattered = false;
    std::uint64_t last_use = 0;
  };

  void write_piece(std::int64_t block, Extent inside, FlashTimes& times);
  OpenBlock& open(std::int64_t block, Extent inside, FlashTimes& times);
  void close(const OpenBlock& open, FlashTimes& times);
  [[nodiscard]] Duration copy_time(Bytes amount) const;

  Config config_;
  std::vector<OpenBlock> open_;
  Bytes next_read_;
  std::uint64_t uses_ = 0;
  std::int64_t erased_ = 0;
};

}  // namespace copysim
