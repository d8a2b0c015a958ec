#include <copysim/models/smb/large_mtu_dialect.hpp>

#include <algorithm>

namespace copysim {

SmbLimits LargeMtuDialect::limits(const RedirectorConfig& client,
                                  const SmbServerConfig& server) const {
  SmbLimits limits = Smb2Dialect::limits(client, server);
  // The client's own limit counts requests, the server's counts credits.
  limits.slots_maximum = server.credits_maximum;
  limits.slots = std::min(server.credits_initial, limits.slots_maximum);
  limits.requests = client.smb2_max_outstanding;
  if (version_ >= SmbVersion::smb3_3_0) limits.channels = client.channels;
  if (version_ >= SmbVersion::smb3_3_1_1 && server.compression) {
    limits.compression = client.compression;
    limits.compresses_all = client.compress_all || server.compress_share;
  }
  const Bytes most = std::min({client.smb2_large_io, server.max_io,
                               credit_unit * static_cast<std::int64_t>(limits.slots_maximum)});
  limits.read = most;
  limits.write = most;
  return limits;
}

SmbProtection LargeMtuDialect::signature() const {
  if (version_ >= SmbVersion::smb3_3_1_1) return SmbProtection::aes_128_gmac;
  if (version_ >= SmbVersion::smb3_3_0) return SmbProtection::aes_128_cmac;
  return SmbProtection::hmac_sha256;
}

SmbProtection LargeMtuDialect::cipher() const {
  if (version_ >= SmbVersion::smb3_3_1_1) return SmbProtection::aes_128_gcm;
  if (version_ >= SmbVersion::smb3_3_0) return SmbProtection::aes_128_ccm;
  return SmbProtection::none;
}

int LargeMtuDialect::charge(Bytes data) const {
  return static_cast<int>(std::max<std::int64_t>(1, pieces(data, credit_unit)));
}

}  // namespace copysim
