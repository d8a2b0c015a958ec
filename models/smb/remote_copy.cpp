#include <algorithm>

#include <copysim/models/smb/remote_file.hpp>

namespace copysim {

namespace {

constexpr Bytes chunk_entry{24};  // SRV_COPYCHUNK: two offsets, a length (MS-SMB2 2.2.31.1.1)

}  // namespace

Task<CopyKey> RemoteFile::copy_key() {
  IoStatus status = co_await connection_.send(SmbOperation::resume_key, 0_B);
  if (status != IoStatus::ok) co_return CopyKey{status};
  const CopyKey key = co_await connection_.server().resume_key(*opened_);
  status = co_await connection_.receive(SmbOperation::resume_key, 0_B);
  if (status != IoStatus::ok) co_return CopyKey{status};
  co_return key;
}

Task<IoStatus> RemoteFile::copy_range(CopyKey source, Extent extent) {
  const Bytes most = connection_.limits().copied;
  if (most <= 0_B) co_return IoStatus::not_found;
  for (Bytes at = extent.offset; at < extent.end();) {
    const Extent part{at, std::min(most, extent.end() - at)};
    const std::int64_t chunks = pieces(part.length, connection_.server().config().copy_chunk);
    IoStatus status = co_await connection_.send(SmbOperation::copy_chunks, chunk_entry * chunks);
    if (status != IoStatus::ok) co_return status;
    const IoStatus copied = co_await connection_.server().copy(source, *opened_, part);
    status = co_await connection_.receive(SmbOperation::copy_chunks, 0_B);
    if (status == IoStatus::ok) status = copied;
    if (status != IoStatus::ok) co_return status;
    connection_.counters().copied += part.length;
    size_ = std::max(size_, part.end());
    at = part.end();
  }
  co_return IoStatus::ok;
}

}  // namespace copysim
