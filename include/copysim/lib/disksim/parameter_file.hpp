#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <copysim/error.hpp>

namespace copysim::disksim {

/// A place in a file, for messages.
struct Place {
  std::shared_ptr<const std::string> file;
  int line = 1;

  /// "atlas10k.model:17".
  [[nodiscard]] std::string text() const { return *file + ':' + std::to_string(line); }
  /// \throws ConfigError with the place before `message`.
  [[noreturn]] void fail(const std::string& message) const;
};

struct Block;

/// A parameter's value: a number or a name (as text), a list, or a block.
struct Value {
  using List = std::vector<Value>;

  Place place;
  std::variant<std::string, List, std::shared_ptr<const Block>> content;
};

/// A block of parameters: `TYPE NAME { key = value, ... }`; a block that is a value has no name.
struct Block {
  std::string type;
  std::string name;
  Place place;
  std::vector<std::pair<std::string, Value>> entries;

  /// The value of `key`, whose blanks count as one; nothing if it is not there.
  [[nodiscard]] const Value* find(std::string_view key) const;
};

/// A component of the topology: `TYPE NAME [ children ]`.
struct Component {
  std::string type;
  std::string name;
  std::vector<Component> children;
};

/// A file in the format of DiskSim's libparam (`.parv`, `.diskspecs`, `.model`), with the files
/// that it sources.
struct ParameterFile {
  struct Instance {
    std::vector<std::string> components;
    std::string block;
  };

  Place place;
  std::vector<std::shared_ptr<const Block>> blocks;
  std::vector<Instance> instances;
  std::vector<Component> topology;

  [[nodiscard]] std::shared_ptr<const Block> find(std::string_view name) const;
};

/// Reads the file at `path`. `source FILE` reads another one, beside the file that says so.
/// \throws ConfigError with file and line if it cannot be read or is malformed.
[[nodiscard]] ParameterFile read_parameter_file(const std::string& path);

}  // namespace copysim::disksim
