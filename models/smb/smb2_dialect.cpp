#include <copysim/models/smb/smb2_dialect.hpp>

#include <algorithm>

namespace copysim {

SmbMessage Smb2Dialect::message(SmbOperation operation) const {
  switch (operation) {
    case SmbOperation::negotiate:
      return {106_B, 240_B};
    case SmbOperation::session_setup:
      return {260_B, 240_B};
    case SmbOperation::tree_connect:
      return {100_B, 84_B};
    case SmbOperation::query_path:  // its open; a query and a close follow, or are chained
    case SmbOperation::create:      // 128 with a name of two characters
      return {124_B, 156_B};
    case SmbOperation::query_volume:
    case SmbOperation::query_file:
      return {109_B, 182_B};
    case SmbOperation::set_file:
      return {140_B, 70_B};
    case SmbOperation::find:
      return {102_B, 76_B};
    case SmbOperation::read:
      return {117_B, 84_B};
    case SmbOperation::write:
      return {116_B, 84_B};
    case SmbOperation::flush:  // header 64, structure 24 and 4; NetBIOS header 4
      return {92_B, 72_B};
    case SmbOperation::close:
      return {92_B, 128_B};
    case SmbOperation::resume_key:  // IOCTL: 64, 56 and an empty buffer of 1; 64, 48, the key of 32
      return {125_B, 148_B};
    case SmbOperation::copy_chunks:  // key and count 32, each chunk 24 more; an answer of 12
      return {156_B, 128_B};
    case SmbOperation::oplock_break:  // header 64 and 4; oplock 24 and 24, lease 36 and 44 (2.2.23)
      return version() >= SmbVersion::smb2_2_1 ? SmbMessage{104_B, 112_B} : SmbMessage{92_B, 92_B};
    case SmbOperation::query_interfaces:  // IOCTL; 152 for a card with one address (2.2.32.5)
      return {124_B, 268_B};
  }
  return {};
}

SmbLimits Smb2Dialect::limits(const RedirectorConfig& client, const SmbServerConfig& server) const {
  SmbLimits limits;
  limits.protection = protection(client, server);
  limits.read = std::min(client.smb2_read, server.max_io);
  limits.write = std::min(client.smb2_write, server.max_io);
  limits.directory = 64_KiB;
  limits.copied = std::min(server.copy_chunk * server.copy_chunks, server.copy_total);
  limits.slots_maximum = std::min(client.smb2_max_outstanding, server.credits_maximum);
  limits.slots = std::min(server.credits_initial, limits.slots_maximum);
  limits.slots_growth = server.credits_growth;
  limits.concurrent_pieces = client.smb2_concurrent_pieces;
  limits.compounds = client.smb2_compounds;
  return limits;
}

}  // namespace copysim
