#include <algorithm>
#include <string>
#include <vector>

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

TEST_CASE("Within one share of Windows 8 the server copies, 16 MiB on a request", "[copy]") {
  const int place = 0;
  FakeStore::Config windows8 = share;
  windows8.holder = &place;
  windows8.most_copied = 16_MiB;
  windows8.copies_on_server = true;
  CopyBench bench{33_MiB, windows8, windows8};
  Windows7Copy policy;

  const CopyReport report = bench.copy(policy);

  const std::vector<std::string> copied{"copy_range 0+16777216", "copy_range 16777216+16777216",
                                        "copy_range 33554432+1048576"};
  CHECK(std::search(bench.target.log.begin(), bench.target.log.end(), copied.begin(),
                    copied.end()) != bench.target.log.end());
  CHECK(report.reads == 0);
  CHECK(report.writes == 0);
  CHECK(report.copied == 33_MiB);
  CHECK(bench.progress.total == 33_MiB);
  CHECK(bench.same());
  // Another share, or COPY_FILE_NO_BUFFERING: the data comes here.
  FakeStore::Config elsewhere = windows8;
  elsewhere.holder = &share;
  CopyBench shares{33_MiB, windows8, elsewhere};
  CHECK(shares.copy(policy).reads == 33);
  CopyBench unbuffered{33_MiB, windows8, windows8};
  Windows7Copy xcopy{{.unbuffered = true}, Windows7Copy::xcopy_id};
  CHECK(unbuffered.copy(xcopy).reads == 33);
}

TEST_CASE("Within one share of Windows 7 Robocopy has the server copy, and Explorer does not",
          "[copy]") {
  const int place = 0;
  FakeStore::Config windows7 = share;
  windows7.holder = &place;
  windows7.most_copied = 16_MiB;
  CopyBench explorer{8_MiB, windows7, windows7};
  CopyBench robocopy{8_MiB, windows7, windows7};
  Windows7Copy engine;
  Robocopy tool;

  CHECK(explorer.copy(engine).reads == 8);
  CHECK(robocopy.copy(tool).reads == 0);
  CHECK(robocopy.same());
}

TEST_CASE("A copy on the server ends at the first failure and closes both files", "[copy]") {
  const int place = 0;
  FakeStore::Config windows8 = share;
  windows8.holder = &place;
  windows8.most_copied = 16_MiB;
  windows8.copies_on_server = true;
  for (std::int64_t n = 1;; ++n) {
    INFO("call " << n << " of the target");
    FakeStore::Config faulty = windows8;
    faulty.failing_call = n;
    CopyBench bench{33_MiB, windows8, faulty};
    Windows7Copy policy;

    const CopyReport report = bench.copy(policy);

    if (bench.target.calls < n) break;
    // Whether the target exists is asked but does not matter.
    CHECK(report.status == (n == 1 ? IoStatus::ok : IoStatus::device_error));
    CHECK(bench.source.open_files == 0);
    CHECK(bench.target.open_files == 0);
  }
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
