#include <copysim/error.hpp>
#include <copysim/models/copy/vista_sp1_copy.hpp>

#include "copy_bench.hpp"

using namespace copysim;
using namespace copysim::testing;
using Protocol = StoreTraits::Protocol;

TEST_CASE("VistaSp1Copy grows its I/O from 128 KiB to 1 MiB with the file", "[copy][vista-sp1]") {
  // The ends are documented; the steps at 1, 4 and 16 MiB are the inferred map of the header.
  const VistaSp1Copy policy;
  CHECK(policy.io_size(1_KiB) == 128_KiB);
  CHECK(policy.io_size(1_MiB - 1_B) == 128_KiB);
  CHECK(policy.io_size(1_MiB) == 256_KiB);
  CHECK(policy.io_size(4_MiB - 1_B) == 256_KiB);
  CHECK(policy.io_size(4_MiB) == 512_KiB);
  CHECK(policy.io_size(16_MiB) == 1_MiB);
  CHECK(policy.io_size(2560_MiB) == 1_MiB);
}

TEST_CASE("VistaSp1Copy starts with four reads, then reads one chunk while it writes another",
          "[copy][vista-sp1]") {
  // Each end serves one chunk of 1 MiB per second. 16 chunks are read back to back in 16 s; only
  // the write of the last one remains then: 17 s.
  CopyBench bench{16_MiB, {.rate = 1_MiB / 1s, .width = 1}, {.rate = 1_MiB / 1s, .width = 1}};
  VistaSp1Copy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.elapsed == 17s);
  CHECK(bench.source.most_reading == 4);
  CHECK(bench.target.most_writing == 1);
  CHECK(bench.source.opened.cached);
  CHECK_FALSE(bench.source.opened.local_buffering);
}

TEST_CASE("VistaSp1Copy asks an SMB1 server for 32 KiB at a time, in order", "[copy][vista-sp1]") {
  CopyBench bench{16_MiB, {.protocol = Protocol::smb1, .rate = 1_MiB / 1s}, {}};
  VistaSp1Copy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.reads == 512);  // 16 MiB / 32 KiB
  CHECK(bench.source.most_reading == 1);
  CHECK(bench.source.log.at(3) == "read 0+32768");
  CHECK(bench.source.log.at(4) == "read 32768+32768");
  CHECK(report.elapsed == 16s);  // one request after another at 1 MiB/s; writes take no time
}

TEST_CASE("VistaSp1Copy sends 32 KiB at a time to an SMB1 server but reads in large pieces",
          "[copy][vista-sp1]") {
  CopyBench bench{16_MiB, {}, {.protocol = Protocol::smb1, .rate = 1_MiB / 1s}};
  VistaSp1Copy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.reads == 16);
  CHECK(report.writes == 512);
  CHECK(bench.target.most_writing == 1);
  CHECK(report.elapsed == 16s);
}

TEST_CASE("VistaSp1Copy leaves it to the SMB2 redirector to cut its I/Os", "[copy][vista-sp1]") {
  CopyBench bench{16_MiB, {.protocol = Protocol::smb2}, {}};
  VistaSp1Copy policy;
  CHECK(bench.copy(policy).reads == 16);
}

TEST_CASE("VistaSp1Copy keeps four reads under way over SMB2, but one on a local disk",
          "[copy][vista-sp1]") {
  const bool remote = GENERATE(true, false);
  const auto protocol = remote ? Protocol::smb2 : Protocol::local;
  CopyBench bench{16_MiB, {.protocol = protocol, .rate = 1_MiB / 1s}, {}};
  VistaSp1Copy policy;

  const CopyReport report = bench.copy(policy);

  // A read of 1 MiB takes 1 s however many are under way. Four at a time: 16 / 4 = 4 s. Local: the
  // first four side by side, the other twelve one by one.
  CHECK(report.elapsed == (remote ? 4s : 13s));
  CHECK(bench.source.most_reading == 4);
}

TEST_CASE("VistaSp1Copy keeps four writes under way over SMB2, started in order",
          "[copy][vista-sp1]") {
  CopyBench bench{16_MiB, {.jitter = 1s}, {.protocol = Protocol::smb2, .rate = 1_MiB / 10s}};
  VistaSp1Copy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.status == IoStatus::ok);
  CHECK(bench.target.most_writing == 4);
  for (int i = 0; i < 16; ++i) {
    const auto call = static_cast<std::size_t>(3 + i);  // behind query, open, set_size
    CHECK(bench.target.log.at(call) == "write " + std::to_string(i << 20) + "+1048576");
  }
  CHECK(bench.same());
}

TEST_CASE("VistaSp1Copy waits for its four writes over SMB2 before it reads on",
          "[copy][vista-sp1]") {
  // A read of 1 MiB takes 1 s, a write 2 s, however many are under way. 16 MiB are four batches.
  // The first four reads go side by side (1 s), later ones one by one (4 s); the four writes of
  // each batch side by side (2 s): 1 + 2 + 3 (4 + 2) = 21 s. A window that is refilled as soon as
  // one write is done would hide the writes behind the reads.
  CopyBench bench{16_MiB, {.rate = 1_MiB / 1s}, {.protocol = Protocol::smb2, .rate = 1_MiB / 2s}};
  VistaSp1Copy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.elapsed == 21s);
  CHECK(bench.source.most_reading == 4);
  CHECK(bench.target.most_writing == 4);
}

TEST_CASE("VistaSp1Copy writes one chunk at a time to a local disk", "[copy][vista-sp1]") {
  CopyBench bench{16_MiB, {.protocol = Protocol::smb2}, {.rate = 1_MiB / 1s}};
  VistaSp1Copy policy;

  CHECK(bench.copy(policy).elapsed == 16s);
  CHECK(bench.target.most_writing == 1);
}

TEST_CASE("VistaSp1Copy refuses a largest I/O below the smallest", "[copy][vista-sp1]") {
  VistaSp1Copy::Config config;
  config.largest_io = 64_KiB;
  CHECK_THROWS_AS(VistaSp1Copy{config}, ConfigError);
}
