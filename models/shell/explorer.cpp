#include <copysim/models/shell/explorer.hpp>

#include <utility>

#include <copysim/models/parameter_check.hpp>
#include <copysim/models/shell/progress_dialog.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim {

Explorer::Explorer(Simulation& sim, Cpu& cpu, Config config)
    : sim_{sim}, cpu_{cpu}, config_{config} {
  check_parameters("shell", config_);
}

// The answers decide nothing: a failure shows again in the engine's own calls.
Task<> Explorer::prepare_file(FileStore& source, FileStore& target, std::string name) {
  co_await cpu_.run(config_.file_cpu, CpuWork::thread);
  for (int i = 0; i < config_.source_queries; ++i) {
    [[maybe_unused]] const IoStatus status = co_await source.query(name);
  }
  for (int i = 0; i < config_.target_queries; ++i) {
    [[maybe_unused]] const IoStatus status = co_await target.query(name);
  }
}

/// The files of one copy, which threads take in order; it outlives them.
struct Explorer::Batch {
  FileStore& source;
  FileStore& target;
  CopyPolicy& policy;
  ProgressDialog& dialog;
  const std::vector<FileStore::Entry>& entries;
  ShellReport& report;
  std::size_t next = 0;
};

Task<> Explorer::copy_files(Batch& batch) {
  ShellReport& report = batch.report;
  while (report.status == IoStatus::ok && batch.next < batch.entries.size()) {
    const FileStore::Entry& entry = batch.entries[batch.next++];
    co_await prepare_file(batch.source, batch.target, entry.name);
    CopyJob job{sim_, batch.source, batch.target, entry.name, entry.size, batch.dialog};
    const CopyReport copied = co_await batch.policy.copy(std::move(job));
    file_copied(entry, copied);
    report.copied += copied.copied;
    report.reads += copied.reads;
    report.writes += copied.writes;
    if (report.status == IoStatus::ok) report.status = copied.status;
    if (copied.status == IoStatus::ok) ++report.files;
  }
}

Task<ShellReport> Explorer::copy(FileStore& source, FileStore& target, CopyPolicy& policy,
                                 std::vector<FileStore::Entry> files) {
  const SimTime clicked = sim_.now();
  ShellReport report;
  std::vector<FileStore::Entry> entries = std::move(files);
  if (entries.size() != 1 || !config_.names_single_file) {
    entries = co_await source.list();
    if (config_.makes_directory) {
      const IoStatus made = co_await target.make_directory();
      report.status = made;
    }
  }
  Bytes total;
  for (const FileStore::Entry& entry : entries) total += entry.size;

  const ProgressDialog::Config look{.estimator = config_.estimator,
                                    .estimator_span = config_.estimator_span,
                                    .first_delay = config_.first_estimate,
                                    .refresh = config_.refresh};
  // The dialog opens with the click; what it cannot know before the sum is how much is left.
  ProgressDialog dialog{sim_, look, clicked, total};
  dialog.estimated.attach([this](Duration since, Duration left) { estimated(since, left); });

  Batch batch{source, target, policy, dialog, entries, report};
  if (policy.files_at_once() == 1) {
    co_await copy_files(batch);
  } else {
    TaskGroup threads{sim_};
    for (int i = 0; i < policy.files_at_once(); ++i) threads.spawn(copy_files(batch));
    co_await threads.join();
  }
  dialog.close();
  report.elapsed = sim_.now() - clicked;
  report.first_estimate = dialog.first_estimate();
  co_return report;
}

}  // namespace copysim
