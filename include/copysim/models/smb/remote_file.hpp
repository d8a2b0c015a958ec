#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <copysim/models/fs/file.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/smb/client_oplock.hpp>
#include <copysim/models/smb/smb_client.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim {

/// A file on a share, open on this machine.
///
/// A read or write of a program is cut into requests of the size that the dialect allows; they go
/// one at a time or side by side, as the redirector does. Several reads and writes of a program are
/// side by side in any case, within MaxMpx or the credits.
///
/// Files that are opened cached with local buffering are cached as far as their oplock or lease
/// allows: with level II they may be read ahead (`read_ahead` bytes beyond a sequential reader),
/// with an exclusive one written behind too (`write_behind` bytes between the program and the
/// wire). What is behind is on its way at once; a break, a flush and a close wait for it. After a
/// break to level II each write waits for the server's answer, after one to none each read too, and
/// what was read ahead is forgotten. Left out: keeping what was read, since a copy reads each byte
/// once.
class RemoteFile final : public File {
public:
  RemoteFile(SmbClient& client, std::unique_ptr<File> opened, OpenOptions options,
             std::shared_ptr<ClientOplock> oplock);
  RemoteFile(const RemoteFile&) = delete;
  RemoteFile& operator=(const RemoteFile&) = delete;
  ~RemoteFile() override;

  [[nodiscard]] Task<ReadResult> read(Extent extent) override;
  [[nodiscard]] Task<IoStatus> write(Bytes offset, Content content) override;
  [[nodiscard]] Task<IoStatus> set_size(Bytes size) override;
  [[nodiscard]] Task<IoStatus> set_times() override;
  [[nodiscard]] Task<IoStatus> flush() override;
  /// Waits for what was written behind and reports its failure, if any.
  [[nodiscard]] Task<IoStatus> close() override;
  [[nodiscard]] Bytes size() const override { return size_; }
  [[nodiscard]] Task<CopyKey> copy_key() override;
  /// One request after another, each for as much as the server takes.
  [[nodiscard]] Task<IoStatus> copy_range(CopyKey source, Extent extent) override;

  /// The oplock is broken: ends when what was written behind before is at the server.
  [[nodiscard]] Task<> write_back();
  /// No oplock is left: what was read ahead may be old.
  void forget() { ahead_.clear(); }

private:
  // A piece that is read ahead.
  struct Prefetch {
    Prefetch(Simulation& simulation, Extent range) : extent{range}, done{simulation} {}
    Extent extent;
    Event done;
    std::optional<ReadResult> result;
  };

  // Whether the program and the server let it cache what `least` allows.
  [[nodiscard]] bool may_cache(Oplock least) const {
    return options_.cached && options_.local_buffering && oplock_->level() >= least;
  }
  // Whether the data of a request may travel compressed: a program, the client or the share asks.
  [[nodiscard]] bool compresses() const;
  [[nodiscard]] Task<ReadResult> read_piece(Extent piece);
  [[nodiscard]] Task<ReadResult> read_through(Extent extent);
  [[nodiscard]] Task<ReadResult> read_side_by_side(Extent extent);
  [[nodiscard]] Task<ReadResult> read_buffered(Extent extent);
  [[nodiscard]] Task<> fetch(Extent piece, std::optional<ReadResult>& result);
  [[nodiscard]] Task<> prefetch(std::shared_ptr<Prefetch> piece);
  void read_ahead_of(Bytes position);
  [[nodiscard]] std::shared_ptr<Prefetch> find_prefetch(Bytes position);

  [[nodiscard]] Task<IoStatus> write_piece(Bytes offset, Content content);
  [[nodiscard]] Task<IoStatus> write_through(Bytes offset, Content content);
  [[nodiscard]] Task<> store(Bytes offset, Content content, IoStatus& status);
  [[nodiscard]] Task<> write_behind(Bytes offset, Content content, Bytes held);

  SmbClient& client_;
  SmbConnection& connection_;
  std::unique_ptr<File> opened_;  // on the server
  OpenOptions options_;
  std::shared_ptr<ClientOplock> oplock_;
  Bytes size_;

  std::deque<std::shared_ptr<Prefetch>> ahead_;
  Bytes next_ahead_;  // where the next piece to be read ahead starts
  Bytes expected_;    // where a sequential reader goes on
  Semaphore behind_;  // bytes of room for writing behind
  IoStatus behind_status_ = IoStatus::ok;
  CompressionSample sample_;
  TaskGroup background_;
};

}  // namespace copysim
