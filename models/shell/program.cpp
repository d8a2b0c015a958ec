#include <copysim/models/shell/program.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <copysim/models/parameter_check.hpp>

namespace copysim {

/// The files that a program writes, one after the other.
class Program::Output {
public:
  Output(FileStore& store, Bytes file_size) : store_{&store}, file_size_{file_size} {}

  [[nodiscard]] Task<IoStatus> write(Bytes length);
  [[nodiscard]] Task<IoStatus> close();

private:
  [[nodiscard]] Task<IoStatus> open_next();

  FileStore* store_;
  Bytes file_size_;
  std::unique_ptr<File> file_;
  Bytes at_;
  std::uint32_t made_ = 0;
};

Task<IoStatus> Program::Output::open_next() {
  ++made_;
  const std::string number = std::to_string(made_);
  const std::string name =
      "output-" + std::string(8 - std::min<std::size_t>(number.size(), 8), '0') + number;
  OpenOptions options;
  options.create = true;
  OpenResult opened = co_await store_->open(name, options);
  if (!opened.ok()) co_return opened.status();
  file_ = opened.take();
  at_ = 0_B;
  co_return IoStatus::ok;
}

Task<IoStatus> Program::Output::write(Bytes length) {
  while (length > 0_B) {
    if (file_ == nullptr) {
      const IoStatus opened = co_await open_next();
      if (opened != IoStatus::ok) co_return opened;
    }
    const Bytes piece = std::min(length, file_size_ - at_);
    // What a program makes is nobody's copy: zeros stand for it.
    const IoStatus status = co_await file_->write(at_, Content::zeros(piece));
    if (status != IoStatus::ok) co_return status;
    at_ += piece;
    length -= piece;
    if (at_ == file_size_) {
      const IoStatus closed = co_await close();
      if (closed != IoStatus::ok) co_return closed;
    }
  }
  co_return IoStatus::ok;
}

Task<IoStatus> Program::Output::close() {
  if (file_ == nullptr) co_return IoStatus::ok;
  const std::unique_ptr<File> file = std::move(file_);
  const IoStatus status = co_await file->close();
  co_return status;
}

Program::Program(Simulation& sim, ProcessStarter& processes, Config config)
    : sim_{sim}, processes_{processes}, config_{std::move(config)} {
  check_parameters("program", config_);
}

Task<> Program::compute(Duration work) {
  if (config_.processes_per_file == 0) {
    co_await process_->run(work);
    co_return;
  }
  const std::unique_ptr<CpuProcess> driver = process_->fork("driver");
  const int stages = config_.processes_per_file;
  for (int stage = 0; stage < stages; ++stage) {
    const std::unique_ptr<CpuProcess> child = driver->fork("stage");
    const Duration part = work * (stage + 1) / stages - work * stage / stages;
    co_await child->run(part);
  }
}

Task<> Program::process_chunk(Bytes length, Output& output, ProgramReport& report) {
  const double share = static_cast<double>(length.count()) / static_cast<double>(total_.count());
  co_await compute(from_seconds(seconds(config_.cpu) * share));
  owed_ += static_cast<double>(length.count()) * config_.output;
  const Bytes out{static_cast<std::int64_t>(owed_)};
  owed_ -= static_cast<double>(out.count());
  const IoStatus status = co_await output.write(out);
  report.status = status;
  report.written += out;
  if (config_.every > 0ns) {
    next_period_ = std::max(next_period_ + config_.every, sim_.now());
    co_await sim_.delay(next_period_ - sim_.now());
  }
}

Task<> Program::process_file(FileStore& input, FileStore::Entry entry, Output& output,
                             ProgramReport& report) {
  OpenResult opened = co_await input.open(entry.name, {});
  if (!opened.ok()) {
    report.status = opened.status();
    co_return;
  }
  const std::unique_ptr<File> file = opened.take();
  for (Bytes at; at < entry.size && report.status == IoStatus::ok;) {
    const Bytes length = std::min(config_.chunk, entry.size - at);
    const ReadResult result = co_await file->read({at, length});
    if (!result.ok()) {
      report.status = result.status();
      break;
    }
    at += length;
    report.read += length;
    co_await process_chunk(length, output, report);
  }
  const IoStatus closed = co_await file->close();
  if (report.status == IoStatus::ok) report.status = closed;
  ++report.files;
}

Task<ProgramReport> Program::run(FileStore& input, FileStore& output) {
  const SimTime started = sim_.now();
  ProgramReport report;
  process_ = processes_.start("program");
  if (config_.input.empty()) {
    co_await process_->run(config_.cpu);
    report.elapsed = sim_.now() - started;
    co_return report;
  }
  const std::vector<FileStore::Entry> entries = co_await input.list();
  total_ = 0_B;
  for (const FileStore::Entry& entry : entries) total_ += entry.size;
  owed_ = 0;
  next_period_ = sim_.now();
  const auto made = static_cast<double>(total_.count()) * config_.output;
  const Bytes file_size{std::max<std::int64_t>(
      std::llround(std::ceil(made / static_cast<double>(config_.outputs))), 1)};
  Output out{output, file_size};
  for (const FileStore::Entry& entry : entries) {
    co_await process_file(input, entry, out, report);
    if (report.status != IoStatus::ok) break;
  }
  const IoStatus closed = co_await out.close();
  if (report.status == IoStatus::ok) report.status = closed;
  report.elapsed = sim_.now() - started;
  co_return report;
}

}  // namespace copysim
