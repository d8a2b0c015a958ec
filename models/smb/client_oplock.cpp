#include <copysim/models/smb/client_oplock.hpp>

#include <copysim/models/link/transport.hpp>
#include <copysim/models/smb/remote_file.hpp>
#include <copysim/models/smb/smb_connection.hpp>

namespace copysim {

Task<> ClientOplock::broken(Oplock level) {
  // If the path fails, so does everything else on it; the oplock is gone all the same.
  [[maybe_unused]] const IoStatus told =
      co_await connection_.tell(Toward::client, SmbOperation::oplock_break);
  ++connection_.counters().oplock_breaks;
  const bool held_writes = level_ == Oplock::exclusive;
  level_ = level;
  if (level == Oplock::none && file_ != nullptr) file_->forget();
  if (!held_writes) co_return;
  if (file_ != nullptr) {
    co_await file_->write_back();
  }
  [[maybe_unused]] const IoStatus acknowledged =
      co_await connection_.tell(Toward::server, SmbOperation::oplock_break);
}

}  // namespace copysim
