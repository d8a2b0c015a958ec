#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <copysim/models/fs/file.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/smb/oplock.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// Which client may cache what of the files that are open on a server.
///
/// The only client that has a file open gets an exclusive oplock, several get level II. Before
/// another client's open goes on, an exclusive oplock is broken to level II: the open waits until
/// the holder has written back and acknowledged. An open that empties the file, a write and a
/// change of its size break the level II oplocks of the others to none; that waits for nobody
/// (MS-SMB2 3.3.1.4, 3.3.4.6; MS-FSA 2.1.5.1.2). Left out: share modes; byte-range locks, which
/// copies do not use; the 35 s after which a server goes on without an acknowledgement.
class OplockTable {
public:
  using OpenId = std::uint64_t;
  /// A file of the server: its directory and its name.
  using FileName = std::pair<const FileStore*, std::string>;

  explicit OplockTable(Simulation& simulation) : simulation_{simulation} {}

  /// An open arrives: enters it and makes way for it. No `holder`: the client asks for no oplock.
  [[nodiscard]] Task<OpenId> opening(FileName name, std::shared_ptr<OplockHolder> holder,
                                     bool empties);
  /// It has succeeded, with this handle: grants what the other opens leave.
  void opened(OpenId id, const File& handle);
  /// It has failed.
  void failed(OpenId id) { remove(id); }
  void closed(const File& handle);
  /// The file has changed through this handle.
  void changed(const File& handle);

  [[nodiscard]] std::int64_t granted() const { return granted_; }
  /// Oplocks that were taken back, wholly or in part.
  [[nodiscard]] std::int64_t breaks() const { return breaks_; }

private:
  struct Open {
    OpenId id = 0;
    FileName name;
    std::shared_ptr<OplockHolder> holder;
    const File* handle = nullptr;
    Oplock level = Oplock::none;
    std::shared_ptr<Event> breaking;  // while its exclusive oplock is taken back
  };
  using Opens = std::vector<std::shared_ptr<Open>>;

  [[nodiscard]] static bool same_client(const Open& one, const Open& other);
  [[nodiscard]] Task<> take_back(std::shared_ptr<Open> open);
  void break_readers(const Open& by);
  void remove(OpenId id);

  Simulation& simulation_;
  std::map<FileName, Opens> files_;  // looked up only: the order of its keys decides nothing
  std::map<OpenId, FileName> names_;
  std::map<const File*, OpenId> handles_;
  OpenId last_ = 0;
  std::int64_t granted_ = 0;
  std::int64_t breaks_ = 0;
};

}  // namespace copysim
