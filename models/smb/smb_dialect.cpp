#include <copysim/models/smb/smb_dialect.hpp>

#include <algorithm>
#include <string>

#include <copysim/error.hpp>
#include <copysim/models/smb/large_mtu_dialect.hpp>
#include <copysim/models/smb/nt_lm_dialect.hpp>
#include <copysim/models/smb/smb2_dialect.hpp>

namespace copysim {

std::string_view to_string(SmbVersion version) {
  switch (version) {
    case SmbVersion::nt_lm_0_12:
      return "nt-lm-0.12";
    case SmbVersion::smb2_2_002:
      return "smb2-2.002";
    case SmbVersion::smb2_2_1:
      return "smb2-2.1";
    case SmbVersion::smb3_3_0:
      return "smb3-3.0";
    case SmbVersion::smb3_3_1_1:
      return "smb3-3.1.1";
  }
  return "unknown";
}

std::string_view to_string(NonCachedOpen rule) {
  switch (rule) {
    case NonCachedOpen::write_through:
      return "write-through";
    case NonCachedOpen::cached:
      return "cached";
  }
  return "unknown";
}

std::string_view to_string(SmbOperation operation) {
  switch (operation) {
    case SmbOperation::negotiate:
      return "negotiate";
    case SmbOperation::session_setup:
      return "session setup";
    case SmbOperation::tree_connect:
      return "tree connect";
    case SmbOperation::query_path:
      return "query path";
    case SmbOperation::query_volume:
      return "query volume";
    case SmbOperation::create:
      return "create";
    case SmbOperation::query_file:
      return "query file";
    case SmbOperation::set_file:
      return "set file";
    case SmbOperation::find:
      return "find";
    case SmbOperation::read:
      return "read";
    case SmbOperation::write:
      return "write";
    case SmbOperation::flush:
      return "flush";
    case SmbOperation::close:
      return "close";
    case SmbOperation::resume_key:
      return "resume key";
    case SmbOperation::query_interfaces:
      return "query interfaces";
    case SmbOperation::copy_chunks:
      return "copy chunks";
    case SmbOperation::oplock_break:
      return "oplock break";
  }
  return "unknown";
}

SmbMessage SmbDialect::compound(SmbOperation first, Bytes payload, SmbChain chain) const {
  static constexpr Bytes length_prefix{4};  // one for the whole message
  SmbMessage whole = message(first);
  whole.request += payload;
  const auto add = [&whole](SmbMessage part) {
    whole.request = align_up(whole.request - length_prefix, 8_B) + part.request;
    whole.response = align_up(whole.response - length_prefix, 8_B) + part.response;
  };
  for (int i = 0; i < chain.queries; ++i) add(message(SmbOperation::query_file));
  if (chain.closes) add(message(SmbOperation::close));
  return whole;
}

SmbProtection SmbDialect::protection(const RedirectorConfig& client,
                                     const SmbServerConfig& server) const {
  if (client.encryption || server.encryption) {
    if (cipher() != SmbProtection::none) return cipher();
    throw ConfigError{client.encryption ? "redirector" : "server",
                      "encryption needs smb3-3.0 or newer at both ends, got " +
                          std::string{to_string(version())}};
  }
  return client.signing || server.signing ? signature() : SmbProtection::none;
}

std::unique_ptr<SmbDialect> negotiate(SmbVersion client, SmbVersion server) {
  const SmbVersion common = std::min(client, server);
  if (common == SmbVersion::nt_lm_0_12) return std::make_unique<NtLmDialect>();
  if (common == SmbVersion::smb2_2_002) return std::make_unique<Smb2Dialect>();
  return std::make_unique<LargeMtuDialect>(common);
}

}  // namespace copysim
