#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <copysim/models/fs/file.hpp>
#include <copysim/models/io_result.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How a program opens a file; the words are those of CreateFile.
struct OpenOptions {
  bool create = false;         ///< make a new file (or empty an old one); else it must exist
  bool cached = true;          ///< false: FILE_FLAG_NO_BUFFERING
  bool sequential = false;     ///< FILE_FLAG_SEQUENTIAL_SCAN: doubles read-ahead
  bool write_through = false;  ///< FILE_FLAG_WRITE_THROUGH
  /// false: a remote file is not cached on this machine (IOCTL_LMR_DISABLE_LOCAL_BUFFERING); a
  /// local file system ignores it.
  bool local_buffering = true;
  /// COPY_FILE_REQUEST_COMPRESSED_TRAFFIC: data of a remote file may travel compressed, if both
  /// ends know how.
  bool compressed = false;
  /// Serves a remote client: exempt from write throttling on the first try (ReactOS CcCanIWrite).
  bool for_remote_client = false;
};

/// What a copy engine may know about a store: whether and how it is remote, and what holds it.
struct StoreTraits {
  enum class Protocol : std::uint8_t { local, smb1, smb2 };
  Protocol protocol = Protocol::local;
  /// The most bytes that one request of a remote store reads, and writes; zero: no limit.
  Bytes most_read{};
  Bytes most_written{};
  /// What holds the files, to be compared with that of another store and for nothing else: the
  /// device of a local store (a program asks for its number), the share of a remote one. None:
  /// unknown, or memory.
  const void* holder = nullptr;
  /// The most that the server of a remote store copies by itself on one request, between two files
  /// of one share (`File::copy_range`); zero: it does not.
  Bytes most_copied{};
  /// Whether CopyFileEx of the client's system asks for that.
  bool copies_on_server = false;
  [[nodiscard]] bool remote() const { return protocol != Protocol::local; }
  /// Whether both are known to lie on one device or one share.
  [[nodiscard]] bool beside(const StoreTraits& other) const {
    return holder != nullptr && holder == other.holder;
  }
};

/// The outcome of an open: a file, or the reason why not.
class [[nodiscard]] OpenResult {
public:
  explicit OpenResult(std::unique_ptr<File> file) : file_{std::move(file)} {}
  explicit OpenResult(IoStatus failure) : status_{failure} {}

  [[nodiscard]] bool ok() const { return status_ == IoStatus::ok; }
  [[nodiscard]] IoStatus status() const { return status_; }
  [[nodiscard]] File& file() const { return *file_; }
  [[nodiscard]] std::unique_ptr<File> take() { return std::move(file_); }

private:
  IoStatus status_ = IoStatus::ok;
  std::unique_ptr<File> file_;
};

/// A directory of files on a volume or a share: where a copy comes from or goes to.
///
/// Contract: every call costs simulated time on the machine of the caller, and for a remote store
/// on the wire and the server. The store outlives the files that it opened.
class FileStore {
public:
  struct Entry {
    std::string name;
    Bytes size;
  };

  virtual ~FileStore() = default;
  [[nodiscard]] virtual Task<OpenResult> open(std::string name, OpenOptions options) = 0;
  /// Asks for a file's existence and attributes, as Explorer does before each file.
  [[nodiscard]] virtual Task<IoStatus> query(std::string name) = 0;
  /// Lists the directory (FindFirstFile ... FindNextFile).
  [[nodiscard]] virtual Task<std::vector<Entry>> list() = 0;
  /// Makes the directory that this store stands for, as a program does before it fills a new one.
  /// Costs nothing unless a store says otherwise.
  [[nodiscard]] virtual Task<IoStatus> make_directory() { co_return IoStatus::ok; }
  /// Ends when everything written so far is on the medium (of the server, if remote): the
  /// "durable" instant of a result, not something that a copy engine calls.
  [[nodiscard]] virtual Task<IoStatus> settle() = 0;
  [[nodiscard]] virtual StoreTraits traits() const = 0;
};

}  // namespace copysim
