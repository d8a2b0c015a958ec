#pragma once

#include <string>
#include <vector>

#include <copysim/models/content.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// A store on a machine of its own, which can be filled before a run and looked into after it.
///
/// Contract: `add`, `peek` and `entries` cost no simulated time; programs use `FileStore`.
class Directory : public FileStore {
public:
  /// Puts a file there before the run; its content is its own identity, version 0.
  /// \throws ConfigError if there is no room or the name is taken.
  virtual void add(const std::string& name, Bytes size) = 0;
  /// Content on the medium, for proofs. \throws SimulationError if there is no such file.
  [[nodiscard]] virtual Content peek(const std::string& name) const = 0;
  /// Names and sizes of the files, in order.
  [[nodiscard]] virtual std::vector<Entry> entries() const = 0;
};

}  // namespace copysim
