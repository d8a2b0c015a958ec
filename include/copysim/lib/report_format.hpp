#pragma once

#include <cstdint>

namespace copysim {

/// The form in which a report is printed.
enum class ReportFormat : std::uint8_t { text, json, csv };

}  // namespace copysim
