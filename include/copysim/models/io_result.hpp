#pragma once

#include <cstdint>
#include <string_view>

#include <copysim/models/content.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How a simulated operation ended. A failure is an outcome of the model, never a C++ exception.
enum class IoStatus : std::uint8_t {
  ok,
  end_of_file,   ///< a read that starts at or behind the end of the file
  not_found,     ///< no such file
  exists,        ///< the file is there already and the caller did not allow that
  disk_full,     ///< no free space on the volume
  too_large,     ///< the file system has no files of this size
  device_error,  ///< the medium did not give or take the data
  link_down,     ///< the connection was lost and not restored in time
};

[[nodiscard]] std::string_view to_string(IoStatus status);

/// The outcome of a read: what arrived, which is shorter than asked at the end of the file.
class [[nodiscard]] ReadResult {
public:
  ReadResult(IoStatus status, Content content) : status_{status}, content_{std::move(content)} {}
  explicit ReadResult(IoStatus failure) : status_{failure} {}

  [[nodiscard]] bool ok() const { return status_ == IoStatus::ok; }
  [[nodiscard]] IoStatus status() const { return status_; }
  [[nodiscard]] const Content& content() const { return content_; }

private:
  IoStatus status_;
  Content content_;
};

}  // namespace copysim
