#pragma once

#include <cstdint>

#include <copysim/models/io_result.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What a copy engine says when one file is done.
struct CopyReport {
  Bytes copied{};                  ///< bytes that the target took
  Duration elapsed{};              ///< from open to close, as the engine saw it
  IoStatus status = IoStatus::ok;  ///< the first failure, if any
  std::int64_t reads = 0;          ///< read calls issued
  std::int64_t writes = 0;         ///< write calls issued
};

}  // namespace copysim
