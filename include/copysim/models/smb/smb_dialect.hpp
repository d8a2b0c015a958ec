#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/smb/redirector_config.hpp>
#include <copysim/models/smb/smb_compression.hpp>
#include <copysim/models/smb/smb_protection.hpp>
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
  oplock_break,      ///< the other way round: the server's notification is the "response"
  query_interfaces,  ///< asks for the server's network cards, to bind more channels
};
inline constexpr std::size_t smb_operations = 17;
[[nodiscard]] std::string_view to_string(SmbOperation operation);

/// The bytes of a request and of its answer besides data, names and directory entries, with the
/// four bytes of the length in front.
struct SmbMessage {
  Bytes request;
  Bytes response;
};

/// What is compounded behind a first request of SMB2, on the same file: queries, then the close.
struct SmbChain {
  int queries = 0;
  bool closes = false;

  [[nodiscard]] int parts() const { return queries + (closes ? 1 : 0); }
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
  int channels = 1;       ///< connections of one session, each with slots of its own
  int requests = 65535;   ///< requests outstanding at most, however few slots each occupies
  bool concurrent_pieces = false;
  bool compounds = false;  ///< an open, its queries and its close are one message
  SmbProtection protection = SmbProtection::none;     ///< of every message after the session set-up
  SmbCompression compression = SmbCompression::none;  ///< that both ends know
  bool compresses_all = false;  ///< client or share ask for it, without a program that does
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
  /// A request with `payload` (names) and what is chained behind it, as one message: each part but
  /// the last is filled up to a multiple of eight bytes (MS-SMB2 2.2.1.2 NextCommand, 3.2.4.1.4).
  [[nodiscard]] SmbMessage compound(SmbOperation first, Bytes payload, SmbChain chain) const;
  /// The algorithm that signs messages.
  [[nodiscard]] virtual SmbProtection signature() const = 0;
  /// The cipher; none before SMB 3.0.
  [[nodiscard]] virtual SmbProtection cipher() const { return SmbProtection::none; }
  /// How messages are protected: it is enough that one end asks for it. `ConfigError` where an end
  /// asks for encryption and the dialect has none.
  [[nodiscard]] SmbProtection protection(const RedirectorConfig& client,
                                         const SmbServerConfig& server) const;
  /// What follows `query_path` to learn the attributes of a path without leaving it open.
  [[nodiscard]] virtual SmbChain after_query_path() const { return {}; }
};

/// Chooses the newest dialect that both ends speak.
[[nodiscard]] std::unique_ptr<SmbDialect> negotiate(SmbVersion client, SmbVersion server);

}  // namespace copysim
