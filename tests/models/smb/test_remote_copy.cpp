#include <copysim/models/smb/remote_file.hpp>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// Two directories of one server, each with 2 ms for a read or write, and a share for each.
struct TwoDirectories {
  explicit TwoDirectories(SmbServerConfig config = smb2_server(16), bool one_share = true)
      : share{smb2_redirector(), config},
        from{share.client, originals, one_share},
        to{share.client, copies, one_share} {}

  Share share;
  MemoryStore originals{share.sim, 2ms};
  MemoryStore copies{share.sim, 2ms};
  SmbClient from;
  SmbClient to;

  std::unique_ptr<File> source(Content content) {
    originals.add("f", content);
    OpenResult opened = share.sim.run(from.open("f", {}));
    return opened.take();
  }
  std::unique_ptr<File> target() {
    OpenResult opened = share.sim.run(to.open("f", {.create = true}));
    return opened.take();
  }
};

Task<IoStatus> copy(File& source, File& target) {
  const CopyKey key = co_await source.copy_key();
  if (key.status != IoStatus::ok) co_return key.status;
  const IoStatus status = co_await target.copy_range(key, {0_B, source.size()});
  co_return status;
}

}  // namespace

TEST_CASE("A server copies 16 MiB on one request, and only control messages cross the wire",
          "[smb][copy]") {
  TwoDirectories bench;
  const Content original = some_file(0, 33_MiB);
  const auto source = bench.source(original);
  const auto target = bench.target();
  const TransportCounters before = bench.share.transport.counters();
  const SimTime start = bench.share.sim.now();

  const IoStatus status = bench.share.sim.run(copy(*source, *target));

  CHECK(status == IoStatus::ok);
  // A round trip of 10 ms for the key; then 16, 16 and 1 chunks of 1 MiB, each read in 2 ms and
  // written in 2 ms: 10 + (10 + 64) + (10 + 64) + (10 + 4) ms.
  CHECK(bench.share.sim.now() - start == 172ms);
  // 125 + 148 for the key; 156 + 24 a chunk, and 128 back: 273 + 2 (540 + 128) + (180 + 128). A
  // capture of smbclient's scopy of 33 MiB over 3.1.1 has messages of just these sizes.
  const TransportCounters after = bench.share.transport.counters();
  CHECK(after.wire_bytes - before.wire_bytes == 1917_B);
  CHECK(after.messages - before.messages == 8);
  CHECK(bench.share.client.counters().copied == 33_MiB);
  CHECK(bench.share.client.counters().read == 0_B);
  CHECK(bench.share.client.counters().written == 0_B);
  CHECK(bench.share.server.counters().copied == 33_MiB);
  CHECK(target->size() == 33_MiB);
  CHECK(bench.copies.node("f").content.read({0_B, 33_MiB}) == original);
}

TEST_CASE("A server's limits on chunks cut its copies", "[smb][copy]") {
  SmbServerConfig config = smb2_server(16);
  config.copy_chunks = 4;
  config.copy_chunk = 64_KiB;
  TwoDirectories bench{config};
  const auto source = bench.source(some_file(0, 1_MiB));
  const auto target = bench.target();
  const SimTime start = bench.share.sim.now();

  const IoStatus status = bench.share.sim.run(copy(*source, *target));

  CHECK(status == IoStatus::ok);
  CHECK(bench.to.traits().most_copied == 256_KiB);
  // The key, and four requests of four chunks: 10 + 4 (10 + 4 (2 + 2)) ms.
  CHECK(bench.share.sim.now() - start == 114ms);
}

TEST_CASE("A server knows a key until its file is closed", "[smb][copy]") {
  TwoDirectories bench;
  const auto source = bench.source(some_file(0, 1_MiB));
  const auto target = bench.target();
  const CopyKey key = bench.share.sim.run(source->copy_key());
  CHECK(bench.share.sim.run(target->copy_range(CopyKey{IoStatus::ok, key.value + 1}, {0_B, 1_B})) ==
        IoStatus::not_found);
  // Beyond the end of the source nothing is copied (MS-SMB2 3.3.5.15.6).
  CHECK(bench.share.sim.run(target->copy_range(key, {1_MiB, 1_B})) == IoStatus::end_of_file);

  CHECK(bench.share.sim.run(source->close()) == IoStatus::ok);

  CHECK(bench.share.sim.run(target->copy_range(key, {0_B, 1_B})) == IoStatus::not_found);
}

TEST_CASE("SMB1, two shares, or a server without the request leave the copy to the client",
          "[smb][copy]") {
  const TwoDirectories one;
  CHECK(one.from.traits().beside(one.to.traits()));
  CHECK(one.to.traits().most_copied == 16_MiB);
  const TwoDirectories two{smb2_server(16), false};
  CHECK_FALSE(two.from.traits().beside(two.to.traits()));
  SmbServerConfig config = smb2_server(16);
  config.copy_chunks = 0;
  const TwoDirectories unable{config};
  CHECK(unable.to.traits().most_copied == 0_B);
  const Share xp;
  CHECK(xp.client.traits().most_copied == 0_B);
}

TEST_CASE("A lost connection ends a copy on the server", "[smb][copy]") {
  TwoDirectories bench;
  const auto source = bench.source(some_file(0, 1_MiB));
  const auto target = bench.target();
  bench.share.transport.cut = true;

  CHECK(bench.share.sim.run(copy(*source, *target)) == IoStatus::link_down);
  CHECK(bench.share.client.connection().counters().copied == 0_B);
}
