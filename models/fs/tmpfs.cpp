#include <copysim/models/fs/tmpfs.hpp>

#include <algorithm>
#include <utility>

#include <copysim/error.hpp>

namespace copysim {

class Tmpfs::OpenFile final : public File {
public:
  explicit OpenFile(Node& node) : node_{node} {}

  [[nodiscard]] Task<ReadResult> read(Extent extent) override {
    if (extent.offset >= node_.size) co_return ReadResult{IoStatus::end_of_file};
    extent.length = std::min(extent.length, node_.size - extent.offset);
    co_return ReadResult{IoStatus::ok, node_.content.read(extent)};
  }
  [[nodiscard]] Task<IoStatus> write(Bytes offset, Content content) override {
    // A gap reads as zeros.
    if (offset > node_.size) node_.content.write(node_.size, Content::zeros(offset - node_.size));
    node_.size = std::max(node_.size, offset + content.size());
    node_.content.write(offset, content);
    co_return IoStatus::ok;
  }
  [[nodiscard]] Task<IoStatus> set_size(Bytes size) override {
    if (size > node_.size) node_.content.write(node_.size, Content::zeros(size - node_.size));
    if (size < node_.size) node_.content.erase({size, node_.size - size});
    node_.size = size;
    co_return IoStatus::ok;
  }
  [[nodiscard]] Task<IoStatus> set_times() override { co_return IoStatus::ok; }
  [[nodiscard]] Task<IoStatus> flush() override { co_return IoStatus::ok; }
  [[nodiscard]] Task<IoStatus> close() override { co_return IoStatus::ok; }
  [[nodiscard]] Bytes size() const override { return node_.size; }

private:
  Node& node_;
};

Task<OpenResult> Tmpfs::open(std::string name, OpenOptions options) {
  if (!options.create && !files_.contains(name)) co_return OpenResult{IoStatus::not_found};
  std::unique_ptr<Node>& node = files_[name];
  if (node == nullptr) node = std::make_unique<Node>();
  if (options.create) *node = Node{};
  co_return OpenResult{std::make_unique<OpenFile>(*node)};
}

Task<IoStatus> Tmpfs::query(std::string name) {
  co_return files_.contains(name) ? IoStatus::ok : IoStatus::not_found;
}

Task<std::vector<FileStore::Entry>> Tmpfs::list() {
  co_return entries();
}

Task<IoStatus> Tmpfs::settle() {
  co_return IoStatus::ok;
}

void Tmpfs::add(const std::string& name, Bytes size) {
  if (files_.contains(name)) throw ConfigError{"tmpfs", "file names must differ, got " + name};
  auto node = std::make_unique<Node>();
  node->size = size;
  node->content.write(Bytes{}, Content{Origin{next_id_++, 0, Bytes{}}, size});
  files_.emplace(name, std::move(node));
}

Content Tmpfs::peek(const std::string& name) const {
  const auto it = files_.find(name);
  if (it == files_.end()) throw SimulationError{"tmpfs: no file named " + name};
  return it->second->content.read({Bytes{}, it->second->size});
}

std::vector<FileStore::Entry> Tmpfs::entries() const {
  std::vector<Entry> result;
  for (const auto& [name, node] : files_) result.push_back({name, node->size});
  return result;
}

}  // namespace copysim
