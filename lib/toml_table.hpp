#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace copysim::detail {

/// Parses TOML text.
/// \throws ConfigError `<file>:<line>: <what is wrong>`.
[[nodiscard]] toml::table parse_toml(std::string_view text, const std::string& file);

/// Reads the keys of one table strictly: a wrong type, and a key that nobody asked for, is a
/// `ConfigError` that names file, line and key, and what is allowed.
class TomlTable {
public:
  /// `table` must outlive the reader. `name` says in messages which table it is ("row APC-01").
  TomlTable(const toml::table& table, std::string file, std::string name);

  [[nodiscard]] bool has(std::string_view key) const { return table_->contains(key); }
  [[nodiscard]] const toml::node* node(std::string_view key);

  [[nodiscard]] std::string text(std::string_view key, std::string_view otherwise);
  [[nodiscard]] std::string required_text(std::string_view key);
  /// Returns a text that is one of `allowed`.
  [[nodiscard]] std::string choice(std::string_view key, const std::vector<std::string>& allowed,
                                   std::string_view otherwise);
  /// Returns a text, or the texts of an array.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  [[nodiscard]] std::optional<double> number(std::string_view key);
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key);
  [[nodiscard]] bool boolean(std::string_view key, bool otherwise);
  /// Returns a table of texts; numbers and booleans are written out.
  [[nodiscard]] std::map<std::string, std::string> settings(std::string_view key);
  [[nodiscard]] TomlTable table(std::string_view key);
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key);

  /// Complains about the first key that was not read.
  void finish() const;

  /// Throws a `ConfigError` about `key`; `rule` reads "must be ...".
  [[noreturn]] void fail(std::string_view key, std::string_view rule) const;

  void rename(std::string name) { name_ = std::move(name); }
  [[nodiscard]] const std::string& file() const { return file_; }

private:
  const toml::table* table_;
  std::string file_;
  std::string name_;
  std::vector<std::string> asked_;
};

}  // namespace copysim::detail
