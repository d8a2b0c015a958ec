#pragma once

#include <copysim/models/smb/oplock.hpp>

namespace copysim {

class RemoteFile;
class SmbConnection;

/// The oplock or lease of one open file, at the client that holds it.
///
/// When the server breaks it, a notification crosses the wire (one way), the file writes back what
/// it holds, forgets what it read ahead if nothing may be kept, and an acknowledgement crosses the
/// wire. Both are messages that wait for no credit; the server's answer to the acknowledgement, for
/// which nobody waits, is left out, as are the 32 to 80 bytes by which a lease lengthens an open.
class ClientOplock final : public OplockHolder {
public:
  /// The connection outlives it; `client` tells clients apart.
  ClientOplock(SmbConnection& connection, const void* client)
      : connection_{connection}, client_{client} {}

  [[nodiscard]] const void* client() const override { return client_; }
  void granted(Oplock level) override { level_ = level; }
  [[nodiscard]] Task<> broken(Oplock level) override;

  [[nodiscard]] Oplock level() const { return level_; }
  /// The file whose oplock it is; none before it is open and after it is closed.
  void belongs_to(RemoteFile* file) { file_ = file; }

private:
  SmbConnection& connection_;
  const void* client_;
  RemoteFile* file_ = nullptr;
  Oplock level_ = Oplock::none;
};

}  // namespace copysim
