#include "block_reader.hpp"

#include <charconv>
#include <cmath>

#include "report_text.hpp"

namespace copysim::disksim {

namespace {

constexpr double most_ms = 60'000;

std::string quoted(std::string_view key) {
  return "'" + std::string{key} + "'";
}

double to_number(const Value& value, std::string_view key) {
  const auto* text = std::get_if<std::string>(&value.content);
  if (text == nullptr) value.place.fail(quoted(key) + " must be a number, got a list or block");
  double number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc{} || stop != end || !std::isfinite(number))
    value.place.fail(quoted(key) + " must be a number, got '" + *text + "'");
  return number;
}

std::int64_t to_integer(const Value& value, std::string_view key) {
  const double number = to_number(value, key);
  if (number != std::floor(number) || std::abs(number) > 1e15)
    value.place.fail(quoted(key) + " must be a whole number, got " + detail::json_number(number));
  return static_cast<std::int64_t>(number);
}

void check_range(const Value& value, std::string_view key, double number, double least,
                 double most) {
  if (number < least || number > most)
    value.place.fail(quoted(key) + " must be between " + detail::json_number(least) + " and " +
                     detail::json_number(most) + ", got " + detail::json_number(number));
}

}  // namespace

const Place& BlockReader::place(std::string_view key) const {
  const Value* found = block_->find(key);
  return found != nullptr ? found->place : block_->place;
}

void BlockReader::fail(std::string_view key, const std::string& rule) const {
  place(key).fail(quoted(key) + " " + rule);
}

const Value& BlockReader::value(std::string_view key) const {
  const Value* found = block_->find(key);
  if (found == nullptr)
    block_->place.fail("block '" + block_->type + "' must have a parameter " + quoted(key));
  return *found;
}

const Value::List& BlockReader::list(std::string_view key) const {
  const Value& found = value(key);
  const auto* values = std::get_if<Value::List>(&found.content);
  if (values == nullptr) found.place.fail(quoted(key) + " must be a list in brackets");
  return *values;
}

double BlockReader::number(std::string_view key, double least, double most) const {
  const Value& found = value(key);
  const double result = to_number(found, key);
  check_range(found, key, result, least, most);
  return result;
}

std::int64_t BlockReader::integer(std::string_view key, std::int64_t least,
                                  std::int64_t most) const {
  const Value& found = value(key);
  const std::int64_t result = to_integer(found, key);
  check_range(found, key, static_cast<double>(result), static_cast<double>(least),
              static_cast<double>(most));
  return result;
}

Duration BlockReader::time(std::string_view key) const {
  return from_seconds(number(key, 0, most_ms) / 1000);
}

Duration BlockReader::time_difference(std::string_view key) const {
  return from_seconds(number(key, -most_ms, most_ms) / 1000);
}

std::string BlockReader::text(std::string_view key) const {
  const Value& found = value(key);
  const auto* text = std::get_if<std::string>(&found.content);
  if (text == nullptr) found.place.fail(quoted(key) + " must be a word");
  return *text;
}

std::vector<double> BlockReader::numbers(std::string_view key) const {
  std::vector<double> result;
  for (const Value& element : list(key)) result.push_back(to_number(element, key));
  return result;
}

std::vector<std::int64_t> BlockReader::integers(std::string_view key) const {
  std::vector<std::int64_t> result;
  for (const Value& element : list(key)) {
    result.push_back(to_integer(element, key));
    if (result.back() < 0) element.place.fail(quoted(key) + " must not hold negative numbers");
  }
  return result;
}

std::vector<BlockReader> BlockReader::blocks(std::string_view key, std::string_view type) const {
  std::vector<BlockReader> result;
  for (const Value& element : list(key)) {
    const auto* block = std::get_if<std::shared_ptr<const Block>>(&element.content);
    if (block == nullptr || (*block)->type != type)
      element.place.fail(quoted(key) + " must hold blocks of type " + std::string{type});
    result.emplace_back(*block);
  }
  if (result.empty()) fail(key, "must not be empty");
  return result;
}

BlockReader BlockReader::child(std::string_view key) const {
  const Value& found = value(key);
  const auto* block = std::get_if<std::shared_ptr<const Block>>(&found.content);
  if (block == nullptr) found.place.fail(quoted(key) + " must be a block");
  return BlockReader{*block};
}

}  // namespace copysim::disksim
