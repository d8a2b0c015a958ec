#pragma once

#include <copysim/models/smb/smb_dialect.hpp>

namespace copysim {

/// SMB 2.0, dialect 2.002: requests of up to 64 KiB, one credit each.
///
/// A client holds some credits, spends one per message and gets it back with the answer, with
/// `credits_growth` more until `credits_maximum`. A compounded chain costs one credit here; in
/// fact one per part, which never matters for the two or three parts of an open. Message sizes:
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
  /// Open, query, close: one chain, or three messages.
  [[nodiscard]] int query_path_round_trips(const SmbLimits& limits) const override {
    return limits.compounds ? 1 : 3;
  }
};

}  // namespace copysim
