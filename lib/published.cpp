#include <copysim/lib/published.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/settings_reader.hpp>

namespace copysim {

PublishedSource load_published(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  if (!in) throw ConfigError{path.string() + ": file must be readable"};
  std::ostringstream text;
  text << in.rdbuf();
  return parse_published(text.str(), path.string());
}

std::vector<std::string> published_ids() {
  std::vector<std::string> ids = catalogue().ids("published");
  std::erase(ids, "recorded");  // What the model reproduced is beside what was published.
  return ids;
}

PublishedSource published_source(std::string_view id) {
  const std::vector<std::string> known = published_ids();
  if (std::find(known.begin(), known.end(), id) == known.end()) {
    throw ConfigError{"reproduce", "no source '" + std::string{id} +
                                       "' among the published timings" + suggestion(id, known) +
                                       " (known: " + joined(known) + ")"};
  }
  const CatalogueFile& file = catalogue().find("published", id);
  return parse_published(file.text, std::string{file.name});
}

std::vector<PublishedSource> published_sources() {
  std::vector<PublishedSource> sources;
  for (const std::string& id : published_ids()) sources.push_back(published_source(id));
  return sources;
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
    case CopyQuantity::service:
      return "service";
    case CopyQuantity::request_rate:
      return "request_rate";
    case CopyQuantity::counter:
      return "counter";
  }
  throw SimulationError{"unknown quantity"};
}

}  // namespace copysim
