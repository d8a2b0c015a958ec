#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>

namespace copysim {

/// A part of a device that looks like a device: two volumes on one spindle are two partitions of
/// it, and compete for its arm.
class Partition final : public BlockDevice {
public:
  struct Config {
    double begin = 0.0;  ///< part of the device: 0 is the outer edge of a disk
    double end = 1.0;

    static constexpr auto parameters = std::tuple{
        parameter("begin", &Config::begin, "begin of the partition: part of the device",
                  between(0.0, 1.0)),
        parameter("end", &Config::end, "end of the partition: part of the device",
                  between(0.0, 1.0)),
    };
    [[nodiscard]] bool whole() const { return begin == 0.0 && end == 1.0; }
  };

  static constexpr std::string_view id = "partition";

  /// `device` outlives it. Both ends are rounded down to 1 MiB, but for the end of the device.
  /// \throws ConfigError if nothing is left between them.
  Partition(BlockDevice& device, const Config& config);

  [[nodiscard]] Task<IoStatus> submit(BlockRequest request) override;
  [[nodiscard]] Task<IoStatus> flush() override { return device_->flush(); }
  [[nodiscard]] Bytes capacity() const override { return place_.length; }
  [[nodiscard]] Bytes max_request() const override { return device_->max_request(); }
  /// Those of the whole device.
  [[nodiscard]] const DeviceCounters& counters() const override { return device_->counters(); }
  [[nodiscard]] const BlockDevice& whole() const override { return device_->whole(); }

private:
  BlockDevice* device_;
  Extent place_;
};

}  // namespace copysim
