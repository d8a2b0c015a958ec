#pragma once

#include <memory>

#include <copysim/models/cache/file_cache.hpp>
#include <copysim/models/fs/local_store.hpp>

namespace copysim {

/// A handle to a file of a `LocalStore`, with its own read history.
class LocalFile final : public File {
public:
  LocalFile(LocalStore& store, FileNode& node, OpenOptions options);

  [[nodiscard]] Task<ReadResult> read(Extent extent) override;
  [[nodiscard]] Task<IoStatus> write(Bytes offset, Content content) override;
  [[nodiscard]] Task<IoStatus> set_size(Bytes size) override;
  [[nodiscard]] Task<IoStatus> set_times() override;
  [[nodiscard]] Task<IoStatus> flush() override;
  [[nodiscard]] Task<IoStatus> close() override;
  [[nodiscard]] Bytes size() const override { return node_->end; }

private:
  LocalStore* store_;
  FileNode* node_;
  OpenOptions options_;
  std::unique_ptr<CacheReader> reader_;
  bool written_ = false;
  bool entry_current_ = false;  ///< times were set after the last write: closing writes no entry
};

}  // namespace copysim
