#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <copysim/models/content.hpp>
#include <copysim/models/fs/directory.hpp>

namespace copysim {

/// Files in memory, as Linux's tmpfs keeps them: no disk, and no time of its own.
///
/// What a program pays for moving the bytes is a cost of the program (`SmbMessageCost` for an SMB
/// client or server). A write is durable at once. Left out: the size limit, and the allocation of
/// pages.
class Tmpfs final : public Directory {
public:
  /// `first_id`: the identity of its first file; stores of one simulation must not overlap.
  explicit Tmpfs(std::uint32_t first_id) : next_id_{first_id} {}

  [[nodiscard]] Task<OpenResult> open(std::string name, OpenOptions options) override;
  [[nodiscard]] Task<IoStatus> query(std::string name) override;
  [[nodiscard]] Task<std::vector<Entry>> list() override;
  [[nodiscard]] Task<IoStatus> settle() override;
  [[nodiscard]] StoreTraits traits() const override { return {}; }

  void add(const std::string& name, Bytes size) override;
  [[nodiscard]] Content peek(const std::string& name) const override;
  [[nodiscard]] std::vector<Entry> entries() const override;

private:
  struct Node {
    ContentMap content;
    Bytes size;
  };
  class OpenFile;

  std::uint32_t next_id_;
  std::map<std::string, std::unique_ptr<Node>> files_;
};

}  // namespace copysim
