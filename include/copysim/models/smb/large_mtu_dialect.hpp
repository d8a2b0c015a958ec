#pragma once

#include <copysim/models/smb/smb2_dialect.hpp>

namespace copysim {

/// SMB 2.1, 3.0 and 3.1.1: large requests, which cost one credit for each 64 KiB.
///
/// CreditCharge = max(1, ceil(bytes / 65,536)), by the payload that a request carries or asks for
/// (documented: MS-SMB2 3.1.5.2, SMB2CRED). A request that needs more credits than the client may
/// ever hold is cut to those. Message sizes are those of 2.002: measured the same for 2.1 and 3.1.1
/// (`smb-measured.md` section 3). What 3.0 and 3.1.1 add: several channels, algorithms
/// that sign (CMAC, GMAC) and encrypt (CCM, GCM), and in 3.1.1 compression of file data.
class LargeMtuDialect final : public Smb2Dialect {
public:
  static constexpr Bytes credit_unit{65536};

  /// `version` is 2.1 or newer.
  explicit LargeMtuDialect(SmbVersion version) : version_{version} {}

  [[nodiscard]] SmbVersion version() const override { return version_; }
  [[nodiscard]] SmbLimits limits(const RedirectorConfig& client,
                                 const SmbServerConfig& server) const override;
  [[nodiscard]] int charge(Bytes data) const override;
  [[nodiscard]] SmbProtection signature() const override;
  [[nodiscard]] SmbProtection cipher() const override;

private:
  SmbVersion version_;
};

}  // namespace copysim
