#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copysim {

/// How a published figure is compared with a prediction; `judge` holds the rule of each kind.
enum class RowKind { value, bounds, difference, reduction, faster, ordering };

/// What a published figure may be used for.
///
/// `fit` rows may set fitted parameters, `check` rows never do, and `input` rows are parameters or
/// plain arithmetic: they are shown and never counted.
enum class RowRole { fit, check, input };

/// The column of a simulated copy that a row speaks of.
///
/// `elapsed`: seconds until the dialog closes. `durable`: seconds until the data is safe on the
/// medium. `first_estimate`: seconds until the dialog shows a remaining time. `throughput`: 10^6
/// bytes per second of elapsed time. Of a benchmark of a device also `service`, the mean seconds
/// from a request's issue to its answer, and `request_rate`, requests per second of elapsed time.
/// `counter`: the counter that `RowPlan::counter` names; one in bytes per second is compared in the
/// 10^6 bytes per second of a row in MB/s.
enum class CopyQuantity {
  elapsed,
  durable,
  first_estimate,
  throughput,
  service,
  request_rate,
  counter
};

/// How a row that speaks of several copies is read.
///
/// `every`: the source states its figure of each copy ("every cell", "both workloads"), so each
/// must hold and the row shows the one that is farthest off. `mean`: the source prints one figure
/// for copies that it does not tell apart, so the mean of the predictions is compared.
enum class CellRule { every, mean };

/// One simulated copy: a scenario (catalogue id, or path of a file) and settings on top of it.
struct CopyCell {
  std::string scenario;
  std::map<std::string, std::string> settings;  ///< As on the command line: `key=value`.

  auto operator<=>(const CopyCell&) const = default;
};

/// How a row is predicted from simulated copies.
///
/// With q the quantity and a row of one copy per figure: q(a). With two copies per figure the kind
/// of the row says which: difference q(a) - q(b); reduction, in percent, 100 (1 - q(a)/q(b));
/// faster, in percent, 100 (q(b)/q(a) - 1); any other kind the ratio q(a)/q(b).
struct RowPlan {
  CopyQuantity quantity = CopyQuantity::elapsed;
  std::string counter;      ///< of the quantity `counter`, else empty
  std::vector<CopyCell> a;  ///< Never empty.
  std::vector<CopyCell> b;  ///< Empty, or as many as `a`, pair by pair.
  CellRule rule = CellRule::every;
};

/// One published figure.
struct PublishedRow {
  std::string id;      ///< "APC-01".
  std::string what;    ///< The scenario in a sentence.
  std::string metric;  ///< seconds, MB/s, ratio, percent, pps, iops or count.
  std::string unit;    ///< s, MB/s, 1, %, packets/s, 1/s.
  std::optional<double> value;
  std::optional<double> lower;  ///< A missing side is open.
  std::optional<double> upper;
  bool exact = true;
  RowKind kind = RowKind::value;
  double tolerance = 0.10;
  RowRole role = RowRole::check;
  std::string direction;  ///< read, write, local or both.
  std::string workload;
  std::optional<std::int64_t> files;
  std::optional<std::int64_t> bytes;
  std::string note;
  std::string address;  ///< Where the row stands, if its source has several addresses.
  std::optional<RowPlan> plan;
  std::string not_modelled;  ///< Why there is no plan.
  std::string miss_reason;   ///< Why the model misses it, written by hand after investigation.
};

/// A publication: where its figures come from, and the figures.
struct PublishedSource {
  std::string id;      ///< "apc": the lower-case prefix of its rows, with few exceptions.
  std::string prefix;  ///< "APC".
  std::string citation;
  std::string date;
  std::vector<std::string> address;
  std::string hardware;
  std::string method;
  std::string trust;
  std::string file;  ///< What it was read from, for messages.
  std::vector<PublishedRow> rows;
};

/// Reads a source from TOML text; `file` names it in messages and gives the id if there is none.
///
/// The form is that of `lib/data/published/*.toml`. In a user's own file the table `[source]` may
/// be missing and a row may give `scenario` and `set` in place of `predict`; metric, kind,
/// tolerance and role then default to seconds, value, 0.10 and check. A scenario that ends in
/// `.toml` is a path relative to the file.
/// \throws ConfigError that names file, line and key, and what is allowed.
[[nodiscard]] PublishedSource parse_published(std::string_view text, const std::string& file);

/// Reads a source from a file.
/// \throws ConfigError as `parse_published`, and if the file cannot be read.
[[nodiscard]] PublishedSource load_published(const std::filesystem::path& path);

/// The ids of the sources that ship with the library, in alphabetical order.
[[nodiscard]] std::vector<std::string> published_ids();

/// Returns a source that ships with the library.
/// \throws ConfigError that lists the known ids.
[[nodiscard]] PublishedSource published_source(std::string_view id);

/// Returns all of them.
[[nodiscard]] std::vector<PublishedSource> published_sources();

[[nodiscard]] std::string_view to_string(RowKind kind);
[[nodiscard]] std::string_view to_string(RowRole role);
[[nodiscard]] std::string_view to_string(CopyQuantity quantity);

}  // namespace copysim
