#pragma once

#include <cstdint>

#include <copysim/models/io_result.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

enum class Access : std::uint8_t { read, write };

/// One command to a device: a range of bytes, aligned to sectors of 512 bytes.
struct BlockRequest {
  Access access = Access::read;
  Extent extent;
  /// A write that must be on the medium before it completes, in spite of a write cache.
  bool force_unit_access = false;
};

/// What a device has done since the start of the run; each field only grows.
struct DeviceCounters {
  std::int64_t reads = 0;          ///< read commands completed
  std::int64_t writes = 0;         ///< write commands completed
  Bytes bytes_read;                ///< bytes sent to the host
  Bytes bytes_written;             ///< bytes taken from the host
  std::int64_t seeks = 0;          ///< arm movements of at least one cylinder
  std::int64_t cache_hits = 0;     ///< reads served from the device's own cache, without the medium
  std::int64_t erased_blocks = 0;  ///< flash: erase blocks erased (for a merge or a fresh block)
  Duration seek_time{};            ///< arm in motion
  Duration rotation_time{};        ///< waiting for the sector to come round
  Duration transfer_time{};        ///< medium or bus moving data
  Duration overhead_time{};        ///< command processing
  Duration busy_time{};            ///< at least one command in the device
  Duration background_time{};      ///< arm reading ahead or writing back, no command waiting for it
};

/// A disk, a stick or an array as the operating system's storage driver sees it.
///
/// It models time only: what the bytes are is kept by the volume above it (`Content`).
///
/// Contract: many requests may be outstanding; the device decides their order. `submit` ends when
/// the device reports completion (for a cached write: when it is in the device's cache). `flush`
/// ends when all that completed before is on the medium. Extents are aligned to 512 bytes and lie
/// inside `capacity()`.
class BlockDevice {
public:
  virtual ~BlockDevice() = default;
  [[nodiscard]] virtual Task<IoStatus> submit(BlockRequest request) = 0;
  [[nodiscard]] virtual Task<IoStatus> flush() = 0;
  [[nodiscard]] virtual Bytes capacity() const = 0;
  /// The largest single request that the host driver passes on; the caller splits above it.
  [[nodiscard]] virtual Bytes max_request() const = 0;
  [[nodiscard]] virtual const DeviceCounters& counters() const = 0;
  /// The device that does the work in the end: another one for a part of a device.
  [[nodiscard]] virtual const BlockDevice& whole() const { return *this; }
};

}  // namespace copysim
