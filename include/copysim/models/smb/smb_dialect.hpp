#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/smb/redirector_config.hpp>
#include <copysim/models/smb/smb_server_config.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What a client asks a server for.
enum class SmbOperation : std::uint8_t {
  negotiate,
  session_setup,
  tree_connect,
  query_path,
  query_volume,
  create,
  query_file,
  set_file,
  find,
  read,
  write,
  flush,
  close,
  resume_key,  ///< asks for the key of an open file, to copy from it
  copy_chunks,
};
inline constexpr std::size_t smb_operations = 15;
[[nodiscard]] std::string_view to_string(SmbOperation operation);

/// The bytes of a request and of its answer besides data, names and directory entries, with the
/// four bytes of the length in front.
struct SmbMessage {
  Bytes request;
  Bytes response;
};

/// What the two ends agreed on.
struct SmbLimits {
  Bytes read;             ///< most bytes of one read request
  Bytes write;            ///< most bytes of one write request
  Bytes directory;        ///< most bytes of entries in one answer to `find`
  Bytes copied;           ///< most bytes that the server copies on one request; 0: it copies none
  int slots = 1;          ///< requests that may be outstanding at first
  int slots_maximum = 1;  ///< ... and at most
  int slots_growth = 0;   ///< ... more with each answer
  int requests = 65535;   ///< requests outstanding at most, however few slots each occupies
  bool concurrent_pieces = false;
  bool compounds = false;  ///< an open and its queries are one message
  bool sign = false;       ///< every message is signed
};

/// One version of the SMB protocol: message sizes, request sizes and flow control.
///
/// Contract: stateless; what it returns depends on its arguments only.
class SmbDialect {
public:
  virtual ~SmbDialect() = default;
  [[nodiscard]] virtual SmbVersion version() const = 0;
  [[nodiscard]] virtual StoreTraits::Protocol protocol() const = 0;
  [[nodiscard]] virtual SmbMessage message(SmbOperation operation) const = 0;
  [[nodiscard]] virtual SmbLimits limits(const RedirectorConfig& client,
                                         const SmbServerConfig& server) const = 0;
  /// What limits the requests that are outstanding, for the paths of tasks that wait.
  [[nodiscard]] virtual std::string_view slot_name() const = 0;
  /// The slots that a request occupies which carries or asks for `data`: credits, from 2.1 on.
  [[nodiscard]] virtual int charge(Bytes /*data*/) const { return 1; }
  /// Round trips to learn the attributes of a path without opening it.
  [[nodiscard]] virtual int query_path_round_trips(const SmbLimits& limits) const = 0;
};

/// Chooses the newest dialect that both ends speak.
[[nodiscard]] std::unique_ptr<SmbDialect> negotiate(SmbVersion client, SmbVersion server);

}  // namespace copysim
