#include <copysim/error.hpp>
#include <copysim/models/copy/robocopy.hpp>
#include <copysim/models/copy/windows7_copy.hpp>

#include "copy_bench.hpp"

using namespace copysim;
using namespace copysim::testing;
using Protocol = StoreTraits::Protocol;

namespace {

constexpr FakeStore::Config local{.jitter = 1ms};
constexpr FakeStore::Config share{.protocol = Protocol::smb2, .jitter = 1ms};

}  // namespace

TEST_CASE("Windows 7 reads 1 MiB and writes it in cached pieces of 64 KiB between local disks",
          "[copy]") {
  CopyBench bench{8_MiB, local, local};
  Windows7Copy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.reads == 8);     // WI6 p. 187
  CHECK(report.writes == 128);  // 8 MiB / 64 KiB
  CHECK(bench.source.most_reading == 1);
  CHECK(bench.target.most_writing == 1);
  CHECK(bench.target.opened.cached);
}

TEST_CASE("Windows 7 keeps ten I/Os of 1 MiB in flight over SMB2", "[copy]") {
  Windows7Copy policy;
  CopyBench reading{32_MiB, share, local};
  CopyBench writing{32_MiB, local, share};

  CHECK(reading.copy(policy).reads == 32);
  CHECK(reading.source.most_reading == 10);
  CHECK_FALSE(reading.source.opened.local_buffering);
  CHECK(writing.copy(policy).writes == 32);
  CHECK(writing.target.most_writing == 10);
}

TEST_CASE("An unbuffered copy of Windows 7 caches neither end and writes whole I/Os", "[copy]") {
  CopyBench bench{8_MiB, local, local};
  Windows7Copy policy{{.unbuffered = true}, Windows7Copy::xcopy_id};

  const CopyReport report = bench.copy(policy);

  CHECK(policy.name() == "xcopy-j");
  CHECK(report.writes == 8);
  CHECK_FALSE(bench.source.opened.cached);
  CHECK_FALSE(bench.target.opened.cached);
}

TEST_CASE("Robocopy copies as many files at once as /MT says, and each as CopyFileEx", "[copy]") {
  CHECK(Robocopy{}.files_at_once() == 1);
  CHECK(Robocopy{{.threads = 8}}.files_at_once() == 8);
  CHECK_THROWS_AS(Robocopy{{.threads = 129}}, ConfigError);
  CopyBench bench{8_MiB, local, local};
  Robocopy policy{{.unbuffered = true}};

  CHECK(bench.copy(policy).writes == 8);
  CHECK_FALSE(bench.target.opened.cached);
}
