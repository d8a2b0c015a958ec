#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <copysim/models/fs/file_store.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim::testing {

/// A store without machine: each call takes a time that a test can add up in the head, and is
/// logged. Data calls are served by `width` servers in FIFO order; with `jitter` each takes a
/// random extra time, so that calls outstanding side by side end in any order.
class FakeStore final : public FileStore {
public:
  struct Config {
    StoreTraits::Protocol protocol = StoreTraits::Protocol::local;
    Bytes most_read{};  ///< of one request; 0: no limit
    Bytes most_written{};
    Duration call{};    ///< time of one metadata call
    Bandwidth rate{};   ///< of data calls; 0: no time
    Duration jitter{};  ///< largest random extra time of a data call
    int width = 1 << 20;
    const void* holder = nullptr;   ///< as in `StoreTraits`
    Bytes most_copied{};            ///< as in `StoreTraits`
    bool copies_on_server = false;  ///< as in `StoreTraits`
    std::int64_t failing_call = 0;  ///< the number of the call that fails, from 1; 0: none
    IoStatus failure = IoStatus::device_error;
  };

  struct Stored {
    ContentMap content;
    Bytes size;
    bool times_set = false;
  };

  FakeStore(Simulation& sim, Config config, std::string name = "fake")
      : sim_{sim}, config_{config}, servers_{sim, config.width}, random_{sim.random(name)} {}

  /// Puts a file of `size` bytes there, each byte with its own identity.
  void add(const std::string& name, Bytes size, std::uint32_t id = Origin::first_file) {
    Stored& file = files[name];
    file.size = size;
    if (size > 0_B) file.content.write(0_B, {Origin{id, 1, 0_B}, size});
    order.push_back(name);
  }

  Task<OpenResult> open(std::string name, OpenOptions options) override {
    const IoStatus status = co_await call("open " + name);
    opened = options;
    if (status != IoStatus::ok) co_return OpenResult{status};
    if (!options.create && files.find(name) == files.end())
      co_return OpenResult{IoStatus::not_found};
    if (options.create) {
      files[name] = Stored{};
      order.push_back(name);
    }
    ++open_files;
    std::unique_ptr<File> file = std::make_unique<FakeFile>(*this, name);
    co_return OpenResult{std::move(file)};
  }
  Task<IoStatus> query(std::string name) override {
    const IoStatus status = co_await call("query " + name);
    if (status != IoStatus::ok) co_return status;
    co_return files.find(name) == files.end() ? IoStatus::not_found : IoStatus::ok;
  }
  Task<std::vector<Entry>> list() override {
    const IoStatus status = co_await call("list");
    static_cast<void>(status);
    std::vector<Entry> entries;
    for (const std::string& name : order) entries.push_back({name, files.at(name).size});
    co_return entries;
  }
  Task<IoStatus> settle() override {
    const IoStatus status = co_await call("settle");
    co_return status;
  }
  StoreTraits traits() const override {
    return {.protocol = config_.protocol,
            .most_read = config_.most_read,
            .most_written = config_.most_written,
            .holder = config_.holder,
            .most_copied = config_.most_copied,
            .copies_on_server = config_.copies_on_server};
  }

  std::map<std::string, Stored> files;
  std::vector<std::string> order;
  std::vector<std::string> log;
  OpenOptions opened;  ///< of the last open
  int open_files = 0;
  int reading = 0;
  int writing = 0;
  int most_reading = 0;
  int most_writing = 0;
  std::int64_t calls = 0;

private:
  class FakeFile final : public File {
  public:
    FakeFile(FakeStore& store, std::string name) : store_{store}, name_{std::move(name)} {}

    Task<ReadResult> read(Extent extent) override {
      store_.most_reading = std::max(store_.most_reading, ++store_.reading);
      const IoStatus status = co_await store_.move("read", extent);
      --store_.reading;
      if (status != IoStatus::ok) co_return ReadResult{status};
      const Stored& file = store_.files.at(name_);
      if (extent.offset >= file.size) co_return ReadResult{IoStatus::end_of_file};
      const Bytes length = std::min(extent.length, file.size - extent.offset);
      co_return ReadResult{IoStatus::ok, file.content.read({extent.offset, length})};
    }
    Task<IoStatus> write(Bytes offset, Content content) override {
      store_.most_writing = std::max(store_.most_writing, ++store_.writing);
      const IoStatus status = co_await store_.move("write", {offset, content.size()});
      --store_.writing;
      if (status != IoStatus::ok) co_return status;
      Stored& file = store_.files.at(name_);
      file.size = std::max(file.size, offset + content.size());
      file.content.write(offset, content);
      co_return IoStatus::ok;
    }
    Task<IoStatus> set_size(Bytes size) override {
      const IoStatus status = co_await store_.call("set_size");
      if (status == IoStatus::ok) store_.files.at(name_).size = size;
      co_return status;
    }
    Task<IoStatus> set_times() override {
      const IoStatus status = co_await store_.call("set_times");
      if (status == IoStatus::ok) store_.files.at(name_).times_set = true;
      co_return status;
    }
    Task<IoStatus> flush() override {
      const IoStatus status = co_await store_.call("flush");
      co_return status;
    }
    Task<IoStatus> close() override {
      const IoStatus status = co_await store_.call("close");
      --store_.open_files;
      co_return status;
    }
    Bytes size() const override { return store_.files.at(name_).size; }
    // The key is the address of the file that is copied from.
    Task<CopyKey> copy_key() override {
      const IoStatus status = co_await store_.call("copy_key");
      co_return CopyKey{status, std::bit_cast<std::uint64_t>(&store_.files.at(name_))};
    }
    Task<IoStatus> copy_range(CopyKey source, Extent extent) override {
      const IoStatus status = co_await store_.move("copy_range", extent);
      if (status != IoStatus::ok) co_return status;
      const Stored& from = *std::bit_cast<const Stored*>(source.value);
      Stored& file = store_.files.at(name_);
      file.size = std::max(file.size, extent.end());
      file.content.write(extent.offset, from.content.read(extent));
      co_return IoStatus::ok;
    }

  private:
    FakeStore& store_;
    std::string name_;
  };

  IoStatus count() { return ++calls == config_.failing_call ? config_.failure : IoStatus::ok; }
  Task<IoStatus> call(std::string text) {
    log.push_back(std::move(text));
    const IoStatus status = count();
    co_await sim_.delay(config_.call);
    co_return status;
  }
  Task<IoStatus> move(std::string verb, Extent extent) {
    log.push_back(verb + " " + std::to_string(extent.offset.count()) + "+" +
                  std::to_string(extent.length.count()));
    const IoStatus status = count();
    co_await servers_.acquire(1);
    Duration time{};
    if (config_.rate > Bandwidth{}) time += extent.length / config_.rate;
    if (config_.jitter > Duration{}) time += random_.uniform(Duration{}, config_.jitter);
    co_await sim_.delay(time);
    servers_.release(1);
    co_return status;
  }

  Simulation& sim_;
  Config config_;
  Semaphore servers_;
  RandomStream random_;
};

/// Does not listen to the progress but counts it.
class CountingProgress final : public CopyProgress {
public:
  void advanced(Bytes piece) override { total += piece; }
  Bytes total;
};

}  // namespace copysim::testing
