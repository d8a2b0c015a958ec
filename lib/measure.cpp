#include <copysim/lib/measure.hpp>

#include <utility>

namespace copysim {

namespace {

// All referenced objects outlive the run.
Task<RunResult> copy_and_settle(Simulation& sim, FileStore& source, FileStore& target,
                                CopyPolicy& policy, Explorer& shell, MeasuredPaths* paths,
                                std::vector<FileStore::Entry> files) {
  const SimTime clicked = sim.now();
  const ShellReport report = co_await shell.copy(source, target, policy, std::move(files));

  RunResult result;
  if (paths != nullptr) paths->elapsed = sim.path();
  result.elapsed = report.elapsed;
  result.first_estimate = report.first_estimate;
  result.copied = report.copied;
  result.files = report.files;
  result.status = report.status;
  const IoStatus settled = co_await target.settle();
  if (result.status == IoStatus::ok) result.status = settled;
  result.durable = sim.now() - clicked;
  if (paths != nullptr) paths->durable = sim.path();
  co_return result;
}

// As above.
Task<RunResult> run_and_settle(Simulation& sim, Program& program, FileStore& input,
                               FileStore& output, MeasuredPaths* paths) {
  const SimTime started = sim.now();
  const ProgramReport report = co_await program.run(input, output);

  RunResult result;
  if (paths != nullptr) paths->elapsed = sim.path();
  result.elapsed = report.elapsed;
  result.copied = report.read + report.written;
  result.files = report.files;
  result.status = report.status;
  const IoStatus settled = co_await output.settle();
  if (result.status == IoStatus::ok) result.status = settled;
  result.durable = sim.now() - started;
  if (paths != nullptr) paths->durable = sim.path();
  co_return result;
}

}  // namespace

RunResult measure(Simulation& sim, Program& program, FileStore& input, FileStore& output,
                  MeasuredPaths* paths) {
  return sim.run(run_and_settle(sim, program, input, output, paths));
}

RunResult measure(Simulation& sim, FileStore& source, FileStore& target, CopyPolicy& policy,
                  Explorer& shell, MeasuredPaths* paths, std::vector<FileStore::Entry> files) {
  return sim.run(copy_and_settle(sim, source, target, policy, shell, paths, std::move(files)));
}

}  // namespace copysim
