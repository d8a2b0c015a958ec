#include <copysim/lib/measure.hpp>

namespace copysim {

namespace {

// All referenced objects outlive the run.
Task<RunResult> copy_and_settle(Simulation& sim, FileStore& source, FileStore& target,
                                CopyPolicy& policy, Explorer& shell) {
  const SimTime clicked = sim.now();
  const ShellReport report = co_await shell.copy(source, target, policy);

  RunResult result;
  result.elapsed = report.elapsed;
  result.first_estimate = report.first_estimate;
  result.copied = report.copied;
  result.files = report.files;
  result.status = report.status;
  const IoStatus settled = co_await target.settle();
  if (result.status == IoStatus::ok) result.status = settled;
  result.durable = sim.now() - clicked;
  co_return result;
}

}  // namespace

RunResult measure(Simulation& sim, FileStore& source, FileStore& target, CopyPolicy& policy,
                  Explorer& shell) {
  return sim.run(copy_and_settle(sim, source, target, policy, shell));
}

}  // namespace copysim
