#pragma once

#include <copysim/models/smb/smb_dialect.hpp>

namespace copysim {

/// SMB 1.0, dialect NT LM 0.12: up to MaxMpxCount requests are outstanding.
///
/// A read or write is as large as the client sends, if the server has the large form, else
/// MaxBufferSize less 64 bytes of header: 4,356 - 64 = 4,292 to NT 4.0 (MCPMAG). Message sizes:
/// `smb-measured.md` section 3, measured; set, volume and session messages R (MS-CIFS), all far
/// below one frame.
class NtLmDialect final : public SmbDialect {
public:
  static constexpr Bytes header_of_small_io{64};

  [[nodiscard]] SmbVersion version() const override { return SmbVersion::nt_lm_0_12; }
  [[nodiscard]] StoreTraits::Protocol protocol() const override {
    return StoreTraits::Protocol::smb1;
  }
  [[nodiscard]] SmbMessage message(SmbOperation operation) const override;
  [[nodiscard]] SmbLimits limits(const RedirectorConfig& client,
                                 const SmbServerConfig& server) const override;
  [[nodiscard]] std::string_view slot_name() const override { return "MaxMpx"; }
  [[nodiscard]] SmbProtection signature() const override { return SmbProtection::md5; }
};

}  // namespace copysim
