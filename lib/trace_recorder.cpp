#include "trace_recorder.hpp"

namespace copysim::detail {

namespace {

using Layer = TraceEvent::Layer;

// Where and what the operations of one open file are.
class TracedFile final : public File {
public:
  TracedFile(const Simulation& sim, std::unique_ptr<File> file, std::string where, std::string name,
             TraceRecorder& recorder)
      : sim_{sim},
        file_{std::move(file)},
        where_{std::move(where)},
        name_{std::move(name)},
        recorder_{recorder} {}

  Task<ReadResult> read(Extent extent) override {
    const SimTime begin = sim_.now();
    ReadResult result = co_await file_->read(extent);
    add(begin, "read", {extent.offset, result.content().size()}, result.status());
    co_return result;
  }

  Task<IoStatus> write(Bytes offset, Content content) override {
    const SimTime begin = sim_.now();
    const Extent extent{offset, content.size()};
    const IoStatus status = co_await file_->write(offset, std::move(content));
    add(begin, "write", extent, status);
    co_return status;
  }

  Task<IoStatus> set_size(Bytes size) override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await file_->set_size(size);
    add(begin, "set_size", {size, 0_B}, status);
    co_return status;
  }

  Task<IoStatus> set_times() override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await file_->set_times();
    add(begin, "set_times", {}, status);
    co_return status;
  }

  Task<IoStatus> flush() override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await file_->flush();
    add(begin, "flush", {}, status);
    co_return status;
  }

  Task<IoStatus> close() override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await file_->close();
    add(begin, "close", {}, status);
    co_return status;
  }

  Bytes size() const override { return file_->size(); }

  Task<CopyKey> copy_key() override {
    const SimTime begin = sim_.now();
    const CopyKey key = co_await file_->copy_key();
    add(begin, "copy_key", {}, key.status);
    co_return key;
  }

  Task<IoStatus> copy_range(CopyKey source, Extent extent) override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await file_->copy_range(source, extent);
    add(begin, "copy_range", extent, status);
    co_return status;
  }

private:
  void add(SimTime begin, std::string_view operation, Extent extent, IoStatus status) {
    recorder_.add(sim_, begin,
                  {.layer = Layer::program,
                   .operation = operation,
                   .where = where_,
                   .file = name_,
                   .extent = extent,
                   .status = status});
  }

  const Simulation& sim_;
  std::unique_ptr<File> file_;
  std::string where_;
  std::string name_;
  TraceRecorder& recorder_;
};

class TracedStore final : public FileStore {
public:
  TracedStore(const Simulation& sim, FileStore& store, std::string where, TraceRecorder& recorder)
      : sim_{sim}, store_{store}, where_{std::move(where)}, recorder_{recorder} {}

  Task<OpenResult> open(std::string name, OpenOptions options) override {
    const SimTime begin = sim_.now();
    OpenResult opened = co_await store_.open(name, options);
    add(begin, options.create ? "create" : "open", name, opened.status());
    if (!opened.ok()) co_return OpenResult{opened.status()};
    co_return OpenResult{
        std::make_unique<TracedFile>(sim_, opened.take(), where_, std::move(name), recorder_)};
  }

  Task<IoStatus> query(std::string name) override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await store_.query(name);
    add(begin, "query", name, status);
    co_return status;
  }

  Task<std::vector<Entry>> list() override {
    const SimTime begin = sim_.now();
    std::vector<Entry> entries = co_await store_.list();
    add(begin, "list", {}, IoStatus::ok);
    co_return entries;
  }

  Task<IoStatus> make_directory() override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await store_.make_directory();
    add(begin, "make directory", {}, status);
    co_return status;
  }

  Task<IoStatus> settle() override {
    const IoStatus status = co_await store_.settle();
    co_return status;
  }

  StoreTraits traits() const override { return store_.traits(); }

private:
  void add(SimTime begin, std::string_view operation, std::string file, IoStatus status) {
    recorder_.add(sim_, begin,
                  {.layer = Layer::program,
                   .operation = operation,
                   .where = where_,
                   .file = std::move(file),
                   .status = status});
  }

  const Simulation& sim_;
  FileStore& store_;
  std::string where_;
  TraceRecorder& recorder_;
};

class TracedDevice final : public BlockDevice {
public:
  TracedDevice(const Simulation& sim, std::unique_ptr<BlockDevice> device, std::string where,
               TraceRecorder& recorder)
      : sim_{sim}, device_{std::move(device)}, where_{std::move(where)}, recorder_{recorder} {}

  Task<IoStatus> submit(BlockRequest request) override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await device_->submit(request);
    add(begin, request.access == Access::read ? "read" : "write", request.extent, status);
    co_return status;
  }

  Task<IoStatus> flush() override {
    const SimTime begin = sim_.now();
    const IoStatus status = co_await device_->flush();
    add(begin, "flush", {}, status);
    co_return status;
  }

  Bytes capacity() const override { return device_->capacity(); }
  Bytes max_request() const override { return device_->max_request(); }
  const DeviceCounters& counters() const override { return device_->counters(); }

private:
  void add(SimTime begin, std::string_view operation, Extent extent, IoStatus status) {
    recorder_.add(sim_, begin,
                  {.layer = Layer::device,
                   .operation = operation,
                   .where = where_,
                   .extent = extent,
                   .status = status});
  }

  const Simulation& sim_;
  std::unique_ptr<BlockDevice> device_;
  std::string where_;
  TraceRecorder& recorder_;
};

}  // namespace

void TraceRecorder::add(const Simulation& sim, SimTime begin, TraceEvent event) {
  event.begin = begin - started;
  event.took = sim.now() - begin;
  if (dirty) event.dirty = dirty();
  events_.push_back(std::move(event));
}

std::unique_ptr<FileStore> traced(const Simulation& sim, FileStore& store, std::string where,
                                  TraceRecorder& recorder) {
  return std::make_unique<TracedStore>(sim, store, std::move(where), recorder);
}

std::unique_ptr<BlockDevice> traced(const Simulation& sim, std::unique_ptr<BlockDevice> device,
                                    std::string where, TraceRecorder& recorder) {
  return std::make_unique<TracedDevice>(sim, std::move(device), std::move(where), recorder);
}

}  // namespace copysim::detail
