#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <copysim/lib/report_format.hpp>
#include <copysim/lib/run_options.hpp>

namespace copysim::cli {

struct ReproduceArguments {
  std::vector<std::string> sources;  ///< ids of published sources, or paths of files; empty: all
  bool check = false;
  bool record = false;
  bool spread = false;
  ReportFormat format = ReportFormat::text;
  RunOptions options{};
};

/// Runs `copysim reproduce` and returns its exit status.
[[nodiscard]] int reproduce(const ReproduceArguments& arguments, std::ostream& out,
                            std::ostream& err);

struct CalibrateArguments {
  std::string sheet;  ///< "machines/xp-peer", or the id alone where only one sheet has it
  ReportFormat format = ReportFormat::text;
  RunOptions options{};
};

/// Runs `copysim calibrate` and returns its exit status.
[[nodiscard]] int calibrate(const CalibrateArguments& arguments, std::ostream& out);

}  // namespace copysim::cli
