#include <copysim/error.hpp>
#include <copysim/models/copy/smbclient_copy.hpp>

#include "copy_bench.hpp"

using namespace copysim;
using namespace copysim::testing;
using Protocol = StoreTraits::Protocol;

namespace {

FakeStore::Config share(Bytes request) {
  return {.protocol = Protocol::smb2, .most_read = request, .most_written = request, .jitter = 1ms};
}

}  // namespace

TEST_CASE("smbclient's option -b is the window in bytes, in whole requests", "[copy]") {
  // Captured (`smb-measured.md` section 3): 3 reads or 2 writes with -b 131072 over SMB1, 2 over
  // 2.002; 1 with -b 16384; 256 and 2 with the default of 16 MiB.
  const SmbclientCopy wide;
  CHECK(wide.window(65536_B) == 256);
  CHECK(wide.window(8_MiB) == 2);
  const SmbclientCopy narrow{{.iosize = 131072_B}};
  CHECK(narrow.window(64512_B) == 3);
  CHECK(narrow.window(130048_B) == 2);
  CHECK(narrow.window(65536_B) == 2);
  CHECK(SmbclientCopy{{.iosize = 16384_B}}.window(65536_B) == 1);
}

TEST_CASE("smbclient get reads as large as the server allows, a window at a time", "[copy]") {
  CopyBench bench{1_MiB, share(65536_B), {}};
  SmbclientCopy policy{{.iosize = 262144_B}};

  const CopyReport report = bench.copy(policy);

  CHECK(report.reads == 16);
  CHECK(bench.source.most_reading == 4);
  CHECK(bench.target.most_writing == 1);
  CHECK(bench.same());
}

TEST_CASE("smbclient put writes a window at a time and touches nothing else", "[copy]") {
  CopyBench bench{1_MiB, {}, share(65536_B)};
  SmbclientCopy policy{{.iosize = 262144_B}};

  const CopyReport report = bench.copy(policy);

  CHECK(report.writes == 16);
  CHECK(bench.target.most_writing == 4);
  CHECK(bench.target.log.front() == "open f");
  CHECK_FALSE(bench.target.files.at("f").times_set);
  CHECK(bench.same());
}

TEST_CASE("smbclient scopy has the server copy, or moves 1 MiB at a time", "[copy]") {
  const int place = 0;
  FakeStore::Config one = share(8_MiB);
  one.holder = &place;
  one.most_copied = 16_MiB;
  CopyBench served{33_MiB, one, one};
  one.most_copied = 0_B;
  CopyBench fallback{33_MiB, one, one};
  SmbclientCopy policy;

  // cli_smb2_splice_send: one request after another. cli_splice_fallback: 1 MiB blocks in turn.
  CHECK(served.copy(policy).reads == 0);
  CHECK(served.same());
  CHECK(fallback.copy(policy).reads == 33);
  CHECK(fallback.source.most_reading == 1);
  CHECK(fallback.same());
  // Captured over NT LM 0.12: each block is read in 17 requests of 64,512 bytes side by side, then
  // written whole.
  CopyBench nt1{2_MiB, share(64512_B), share(130048_B)};
  CHECK(nt1.copy(policy).reads == 34);
  CHECK(nt1.source.most_reading == 17);
  CHECK(nt1.target.most_writing == 1);
  CHECK(nt1.same());
}

TEST_CASE("smbclient wants a window", "[copy]") {
  CHECK_THROWS_AS(SmbclientCopy{{.iosize = 0_B}}, ConfigError);
}
