#include <copysim/models/smb/large_mtu_dialect.hpp>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// Both ends as Samba 4.17 (`smb-measured.md` section 3).
RedirectorConfig samba_client(SmbVersion version) {
  RedirectorConfig config;
  config.version = version;
  config.smb2_large_io = 8_MiB;
  return config;
}

SmbServerConfig samba_server() {
  SmbServerConfig config;
  config.version = SmbVersion::smb3_3_1_1;
  config.max_io = 8_MiB;
  config.credits_initial = 8192;
  config.credits_maximum = 8192;
  return config;
}

Duration time_of_reads(Share& share, File& file, Bytes piece, int count) {
  const SimTime start = share.sim.now();
  share.sim.run(read_many(share.sim, file, piece, count));
  return share.sim.now() - start;
}

}  // namespace

TEST_CASE("A request from SMB 2.1 on costs a credit for each 64 KiB", "[smb]") {
  const LargeMtuDialect dialect{SmbVersion::smb2_2_1};
  CHECK(dialect.charge(0_B) == 1);
  CHECK(dialect.charge(64_KiB) == 1);
  CHECK(dialect.charge(64_KiB + 1_B) == 2);
  CHECK(dialect.charge(4_MiB) == 64);   // captured
  CHECK(dialect.charge(8_MiB) == 128);  // captured
}

TEST_CASE("The newest version that both ends speak is chosen, and 2.1 to 3.1.1 read 8 MiB",
          "[smb]") {
  for (const auto version : {SmbVersion::smb2_2_1, SmbVersion::smb3_3_0, SmbVersion::smb3_3_1_1}) {
    const auto dialect = negotiate(version, SmbVersion::smb3_3_1_1);
    CHECK(dialect->version() == version);
    const SmbLimits limits = dialect->limits(samba_client(version), samba_server());
    CHECK(limits.read == 8_MiB);
    CHECK(limits.write == 8_MiB);
    CHECK(limits.slots == 8192);
  }
}

TEST_CASE("A request never needs more credits than the server grants", "[smb]") {
  SmbServerConfig server = samba_server();
  server.credits_maximum = 64;
  const SmbLimits limits =
      LargeMtuDialect{SmbVersion::smb2_2_1}.limits(samba_client(SmbVersion::smb2_2_1), server);
  CHECK(limits.read == 4_MiB);  // 64 credits of 64 KiB
}

TEST_CASE("Credits limit large reads that are outstanding, by their size", "[smb]") {
  SmbServerConfig server = samba_server();
  server.credits_maximum = 256;  // two requests of 8 MiB
  Share share{samba_client(SmbVersion::smb3_3_1_1), server};
  share.store.add("f", some_file(0, 64_MiB));
  const auto file = open(share, "f", {.cached = false});

  CHECK(time_of_reads(share, *file, 8_MiB, 2) == 10ms);
  CHECK(time_of_reads(share, *file, 8_MiB, 3) == 20ms);
  CHECK(time_of_reads(share, *file, 1_MiB, 16) == 10ms);  // 16 credits each
}

TEST_CASE("A new session cuts its first large read to the credits that it holds", "[smb]") {
  SmbServerConfig server = samba_server();
  server.credits_initial = 2;
  server.credits_growth = 0;
  Share share{samba_client(SmbVersion::smb2_2_1), server};
  share.store.add("f", some_file(0, 1_MiB));
  const auto file = open(share, "f", {.cached = false});

  // 1 MiB in pieces of 128 KiB, one at a time: 8 round trips.
  CHECK(time_of_reads(share, *file, 1_MiB, 1) == 80ms);
}

TEST_CASE("A signed SMB1 write of Samba fits into MaxBufferSize, in whole KiB", "[smb]") {
  RedirectorConfig client;
  client.smb1_write = 130048_B;
  client.smb1_grain = 1024_B;
  client.smb1_signed_large_writes = false;
  SmbServerConfig server;
  const auto limits = [&] {
    return negotiate(client.version, server.version)->limits(client, server);
  };

  CHECK(limits().write == 130048_B);
  server.signing = true;
  CHECK(limits().protection == SmbProtection::md5);
  CHECK(limits().write == 16384_B);  // of 16,644 - 64; captured
  server.signing = false;
  server.large_writes = server.large_reads = false;
  CHECK(limits().write == 16384_B);  // `large readwrite = no`; captured
  server.max_buffer = 4356_B;        // `max xmit = 4356`
  CHECK(limits().write == 4096_B);   // captured
  CHECK(limits().read == 4096_B);
}
