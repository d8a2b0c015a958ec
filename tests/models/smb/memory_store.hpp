#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <copysim/models/content.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim::test {

/// A store in memory whose data operations take a fixed time, and that remembers how it was opened.
class MemoryStore final : public FileStore {
public:
  struct Node {
    ContentMap content;
    Bytes size;
  };

  explicit MemoryStore(Simulation& simulation, Duration io_time = Duration::zero())
      : simulation_{simulation}, io_time_{io_time} {}

  Node& add(const std::string& name, const Content& content) {
    Node& node = nodes_[name];
    node.content.write(0_B, content);
    node.size = content.size();
    return node;
  }
  [[nodiscard]] Node& node(const std::string& name) { return nodes_.at(name); }
  [[nodiscard]] const std::vector<OpenOptions>& opened() const { return opened_; }

  [[nodiscard]] Task<OpenResult> open(std::string name, OpenOptions options) override {
    opened_.push_back(options);
    if (!options.create && !nodes_.contains(name)) co_return OpenResult{IoStatus::not_found};
    if (options.create) nodes_[name] = Node{};
    co_return OpenResult{std::make_unique<MemoryFile>(simulation_, nodes_[name], io_time_)};
  }
  [[nodiscard]] Task<IoStatus> query(std::string name) override {
    co_return nodes_.contains(name) ? IoStatus::ok : IoStatus::not_found;
  }
  [[nodiscard]] Task<std::vector<Entry>> list() override {
    std::vector<Entry> entries;
    for (const auto& [name, node] : nodes_) entries.push_back({name, node.size});
    co_return entries;
  }
  [[nodiscard]] Task<IoStatus> settle() override {
    co_await simulation_.delay(1s);
    co_return IoStatus::ok;
  }
  [[nodiscard]] StoreTraits traits() const override { return {}; }

private:
  class MemoryFile final : public File {
  public:
    MemoryFile(Simulation& simulation, Node& node, Duration io_time)
        : simulation_{simulation}, node_{node}, io_time_{io_time} {}

    [[nodiscard]] Task<ReadResult> read(Extent extent) override {
      if (io_time_ > Duration::zero()) {
        co_await simulation_.delay(io_time_);
      }
      if (extent.offset >= node_.size) co_return ReadResult{IoStatus::end_of_file};
      extent.length = std::min(extent.length, node_.size - extent.offset);
      co_return ReadResult{IoStatus::ok, node_.content.read(extent)};
    }
    [[nodiscard]] Task<IoStatus> write(Bytes offset, Content content) override {
      if (io_time_ > Duration::zero()) {
        co_await simulation_.delay(io_time_);
      }
      node_.size = std::max(node_.size, offset + content.size());
      node_.content.write(offset, content);
      co_return IoStatus::ok;
    }
    [[nodiscard]] Task<IoStatus> set_size(Bytes size) override {
      node_.size = size;
      co_return IoStatus::ok;
    }
    [[nodiscard]] Task<IoStatus> set_times() override { co_return IoStatus::ok; }
    [[nodiscard]] Task<IoStatus> flush() override { co_return IoStatus::ok; }
    [[nodiscard]] Task<IoStatus> close() override { co_return IoStatus::ok; }
    [[nodiscard]] Bytes size() const override { return node_.size; }

  private:
    Simulation& simulation_;
    Node& node_;
    Duration io_time_;
  };

  Simulation& simulation_;
  Duration io_time_;
  std::map<std::string, Node> nodes_;
  std::vector<OpenOptions> opened_;
};

}  // namespace copysim::test
