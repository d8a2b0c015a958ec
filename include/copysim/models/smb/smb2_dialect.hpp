#pragma once

#include <copysim/models/smb/smb_dialect.hpp>

namespace copysim {

/// SMB 2.0, dialect 2.002: requests of up to 64 KiB, one credit each.
///
/// A client holds some credits, spends one per message and gets it back with the answer, with
/// `credits_growth` more until `credits_maximum`. Each part of a compounded chain costs one
/// (MS-SMB2 3.2.4.1.2); a client that holds fewer sends the rest alone. Message sizes:
/// `smb-measured.md` section 3, measured; set, volume and session messages R (MS-SMB2).
class Smb2Dialect : public SmbDialect {
public:
  [[nodiscard]] SmbVersion version() const override { return SmbVersion::smb2_2_002; }
  [[nodiscard]] StoreTraits::Protocol protocol() const override {
    return StoreTraits::Protocol::smb2;
  }
  [[nodiscard]] SmbMessage message(SmbOperation operation) const override;
  [[nodiscard]] SmbLimits limits(const RedirectorConfig& client,
                                 const SmbServerConfig& server) const override;
  [[nodiscard]] std::string_view slot_name() const override { return "credits"; }
  [[nodiscard]] SmbProtection signature() const override { return SmbProtection::hmac_sha256; }
  /// `query_path` is an open; query and close are chained to it, or two more messages.
  [[nodiscard]] SmbChain after_query_path() const override {
    return {.queries = 1, .closes = true};
  }
};

}  // namespace copysim
