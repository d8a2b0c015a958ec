#include <copysim/models/smb/smb_protection.hpp>

namespace copysim {

std::string_view to_string(SmbProtection protection) {
  switch (protection) {
    case SmbProtection::none:
      return "none";
    case SmbProtection::md5:
      return "md5";
    case SmbProtection::hmac_sha256:
      return "hmac-sha256";
    case SmbProtection::aes_128_cmac:
      return "aes-128-cmac";
    case SmbProtection::aes_128_gmac:
      return "aes-128-gmac";
    case SmbProtection::aes_128_ccm:
      return "aes-128-ccm";
    case SmbProtection::aes_128_gcm:
      return "aes-128-gcm";
  }
  return "unknown";
}

Bandwidth SmbAlgorithmCost::rate(SmbProtection protection) const {
  switch (protection) {
    case SmbProtection::none:
      break;
    case SmbProtection::md5:
      return md5;
    case SmbProtection::hmac_sha256:
      return hmac_sha256;
    case SmbProtection::aes_128_cmac:
      return aes_128_cmac;
    case SmbProtection::aes_128_gmac:
      return aes_128_gmac;
    case SmbProtection::aes_128_ccm:
      return aes_128_ccm;
    case SmbProtection::aes_128_gcm:
      return aes_128_gcm;
  }
  return Bandwidth{0};
}

}  // namespace copysim
