#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/reproduce.hpp>

namespace copysim {

/// The prediction and verdict of a row at the time of recording.
struct RecordedRow {
  std::string source;
  Outcome verdict = Outcome::not_modelled;
  double error = 0;
  std::optional<Estimate> predicted;
};

/// What the model reproduced when somebody last looked and agreed: shipped beside the published
/// data, so that a change that makes the model worse is noticed.
class Recorded {
public:
  Recorded() = default;

  /// Reads the text that `to_toml` writes; `file` names it in messages.
  /// \throws ConfigError that names file, line and key.
  [[nodiscard]] static Recorded parse(std::string_view text, const std::string& file);
  /// Returns what ships with the library; empty if nothing was recorded yet.
  [[nodiscard]] static Recorded shipped();
  [[nodiscard]] std::string to_toml() const;

  /// Replaces what is recorded of the sources of `reproduction`. Input rows are not recorded.
  void record(const Reproduction& reproduction);

  /// Returns a sentence for each row of `reproduction` that is worse than recorded: its verdict
  /// fell (holds, misses, not-modelled, in this order), or it misses with an error that grew by
  /// more than one percentage point. A row that was never recorded is not worse.
  [[nodiscard]] std::vector<std::string> worsened(const Reproduction& reproduction) const;

  [[nodiscard]] const std::map<std::string, RecordedRow>& rows() const { return rows_; }

private:
  std::map<std::string, RecordedRow> rows_;  ///< By row id.
};

}  // namespace copysim
