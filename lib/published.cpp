#include <copysim/lib/published.hpp>

#include <fstream>
#include <sstream>

#include <copysim/error.hpp>

namespace copysim {

PublishedSource load_published(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  if (!in) throw ConfigError{path.string() + ": file must be readable"};
  std::ostringstream text;
  text << in.rdbuf();
  return parse_published(text.str(), path.string());
}

std::string_view to_string(RowKind kind) {
  switch (kind) {
    case RowKind::value:
      return "value";
    case RowKind::bounds:
      return "bounds";
    case RowKind::difference:
      return "difference";
    case RowKind::reduction:
      return "reduction";
    case RowKind::faster:
      return "faster";
    case RowKind::ordering:
      return "ordering";
  }
  throw SimulationError{"row of unknown kind"};
}

std::string_view to_string(RowRole role) {
  switch (role) {
    case RowRole::fit:
      return "fit";
    case RowRole::check:
      return "check";
    case RowRole::input:
      return "input";
  }
  throw SimulationError{"row of unknown role"};
}

std::string_view to_string(CopyQuantity quantity) {
  switch (quantity) {
    case CopyQuantity::elapsed:
      return "elapsed";
    case CopyQuantity::durable:
      return "durable";
    case CopyQuantity::first_estimate:
      return "first_estimate";
    case CopyQuantity::throughput:
      return "throughput";
  }
  throw SimulationError{"unknown quantity"};
}

}  // namespace copysim
