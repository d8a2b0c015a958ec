#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <copysim/units.hpp>

namespace copysim {

/// What reading a quantity gave: the value, or why the text is none.
template <class Value>
struct ParsedQuantity {
  std::optional<Value> value;
  std::string error;  ///< "needs one of the units B, KB, ..."; empty when there is a value
};

/// The text form of quantities, as it stands in TOML files and on the command line: a decimal
/// number, an optional blank, and a unit.
///
/// - `Bytes`: B, KB, MB, GB, TB (powers of 1000; kB is KB), KiB, MiB, GiB, TiB (powers of 1024).
/// - `Duration`: ns, us, ms, s, min, h.
/// - `Bandwidth`: bit/s, kbit/s, Mbit/s, Gbit/s (powers of 1000), and every unit of bytes per
///   second (B/s, KB/s, MB/s, MiB/s, ...).
///
/// A bare number is refused, also zero: bits or bytes, KB or KiB must not be guessed. Bytes and
/// nanoseconds are rounded to the nearest whole one, computed in integers from the decimal digits.
[[nodiscard]] ParsedQuantity<Bytes> try_parse_bytes(std::string_view text);
[[nodiscard]] ParsedQuantity<Duration> try_parse_duration(std::string_view text);
[[nodiscard]] ParsedQuantity<Bandwidth> try_parse_bandwidth(std::string_view text);

/// The same for callers that have nowhere better to report.
/// \throws ConfigError that quotes `text` and says what is allowed.
[[nodiscard]] Bytes parse_bytes(std::string_view text);
[[nodiscard]] Duration parse_duration(std::string_view text);
[[nodiscard]] Bandwidth parse_bandwidth(std::string_view text);

/// Prints in the unit that gives the shortest text without loss: "2.5 GiB", "64 KB", "0.2 ms".
/// Parsing that text gives the same bits again.
[[nodiscard]] std::string to_text(Bytes value);
[[nodiscard]] std::string to_text(Duration value);
[[nodiscard]] std::string to_text(Bandwidth value);

}  // namespace copysim
