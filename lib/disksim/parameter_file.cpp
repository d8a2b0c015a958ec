#include <copysim/lib/disksim/parameter_file.hpp>

#include <algorithm>
#include <filesystem>

#include <copysim/lib/catalogue.hpp>

#include "drive_parts.hpp"

namespace copysim::disksim {

namespace {

constexpr int most_sources = 16;  // one in another: more is a circle
constexpr int most_levels = 64;   // blocks, lists and components one in another; drives have five
constexpr std::string_view blanks = " \t\r\n";

// Blanks at the ends go, those between words become one.
std::string tidy(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (blanks.find(c) == std::string_view::npos)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

class Parser {
public:
  Parser(const std::string& path, int depth)
      : text_{read_text_file(path)},
        here_{std::make_shared<const std::string>(path), 1},
        depth_{depth} {
    require_text(text_, here_.file);
  }

  [[nodiscard]] const Place& here() const { return here_; }

  void read(ParameterFile& file) {
    skip();
    while (!at_end()) {
      const Place start = here_;
      const std::string word = take_word("a block, 'source', 'instantiate' or 'topology'");
      if (word == "source") {
        source().read(file);
      } else if (word == "instantiate") {
        file.instances.push_back(instance());
      } else if (word == "topology") {
        file.topology.push_back(component());
      } else {
        std::string name = take_word("the name of a block");
        file.blocks.push_back(block(start, word, std::move(name)));
      }
      skip();
    }
  }

private:
  // One level of nesting, as long as it lives.
  class Level {
  public:
    explicit Level(Parser& parser) : parser_{parser} {
      if (++parser_.levels_ > most_levels)
        parser_.here_.fail("blocks and lists must not nest deeper than " +
                           std::to_string(most_levels) + " levels");
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser_.levels_; }

  private:
    Parser& parser_;
  };

  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] char next() const { return at_end() ? '\0' : text_[position_]; }

  void advance() {
    if (text_[position_++] == '\n') ++here_.line;
  }

  // Over blanks and comments.
  void skip() {
    while (!at_end()) {
      if (next() == '#') {
        while (!at_end() && next() != '\n') advance();
      } else if (blanks.find(next()) != std::string_view::npos) {
        advance();
      } else {
        return;
      }
    }
  }

  [[nodiscard]] std::string got() const {
    return at_end() ? "the end of the file" : std::string{"'"} + next() + "'";
  }

  void expect(char c) {
    skip();
    if (next() != c) here_.fail(std::string{"'"} + c + "' must come next, got " + got());
    advance();
  }

  bool take(char c) {
    skip();
    if (next() != c) return false;
    advance();
    return true;
  }

  std::string take_word(const std::string& what) {
    skip();
    std::string word;
    while (!at_end() && std::string_view{"{}[],=#:"}.find(next()) == std::string_view::npos &&
           blanks.find(next()) == std::string_view::npos) {
      word += next();
      advance();
    }
    if (word.empty()) here_.fail(what + " must come next, got " + got());
    return word;
  }

  // Everything up to one of `ends` on this line, comments left out.
  std::string take_until(std::string_view ends) {
    std::string taken;
    while (!at_end() && next() != '#' && ends.find(next()) == std::string_view::npos) {
      taken += next();
      advance();
    }
    return tidy(taken);
  }

  Parser source() {
    const Place start = here_;
    return sourced(start, take_word("the name of a file to source"));
  }

  [[nodiscard]] Parser sourced(const Place& start, const std::string& name) const {
    if (depth_ == most_sources) start.fail("source must not lead back to the same file");
    return {file_beside(start, name), depth_ + 1};
  }

  std::shared_ptr<const Block> block(const Place& start, std::string type, std::string name) {
    Block result{std::move(type), std::move(name), start, {}};
    const Level level{*this};
    expect('{');
    while (!take('}')) {
      if (at_end()) start.fail("block '" + result.type + "' must end with '}'");
      if (take(',')) continue;
      const Place line = here_;
      std::string key = take_until("={}[],\n");
      if (!take('=')) line.fail("'=' must follow the parameter '" + key + "', got " + got());
      if (key.empty()) line.fail("a parameter must stand before '='");
      result.entries.emplace_back(std::move(key), value());
    }
    return std::make_shared<const Block>(std::move(result));
  }

  Value value() {
    skip();
    const Place start = here_;
    if (take('[')) return {start, list(start)};
    std::string text = take_until("{}[],=\n");
    if (next() == '{') {
      const std::size_t blank = text.find(' ');
      std::string name = blank == std::string::npos ? "" : text.substr(blank + 1);
      if (text.empty()) start.fail("the type of a block must stand before '{'");
      return {start, block(start, text.substr(0, blank), std::move(name))};
    }
    if (text.starts_with("source ")) return {start, sourced_block(start, text.substr(7))};
    if (text.empty()) start.fail("a value must come next, got " + got());
    return {start, std::move(text)};
  }

  std::shared_ptr<const Block> sourced_block(const Place& start, const std::string& name) {
    ParameterFile file;
    sourced(start, name).read(file);
    if (file.blocks.empty()) start.fail("the sourced file '" + name + "' must hold a block");
    return file.blocks.front();
  }

  Value::List list(const Place& start) {
    const Level level{*this};
    Value::List values;
    while (!take(']')) {
      if (at_end()) start.fail("the list must end with ']'");
      if (take(',')) continue;
      values.push_back(value());
    }
    return values;
  }

  std::vector<std::string> words_in_brackets() {
    const Place start = here_;
    expect('[');
    std::vector<std::string> words;
    while (!take(']')) {
      if (at_end()) start.fail("the list must end with ']'");
      if (!take(',')) words.push_back(take_word("a name"));
    }
    return words;
  }

  ParameterFile::Instance instance() {
    ParameterFile::Instance result{words_in_brackets(), {}};
    const Place line = here_;
    if (const std::string as = take_word("'as'"); as != "as")
      line.fail("'as' must come next, got '" + as + "'");
    result.block = take_word("the name of a block");
    return result;
  }

  Component component() {
    Component result{take_word("a type of component"), take_word("a component"), {}};
    const Place start = here_;
    const Level level{*this};
    expect('[');
    while (!take(']')) {
      if (at_end()) start.fail("the component must end with ']'");
      if (!take(',')) result.children.push_back(component());
    }
    return result;
  }

  std::string text_;
  std::size_t position_ = 0;
  Place here_;
  int depth_;
  int levels_ = 0;
};

}  // namespace

void Place::fail(const std::string& message) const {
  throw ConfigError{text() + ": " + message};
}

std::string file_beside(const Place& place, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path{*place.file}.parent_path() / name;
  if (!std::filesystem::is_regular_file(path)) place.fail("there must be a file " + path.string());
  return path.string();
}

void require_text(std::string_view text, const std::shared_ptr<const std::string>& file) {
  const std::size_t at = text.find('\0');
  if (at == std::string_view::npos) return;
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  Place{file, static_cast<int>(line)}.fail("the file must be text, got a byte 0");
}

const Value* Block::find(std::string_view key) const {
  for (const auto& [entry, value] : entries)
    if (entry == key) return &value;
  return nullptr;
}

std::shared_ptr<const Block> ParameterFile::find(std::string_view name) const {
  for (const auto& block : blocks)
    if (block->name == name) return block;
  return nullptr;
}

ParameterFile read_parameter_file(const std::string& path) {
  Parser parser{path, 0};
  ParameterFile file;
  file.place = parser.here();
  parser.read(file);
  return file;
}

}  // namespace copysim::disksim
