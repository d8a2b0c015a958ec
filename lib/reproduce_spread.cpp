#include <algorithm>

#include <copysim/error.hpp>
#include <copysim/lib/reproduce_command.hpp>

#include "report_text.hpp"
#include "run_cells.hpp"

namespace copysim {

namespace {

using detail::json_number;
using detail::json_text;

struct ChoicePrediction {
  std::string choice;
  Estimate predicted;
};

struct SpreadRow {
  std::string source;
  PublishedRow row;
  std::string key;
  std::vector<ChoicePrediction> predictions;  ///< The fitted choice first.
};

/// The plan with `value` in place of the fitted choice, in those cells that rest on it.
RowPlan with_choice(RowPlan plan, const FindChoice& find, const std::string& key,
                    const std::string& value) {
  for (auto* cells : {&plan.a, &plan.b}) {
    for (CopyCell& cell : *cells) {
      const auto choice = find(cell);
      if (choice && choice->key == key) cell.settings[key] = value;
    }
  }
  return plan;
}

std::optional<FittedChoice> choice_of(const RowPlan& plan, const FindChoice& find) {
  for (const auto* cells : {&plan.a, &plan.b}) {
    for (const CopyCell& cell : *cells) {
      if (auto choice = find(cell)) return choice;
    }
  }
  return std::nullopt;
}

std::vector<SpreadRow> spread(const ReproduceCommand& command) {
  struct Task {
    std::string source;
    PublishedRow row;
    std::string key;
    std::string value;
  };
  std::vector<Task> tasks;
  std::set<CopyCell> cells;
  for (const PublishedSource& source : command.sources) {
    for (const PublishedRow& row : source.rows) {
      if (!row.plan) continue;
      const auto choice = choice_of(*row.plan, command.find_choice);
      if (!choice) continue;
      std::vector<std::string> values{choice->fitted};
      for (const std::string& other : choice->others) {
        if (other != choice->fitted) values.push_back(other);
      }
      for (const std::string& value : values) {
        PublishedRow changed = row;
        changed.plan = with_choice(*row.plan, command.find_choice, choice->key, value);
        detail::collect(*changed.plan, cells);
        tasks.push_back({source.id, changed, choice->key, value});
      }
    }
  }
  const detail::CellResults results = detail::run_cells(cells, command.run, command.options);
  std::vector<SpreadRow> rows;
  for (const Task& task : tasks) {
    if (rows.empty() || rows.back().row.id != task.row.id) {
      rows.push_back({task.source, task.row, task.key, {}});
    }
    const ReproducedRow reproduced = detail::predict_row(task.source, task.row, results);
    rows.back().predictions.push_back({task.value, *reproduced.predicted});
  }
  return rows;
}

/// How the choices are listed in a line: those that hold are marked.
void write_text(std::ostream& out, const std::vector<SpreadRow>& rows) {
  for (const SpreadRow& row : rows) {
    const auto by_mean = [](const ChoicePrediction& a, const ChoicePrediction& b) {
      return a.predicted.mean < b.predicted.mean;
    };
    const auto [least, most] =
        std::minmax_element(row.predictions.begin(), row.predictions.end(), by_mean);
    out << row.row.id << ' ' << row.row.what << ": " << detail::rounded(least->predicted.mean)
        << " to " << detail::rounded(most->predicted.mean) << ' ' << row.row.unit << " over "
        << row.key << '\n';
    for (const ChoicePrediction& prediction : row.predictions) {
      const Verdict verdict = judge(row.row, prediction.predicted.mean);
      const bool fitted = &prediction == &row.predictions.front();
      out << "    " << detail::padded(prediction.choice, 32)
          << detail::padded(detail::rounded(prediction.predicted.mean) + " +- " +
                                detail::rounded(prediction.predicted.ci95, 2),
                            22)
          << to_string(verdict.outcome) << (fitted ? "  (fitted)" : "") << '\n';
    }
  }
}

void write_json(std::ostream& out, const std::vector<SpreadRow>& rows) {
  const char* separator = "[\n";
  for (const SpreadRow& row : rows) {
    out << separator << R"({"id":)" << json_text(row.row.id) << R"(,"source":)"
        << json_text(row.source) << R"(,"unit":)" << json_text(row.row.unit) << R"(,"key":)"
        << json_text(row.key) << R"(,"fitted":)" << json_text(row.predictions.front().choice)
        << R"(,"predicted":[)";
    const char* comma = "";
    for (const ChoicePrediction& prediction : row.predictions) {
      out << comma << R"({"choice":)" << json_text(prediction.choice) << R"(,"mean":)"
          << json_number(prediction.predicted.mean) << R"(,"ci95":)"
          << json_number(prediction.predicted.ci95) << '}';
      comma = ",";
    }
    out << "]}";
    separator = ",\n";
  }
  out << (rows.empty() ? "[]\n" : "\n]\n");
}

void write_csv(std::ostream& out, const std::vector<SpreadRow>& rows) {
  out << "id,source,unit,key,choice,predicted_mean,predicted_ci95,fitted\n";
  for (const SpreadRow& row : rows) {
    for (const ChoicePrediction& prediction : row.predictions) {
      out << row.row.id << ',' << row.source << ',' << row.row.unit << ',' << row.key << ','
          << detail::csv_text(prediction.choice) << ',' << json_number(prediction.predicted.mean)
          << ',' << json_number(prediction.predicted.ci95) << ','
          << (&prediction == &row.predictions.front() ? "yes" : "no") << '\n';
    }
  }
}

}  // namespace

void write_spread(std::ostream& out, const ReproduceCommand& command) {
  if (!command.find_choice) throw SimulationError{"spread needs to know the fitted choices"};
  const std::vector<SpreadRow> rows = spread(command);
  switch (command.format) {
    case ReportFormat::text:
      write_text(out, rows);
      return;
    case ReportFormat::json:
      write_json(out, rows);
      return;
    case ReportFormat::csv:
      write_csv(out, rows);
      return;
  }
}

}  // namespace copysim
