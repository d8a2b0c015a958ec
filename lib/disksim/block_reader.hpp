#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/disksim/parameter_file.hpp>
#include <copysim/units.hpp>

namespace copysim::disksim {

/// Reads typed parameters of one block; each error names file, line, parameter and what is allowed.
class BlockReader {
public:
  explicit BlockReader(std::shared_ptr<const Block> block) : block_{std::move(block)} {}

  [[nodiscard]] const Block& block() const { return *block_; }
  [[nodiscard]] bool has(std::string_view key) const { return block_->find(key) != nullptr; }

  [[nodiscard]] double number(std::string_view key, double least, double most) const;
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t least,
                                     std::int64_t most) const;
  [[nodiscard]] bool flag(std::string_view key) const { return integer(key, 0, 2) != 0; }
  /// A time in milliseconds, of at most a minute.
  [[nodiscard]] Duration time(std::string_view key) const;
  /// A difference of times in milliseconds, which may be negative.
  [[nodiscard]] Duration time_difference(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;
  [[nodiscard]] std::vector<BlockReader> blocks(std::string_view key, std::string_view type) const;
  [[nodiscard]] BlockReader child(std::string_view key) const;
  /// Where `key` stands, or the block if it is not there.
  [[nodiscard]] const Place& place(std::string_view key) const;
  /// \throws ConfigError that names the place of `key`, or of the block if it is not there.
  [[noreturn]] void fail(std::string_view key, const std::string& rule) const;

private:
  [[nodiscard]] const Value& value(std::string_view key) const;
  [[nodiscard]] const Value::List& list(std::string_view key) const;

  std::shared_ptr<const Block> block_;
};

}  // namespace copysim::disksim
