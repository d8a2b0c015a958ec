#pragma once

#include <ostream>

#include <copysim/lib/report_format.hpp>
#include <copysim/lib/run_summary.hpp>
#include <copysim/lib/sweep.hpp>

namespace copysim {

/// Prints what a run gave.
///
/// JSON: `{scenario, policy, seed, replications, settings, elapsed_s: {mean, ci95}, durable_s,
/// first_estimate_s, throughput_bytes_per_s, counters: {...}}`; `first_estimate_s` is null if none
/// was shown; `settings` has for each key `{value, from}` and, of a sheet, `mark` and `source`. A
/// copy that failed has `failure` as last member. CSV: one line with a column per mean, per
/// interval and per counter. Numbers are in the shortest form that reads back as the same double.
void write_run(std::ostream& out, const RunSummary& summary, ReportFormat format);

/// Prints a sweep: JSON a list of `{vary: {key: value}, ...}` with the members of a run but its
/// settings; CSV a line per point that starts with the values.
void write_sweep(std::ostream& out, const Sweep& sweep, ReportFormat format);

}  // namespace copysim
