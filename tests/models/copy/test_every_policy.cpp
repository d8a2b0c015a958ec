#include <copysim/error.hpp>
#include <copysim/models/copy/builtin_policies.hpp>
#include <copysim/models/copy/pipelined_copy.hpp>
#include <copysim/models/copy/smbclient_copy.hpp>
#include <copysim/models/parameter_check.hpp>

#include "copy_bench.hpp"

using namespace copysim;
using namespace copysim::testing;
using Protocol = StoreTraits::Protocol;

namespace {

// All engines of the registry with their defaults, and the corners of the general family.
std::vector<std::unique_ptr<CopyPolicy>> every_policy() {
  std::vector<std::unique_ptr<CopyPolicy>> policies;
  detail::RangeCheck defaults{"test"};
  const PolicyRegistry registry = builtin_policies();
  for (const PolicyEntry& entry : registry.entries()) policies.push_back(entry.make(defaults));
  for (const bool ordered : {false, true}) {
    for (const bool batch : {false, true}) {
      policies.push_back(std::make_unique<PipelinedCopy>(PipelinedCopy::Config{
          .chunk = 100'003_B, .depth = 7, .ordered = ordered, .batch = batch}));
    }
  }
  return policies;
}

}  // namespace

TEST_CASE("every engine delivers every byte once, whatever order the I/Os end in",
          "[copy][property]") {
  const Protocol from = GENERATE(Protocol::local, Protocol::smb1, Protocol::smb2);
  const Protocol to = GENERATE(Protocol::local, Protocol::smb1, Protocol::smb2);
  for (const auto& policy : every_policy()) {
    for (const Bytes size : {0_B, 1_B, 65'536_B, 65'537_B, 300_KiB, 1_MiB, 2_MiB, 2_MiB + 1_B,
                             8'947'849_B, 16_MiB, 33_MiB + 5_B}) {
      INFO(policy->name() << ", " << size.count() << " bytes");
      CopyBench bench{size, {.protocol = from, .jitter = 10ms}, {.protocol = to, .jitter = 10ms}};

      const CopyReport report = bench.copy(*policy);

      REQUIRE(report.status == IoStatus::ok);
      REQUIRE(report.copied == size);
      REQUIRE(bench.progress.total == size);
      REQUIRE(bench.same());
      // cp without -p and dd leave the times of the target as the writes set them; so does
      // smbclient.
      const bool windows = policy->name() != "cp-2001" && policy->name() != "cp" &&
                           policy->name() != "dd" && policy->name() != SmbclientCopy::id;
      REQUIRE(bench.target.files.at("f").times_set == windows);
      REQUIRE(bench.source.open_files == 0);
      REQUIRE(bench.target.open_files == 0);
    }
  }
}

TEST_CASE("every engine stops at the first failure of any call and closes what it opened",
          "[copy][property]") {
  const bool at_source = GENERATE(true, false);
  for (const auto& policy : every_policy()) {
    // The fake fails its n-th call; when a copy makes fewer calls, all have been tried.
    for (std::int64_t n = 1;; ++n) {
      INFO(policy->name() << ", call " << n << (at_source ? " of the source" : " of the target"));
      const FakeStore::Config sound{.jitter = 1ms};
      const FakeStore::Config faulty{.jitter = 1ms, .failing_call = n};
      CopyBench bench{3_MiB, at_source ? faulty : sound, at_source ? sound : faulty};

      const CopyReport report = bench.copy(*policy);

      const FakeStore& store = at_source ? bench.source : bench.target;
      if (store.calls < n) break;
      // Whether the target exists is asked but does not matter.
      const bool asks = policy->name() != SmbclientCopy::id;
      const bool harmless = !at_source && n == 1 && asks;
      REQUIRE(report.status == (harmless ? IoStatus::ok : IoStatus::device_error));
      REQUIRE(bench.source.open_files == 0);
      REQUIRE(bench.target.open_files == 0);
      REQUIRE(bench.sim.tasks() == 0);
    }
  }
}

TEST_CASE("every engine reports that its source is not there", "[copy]") {
  for (const auto& policy : every_policy()) {
    CopyBench bench{1_MiB, {}, {}};
    bench.source.files.clear();
    CHECK(bench.copy(*policy).status == IoStatus::not_found);
    CHECK(bench.target.files.empty());
  }
}

TEST_CASE("an unknown engine is answered with the known ones", "[copy]") {
  const PolicyRegistry registry = builtin_policies();
  CHECK_THROWS_WITH(
      registry.find("vista"),
      "policy: id must be one of xp, vista-rtm, vista-rtm-patched, vista-sp1, "
      "windows-7, robocopy, xcopy-j, smbclient, teracopy, cp-2001, cp, dd, pipelined, got "
      "\"vista\"");
}

TEST_CASE("an engine cannot take the id of another", "[copy]") {
  PolicyRegistry registry = builtin_policies();
  CHECK_THROWS_AS(registry.add<PipelinedCopy>("again", ""), ConfigError);
}
