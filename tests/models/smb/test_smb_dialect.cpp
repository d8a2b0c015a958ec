#include <copysim/models/smb/smb_dialect.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

SmbLimits limits_of(const RedirectorConfig& client, const SmbServerConfig& server) {
  return negotiate(client.version, server.version)->limits(client, server);
}

}  // namespace

TEST_CASE("negotiate chooses the older of the two versions", "[smb]") {
  const auto old = SmbVersion::nt_lm_0_12;
  const auto recent = SmbVersion::smb2_2_002;
  CHECK(negotiate(old, old)->version() == old);
  CHECK(negotiate(old, recent)->version() == old);
  CHECK(negotiate(recent, old)->version() == old);
  CHECK(negotiate(recent, recent)->version() == recent);
  CHECK(negotiate(recent, old)->protocol() == StoreTraits::Protocol::smb1);
  CHECK(negotiate(recent, recent)->protocol() == StoreTraits::Protocol::smb2);
}

TEST_CASE("SMB1 moves 60 KiB per request between systems with large reads and writes", "[smb]") {
  const SmbLimits limits = limits_of({}, {});
  CHECK(limits.read == 60_KiB);
  CHECK(limits.write == 60_KiB);
}

TEST_CASE("SMB1 writes 4,292 bytes to a server of MaxBufferSize 4,356 without large writes",
          "[smb]") {
  SmbServerConfig nt4;
  nt4.max_buffer = 4356_B;
  nt4.large_writes = false;
  const SmbLimits limits = limits_of({}, nt4);
  CHECK(limits.write == 4292_B);  // 4,356 - 64, seen in the trace of MCPMAG
  CHECK(limits.read == 60_KiB);
}

TEST_CASE("SMB1 has as many requests outstanding as both ends allow", "[smb]") {
  RedirectorConfig client;
  SmbServerConfig server;
  CHECK(limits_of(client, server).slots == 10);  // a client system as server
  server.max_mpx = 50;
  CHECK(limits_of(client, server).slots == 50);
  client.smb1_max_commands = 15;  // Windows NT 4.0
  CHECK(limits_of(client, server).slots == 15);
}

TEST_CASE("SMB 2.002 moves 64 KiB per request and pipelines", "[smb]") {
  RedirectorConfig client;
  SmbServerConfig server;
  client.version = server.version = SmbVersion::smb2_2_002;
  const SmbLimits limits = limits_of(client, server);
  CHECK(limits.read == 64_KiB);
  CHECK(limits.write == 64_KiB);
  CHECK(limits.concurrent_pieces);
  CHECK(limits.slots == 1);
  // The server's 128 credits are the limit, unless the client has a lower one of its own.
  CHECK(limits.slots_maximum == 128);
  client.smb2_max_outstanding = 50;
  CHECK(limits_of(client, server).slots_maximum == 50);
}

TEST_CASE("Messages have the sizes that were captured", "[smb]") {
  const auto smb1 = negotiate(SmbVersion::nt_lm_0_12, SmbVersion::nt_lm_0_12);
  CHECK(smb1->message(SmbOperation::read).request == 63_B);
  CHECK(smb1->message(SmbOperation::read).response == 64_B);
  CHECK(smb1->message(SmbOperation::write).request == 68_B);
  CHECK(smb1->message(SmbOperation::write).response == 51_B);
  const auto smb2 = negotiate(SmbVersion::smb2_2_002, SmbVersion::smb2_2_002);
  CHECK(smb2->message(SmbOperation::read).request == 117_B);
  CHECK(smb2->message(SmbOperation::read).response == 84_B);
  CHECK(smb2->message(SmbOperation::write).request == 116_B);
  CHECK(smb2->message(SmbOperation::write).response == 84_B);
}
