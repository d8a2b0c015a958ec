#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How the messages of a session are protected: not at all, signed, or encrypted.
///
/// Which algorithm signs depends on the dialect alone (MS-SMB2 3.1.4.1, MS-CIFS 3.1.4.1, and
/// MS-SMB2 2.2.3.1.7 for GMAC), as does the cipher (3.1.4.3: CCM in 3.0, in 3.1.1 what both ends
/// prefer, which is GCM for Windows and Samba). A message that is encrypted is not signed: the
/// cipher authenticates it (3.2.4.1.1, 3.3.4.1.1).
enum class SmbProtection : std::uint8_t {
  none,
  md5,           ///< SMB 1.0
  hmac_sha256,   ///< 2.002 and 2.1
  aes_128_cmac,  ///< 3.0
  aes_128_gmac,  ///< 3.1.1, where both ends know it: Samba since 4.15, Windows since Server 2022
  aes_128_ccm,   ///< 3.0
  aes_128_gcm,   ///< 3.1.1
};
[[nodiscard]] std::string_view to_string(SmbProtection protection);

[[nodiscard]] constexpr bool encrypts(SmbProtection protection) {
  return protection >= SmbProtection::aes_128_ccm;
}
[[nodiscard]] constexpr bool is_signed(SmbProtection protection) {
  return protection != SmbProtection::none && !encrypts(protection);
}

/// The SMB2 TRANSFORM_HEADER in front of what is encrypted, be it one message or a compounded
/// chain (MS-SMB2 2.2.41): protocol id 4, signature 16, nonce 16, size 4, flags 4, session 8.
inline constexpr Bytes smb_transform_header{52};

/// What each algorithm takes of a processor: section `smb.algorithms` of a system's sheet.
///
/// n bytes of data in one message take n / rate at each end. The defaults are those of the
/// reference core (a Core 2 of 2.4 GHz, without instructions for AES), from cycles per byte of
/// Crypto++ 5.6.0 on a Core 2 (Dai, "Speed comparison of popular crypto algorithms", 2009;
/// recalled, the page was not seen): MD5 6.8, SHA-256 15.8, AES-CBC 16.0, AES-CTR 12.6,
/// AES-GCM 17.2, AES-CCM 28.6. CMAC is CBC's chain; GMAC is GCM without its counter mode, 4.6. With
/// AES instructions GCM falls to 0.64 cycles per byte (Drucker, Gueron, Krasnov 2018: from about
/// 23). Zero costs nothing.
struct SmbAlgorithmCost {
  Bandwidth md5{353e6};
  Bandwidth hmac_sha256{152e6};
  Bandwidth aes_128_cmac{150e6};
  Bandwidth aes_128_gmac{522e6};
  Bandwidth aes_128_ccm{84e6};
  Bandwidth aes_128_gcm{140e6};

  static constexpr auto parameters = std::tuple{
      parameter("md5", &SmbAlgorithmCost::md5, "signing with MD5, SMB1; 0: no cost",
                at_least(Bandwidth{0})),
      parameter("hmac_sha256", &SmbAlgorithmCost::hmac_sha256,
                "signing with HMAC-SHA256, SMB 2.002 and 2.1; 0: no cost", at_least(Bandwidth{0})),
      parameter("aes_128_cmac", &SmbAlgorithmCost::aes_128_cmac,
                "signing with AES-CMAC, SMB 3.0; 0: no cost", at_least(Bandwidth{0})),
      parameter("aes_128_gmac", &SmbAlgorithmCost::aes_128_gmac,
                "signing with AES-GMAC, SMB 3.1.1; 0: no cost", at_least(Bandwidth{0})),
      parameter("aes_128_ccm", &SmbAlgorithmCost::aes_128_ccm,
                "encryption with AES-CCM, SMB 3.0; 0: no cost", at_least(Bandwidth{0})),
      parameter("aes_128_gcm", &SmbAlgorithmCost::aes_128_gcm,
                "encryption with AES-GCM, SMB 3.1.1; 0: no cost", at_least(Bandwidth{0})),
  };

  [[nodiscard]] Bandwidth rate(SmbProtection protection) const;
};

}  // namespace copysim
