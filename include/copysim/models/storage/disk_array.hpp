#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>

namespace copysim {

/// How an array spreads its data.
enum class ArrayLevel : std::uint8_t {
  none,    ///< no array: one drive
  raid_0,  ///< striped
  raid_1,  ///< mirrored
  raid_5,  ///< striped, with one unit of parity per row
};
[[nodiscard]] std::string_view to_string(ArrayLevel level);
[[nodiscard]] constexpr auto all_values(ArrayLevel /*kind*/) {
  return std::array{ArrayLevel::none, ArrayLevel::raid_0, ArrayLevel::raid_1, ArrayLevel::raid_5};
}

/// Equal drives behind one address space: RAID 0, 1 or 5 (Patterson, Gibson and Katz 1988).
///
/// The address space is cut into units of `stripe`. RAID 0: unit k lies on drive k mod n. RAID 5:
/// a row has n - 1 units and one of parity, which moves down by one drive per row; data go on
/// behind it (left-symmetric). Pieces of a request that adjoin on a drive become one request; all
/// go out at once and the slowest ends it.
///
/// A read from a mirror goes to the drive with fewer requests under way, else to the one whose last
/// request ended nearer; a write goes to all. A write that does not cover a RAID 5 row
/// reads first: the old data and parity of what it touches (read-modify-write), or the untouched
/// units if they are fewer; then data and parity are written. A whole row is written without
/// reading. Left out: a controller's battery-backed cache, rebuilding after a failure, and the lock
/// of a row.
class DiskArray final : public BlockDevice {
public:
  struct Config {
    ArrayLevel level = ArrayLevel::none;
    int disks = 3;
    Bytes stripe = 64_KiB;  ///< usual default of software and cheap hardware arrays

    static constexpr auto parameters = std::tuple{
        parameter("level", &Config::level, "none, raid-0, raid-1 or raid-5"),
        parameter("disks", &Config::disks, "drives in the array", between(2, 64)),
        parameter("stripe", &Config::stripe, "unit that lies on one drive", at_least(512_B)),
    };
  };

  static constexpr std::string_view id = "array";

  /// \throws ConfigError if there are too few drives for the level or the stripe is no sectors.
  DiskArray(Simulation& sim, const Config& config,
            std::vector<std::unique_ptr<BlockDevice>> drives);

  [[nodiscard]] Task<IoStatus> submit(BlockRequest request) override;
  [[nodiscard]] Task<IoStatus> flush() override;
  [[nodiscard]] Bytes capacity() const override { return capacity_; }
  [[nodiscard]] Bytes max_request() const override { return drives_.front()->max_request(); }
  /// The sums over the drives; reads and writes are those of the drives.
  [[nodiscard]] const DeviceCounters& counters() const override { return counters_; }

private:
  struct Piece {
    std::size_t drive = 0;
    BlockRequest request;
  };
  using Pieces = std::vector<Piece>;

  [[nodiscard]] Pieces striped(const BlockRequest& request) const;
  [[nodiscard]] Pieces mirrored(const BlockRequest& request) const;
  /// Adds what a write to one row of RAID 5 must read first and then write.
  void add_row(const BlockRequest& request, std::int64_t row, Pieces& first, Pieces& then) const;
  [[nodiscard]] Piece unit(std::int64_t row, std::int64_t index, Extent inside) const;
  static void add(Pieces& pieces, const Piece& piece);
  [[nodiscard]] Task<IoStatus> run(Pieces first, Pieces then);
  [[nodiscard]] Task<> all_of_them(Pieces pieces, IoStatus& status);
  [[nodiscard]] Task<> one(Piece piece, IoStatus& status);
  void count();

  Simulation& sim_;
  Config config_;
  std::vector<std::unique_ptr<BlockDevice>> drives_;
  std::int64_t rows_ = 0;
  std::int64_t units_per_row_ = 1;
  Bytes capacity_;
  std::vector<int> under_way_;  // by drive, with the end of its last request: for mirrors
  std::vector<Bytes> last_end_;
  DeviceCounters counters_;
};

}  // namespace copysim
