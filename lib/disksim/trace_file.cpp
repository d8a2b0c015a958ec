#include <copysim/lib/disksim/trace_file.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <copysim/lib/catalogue.hpp>

#include "drive_parts.hpp"

namespace copysim::disksim {

namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::int64_t most_blocks = std::int64_t{1} << 50;

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t at = line.find_first_not_of(blanks);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return fields;
}

template <class Number>
Number number(std::string_view field, const char* what, Number least, Number most,
              const Place& place) {
  Number value{};
  const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || stop != field.data() + field.size() || !(value >= least) ||
      !(value <= most))
    place.fail(std::string{what} + " must be a number of the allowed size, got '" +
               std::string{field} + "'");
  return value;
}

Duration micros(std::string_view field, const char* what, const Place& place) {
  return from_seconds(number(field, what, 0.0, 1e12, place) / 1e6);
}

SectorRange blocks(std::string_view first, std::string_view count, const Place& place) {
  const auto begin = number<std::int64_t>(first, "the first block", 0, most_blocks, place);
  return {begin,
          begin + number<std::int64_t>(count, "the number of blocks", 1, most_blocks, place)};
}

TraceRequest validate_request(const std::vector<std::string_view>& fields, const Place& place) {
  if (fields.size() != 6)
    place.fail(
        "a line must have 6 fields (R or W, buffer, first block, blocks, service time, "
        "gap), got " +
        std::to_string(fields.size()));
  if (fields[0] != "R" && fields[0] != "W")
    place.fail("the access must be R or W, got '" + std::string{fields[0]} + "'");
  return {.access = fields[0] == "R" ? Access::read : Access::write,
          .sectors = blocks(fields[2], fields[3], place),
          .measured = micros(fields[4], "the service time", place),
          .gap = micros(fields[5], "the gap", place),
          .line = place.line};
}

TraceRequest ascii_request(const std::vector<std::string_view>& fields, const Place& place) {
  if (fields.size() != 5)
    place.fail(
        "a line must have 5 fields (arrival in ms, device, first block, blocks, flags), "
        "got " +
        std::to_string(fields.size()));
  const auto flags = number<std::int64_t>(fields[4], "the flags", 0, 1 << 30, place);
  return {
      .access = flags % 2 == 1 ? Access::read : Access::write,
      .sectors = blocks(fields[2], fields[3], place),
      .arrival = SimTime{from_seconds(number(fields[0], "the arrival", 0.0, 1e12, place) / 1e3)},
      .line = place.line};
}

}  // namespace

Trace read_trace(const std::string& path) {
  const std::string text = read_text_file(path);
  Trace trace{{std::make_shared<const std::string>(path), 0}, TraceKind::validate, {}};
  require_text(text, trace.place.file);
  Place place = trace.place;
  std::string device;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++place.line;
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.empty()) continue;
    if (trace.requests.empty())
      trace.kind = fields.size() == 5 ? TraceKind::ascii : TraceKind::validate;
    if (trace.kind == TraceKind::validate) {
      trace.requests.push_back(validate_request(fields, place));
      continue;
    }
    const TraceRequest request = ascii_request(fields, place);
    if (trace.requests.empty()) device = fields[1];
    if (fields[1] != device)
      place.fail("all requests must be for device " + device + ", got " + std::string{fields[1]});
    if (!trace.requests.empty() && request.arrival < trace.requests.back().arrival)
      place.fail("arrivals must not go back, got " + std::string{fields[0]} + " ms");
    trace.requests.push_back(request);
  }
  place.line = std::max(place.line, 1);  // of an empty file
  if (trace.requests.empty()) place.fail("a trace must have a request");
  return trace;
}

}  // namespace copysim::disksim
