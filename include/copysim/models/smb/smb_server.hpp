#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/smb/oplock_table.hpp>
#include <copysim/models/smb/smb_counters.hpp>
#include <copysim/models/smb/smb_message_cost.hpp>
#include <copysim/models/smb/smb_server_config.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// The SMB server of a machine: worker threads that carry out requests on its own file store.
///
/// A request waits for a free worker, costs processor time, and then takes what the store takes;
/// the worker is busy until then. Requests of one client may overtake each other here. Clients
/// call it when their request has arrived; messages on the wire are `SmbConnection`'s. Files are
/// opened for a remote client, and `non_cached_open` says what a non-cached open becomes.
///
/// A server may share several directories: where a call takes one, none means its first. It copies
/// from one open file to another by itself, chunk by chunk: each is read, then written, through the
/// server's own cache, by one worker (MS-SMB2 3.3.5.15.6).
class SmbServer {
public:
  /// Store and processor outlive the server.
  SmbServer(Simulation& simulation, std::string_view name, Cpu& cpu, FileStore& store,
            SmbServerConfig config, SmbMessageCost cost = {});

  /// A request that is answered from memory.
  [[nodiscard]] Task<> answer();
  [[nodiscard]] Task<IoStatus> query(std::string name, FileStore* directory = nullptr);
  [[nodiscard]] Task<std::vector<FileStore::Entry>> list(FileStore* directory = nullptr);
  /// `client` is told what it may cache, and when that ends; none asks for nothing. An open that
  /// has to wait for another client's oplock keeps no worker meanwhile.
  [[nodiscard]] Task<OpenResult> open(std::string name, OpenOptions options,
                                      FileStore* directory = nullptr,
                                      std::shared_ptr<OplockHolder> client = nullptr);
  [[nodiscard]] Task<ReadResult> read(File& file, Extent extent, SmbData data = {});
  [[nodiscard]] Task<IoStatus> write(File& file, Bytes offset, Content content, SmbVersion version,
                                     SmbData data = {});
  [[nodiscard]] Task<IoStatus> set_size(File& file, Bytes size);
  [[nodiscard]] Task<IoStatus> set_times(File& file);
  [[nodiscard]] Task<IoStatus> flush(File& file);
  [[nodiscard]] Task<IoStatus> close(File& file);
  /// A key for an open file, good until it is closed.
  [[nodiscard]] Task<CopyKey> resume_key(File& file);
  /// Copies `extent` of the file with this key to the same place in `target`.
  [[nodiscard]] Task<IoStatus> copy(CopyKey source, File& target, Extent extent);
  /// Ends when all that was written is on the server's medium. Not a request.
  [[nodiscard]] Task<IoStatus> settle(FileStore* directory = nullptr);

  [[nodiscard]] const SmbServerConfig& config() const { return config_; }
  [[nodiscard]] const SmbServerCounters& counters() const { return counters_; }
  [[nodiscard]] const OplockTable& oplocks() const { return oplocks_; }

private:
  /// Counts a request and returns the worker that it waits for.
  [[nodiscard]] Semaphore::Scoped worker();
  [[nodiscard]] Duration work(Bytes size, SmbData data = {}) const;
  [[nodiscard]] FileStore& in(FileStore* directory) const {
    return directory != nullptr ? *directory : store_;
  }

  Cpu& cpu_;
  FileStore& store_;
  SmbServerConfig config_;
  SmbMessageCost cost_;
  Semaphore workers_;
  OplockTable oplocks_;
  SmbServerCounters counters_;
  std::map<std::uint64_t, File*> keyed_;  // open files that may be copied from
  std::uint64_t last_key_ = 0;
};

}  // namespace copysim
