#include <copysim/models/smb/nt_lm_dialect.hpp>

#include <algorithm>

namespace copysim {

SmbMessage NtLmDialect::message(SmbOperation operation) const {
  switch (operation) {
    case SmbOperation::negotiate:
      return {141_B, 135_B};
    case SmbOperation::session_setup:
      return {260_B, 220_B};
    case SmbOperation::tree_connect:
      return {90_B, 62_B};
    case SmbOperation::query_path:
      return {80_B, 104_B};
    case SmbOperation::query_volume:
      return {72_B, 84_B};
    case SmbOperation::create:  // 98 with a name of two characters and its end
      return {92_B, 107_B};
    case SmbOperation::query_file:
      return {76_B, 142_B};
    case SmbOperation::set_file:
      return {116_B, 64_B};
    case SmbOperation::find:
      return {92_B, 76_B};
    case SmbOperation::read:
      return {63_B, 64_B};
    case SmbOperation::write:
      return {68_B, 51_B};
    case SmbOperation::flush:  // header 32, one word, no bytes; NetBIOS header 4
      return {41_B, 39_B};
    case SmbOperation::close:
      return {45_B, 39_B};
    case SmbOperation::oplock_break:  // LOCKING_ANDX: header 32, 8 words and their count, 2, and 4
      return {55_B, 55_B};
    case SmbOperation::resume_key:
    case SmbOperation::copy_chunks:
    case SmbOperation::query_interfaces:
      return {};  // exists (MS-SMB 2.2.7.2), but no client here asks for it
  }
  return {};
}

SmbLimits NtLmDialect::limits(const RedirectorConfig& client, const SmbServerConfig& server) const {
  const Bytes room = server.max_buffer - header_of_small_io;
  const Bytes small = std::max(room - room % client.smb1_grain, client.smb1_grain);
  SmbLimits limits;
  limits.protection = protection(client, server);
  limits.read = server.large_reads ? client.smb1_read : std::min(client.smb1_read, small);
  const bool large_writes = server.large_writes && (limits.protection == SmbProtection::none ||
                                                    client.smb1_signed_large_writes);
  limits.write = large_writes ? client.smb1_write : std::min(client.smb1_write, small);
  limits.directory = client.smb1_max_buffer - header_of_small_io;
  limits.slots = std::min(client.smb1_max_commands, server.max_mpx);
  limits.slots_maximum = limits.slots;
  limits.concurrent_pieces = client.smb1_concurrent_pieces;
  return limits;
}

}  // namespace copysim
