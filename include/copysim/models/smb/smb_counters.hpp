#pragma once

#include <array>
#include <cstdint>

#include <copysim/models/smb/smb_dialect.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What the client of a connection has done so far.
struct SmbClientCounters {
  std::array<std::int64_t, smb_operations> requests{};  ///< by `SmbOperation`
  std::int64_t round_trips = 0;  ///< messages that were answered; a compounded chain is one
  Bytes read;                    ///< file bytes read from the server
  Bytes written;                 ///< file bytes written to the server
  Bytes copied;                  ///< file bytes that the server copied by itself
  Bytes compressed;              ///< file bytes that travelled compressed
  Bytes saved;                   ///< wire bytes that they did not need
  Bytes written_behind;          ///< file bytes that a program did not wait for
  std::int64_t oplock_breaks = 0;
  std::int64_t outstanding_peak = 0;
  std::int64_t slot_stalls = 0;      ///< requests that waited for MaxMpx or for a credit
  std::int64_t read_ahead_hits = 0;  ///< pieces that a reader found on their way or there

  [[nodiscard]] std::int64_t count(SmbOperation operation) const {
    return requests[static_cast<std::size_t>(operation)];
  }
};

/// What a server has done so far.
struct SmbServerCounters {
  std::int64_t requests = 0;
  std::int64_t queue_peak = 0;           ///< most requests that waited for a worker thread
  std::int64_t write_through_opens = 0;  ///< non-cached opens that became write-through
  Bytes read;
  Bytes written;
  Bytes copied;  ///< from file to file
};

}  // namespace copysim
