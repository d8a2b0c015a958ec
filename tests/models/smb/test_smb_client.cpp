#include <string>
#include <vector>

#include <copysim/models/smb/smb_client.hpp>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// The operations of a share in the order in which they go out.
std::vector<std::string> record(Share& share, Task<> what) {
  std::vector<std::string> log;
  const auto id =
      share.client.connection().requested.attach([&log](SmbOperation operation, Bytes /*payload*/) {
        log.emplace_back(to_string(operation));
      });
  share.sim.run(std::move(what));
  share.client.connection().requested.detach(id);
  return log;
}

Task<> pull(SmbClient& client, std::string name) {
  const IoStatus found = co_await client.query(name);
  static_cast<void>(found);
  OpenResult opened = co_await client.open(name, {});
  const ReadResult first = co_await opened.file().read({0_B, 1000_B});
  REQUIRE(first.ok());
  co_await opened.file().close();
}

Task<> push(SmbClient& client, std::string name) {
  const IoStatus found = co_await client.query(name);
  static_cast<void>(found);
  OpenOptions options;
  options.create = true;
  OpenResult opened = co_await client.open(name, options);
  co_await opened.file().set_size(1000_B);
  Content content = some_file(0, 1000_B);
  co_await opened.file().write(0_B, std::move(content));
  co_await opened.file().set_times();
  co_await opened.file().close();
}

Task<std::size_t> listing(SmbClient& client) {
  const std::vector<FileStore::Entry> entries = co_await client.list();
  co_return entries.size();
}

}  // namespace

TEST_CASE("SmbClient pulls a file over SMB1 with eight metadata round trips", "[smb]") {
  Share share;
  share.store.add("f", some_file(0, 1000_B));

  const auto log = record(share, pull(share.client, "f"));

  CHECK(log == std::vector<std::string>{"query path", "query path", "create", "query file",
                                        "query file", "query file", "query file", "read", "close"});
  CHECK(share.client.counters().round_trips == 9);
  CHECK(share.sim.now() == SimTime{90ms});  // one at a time, 10 ms each
}

TEST_CASE("SmbClient pushes a file over SMB1 with eight metadata round trips", "[smb]") {
  Share share;

  const auto log = record(share, push(share.client, "f"));

  CHECK(log == std::vector<std::string>{"query path", "query volume", "create", "query file",
                                        "set file", "write", "set file", "close", "find"});
  CHECK(share.sim.now() == SimTime{90ms});
}

TEST_CASE("SmbClient compounds an open and its queries over SMB2", "[smb]") {
  Share share{smb2_redirector(), smb2_server(128)};
  share.store.add("f", some_file(0, 1000_B));

  const auto log = record(share, pull(share.client, "f"));

  CHECK(log == std::vector<std::string>{"query path", "query path", "create", "read", "close"});
  CHECK(share.client.counters().round_trips == 5);
  CHECK(share.client.counters().count(SmbOperation::query_file) == 6);  // two of them of the path
}

TEST_CASE("SmbClient without compounding opens, queries and closes to learn of a path", "[smb]") {
  RedirectorConfig redirector = smb2_redirector();
  redirector.smb2_compounds = false;
  Share share{redirector, smb2_server(128)};
  share.store.add("f", some_file(0, 1000_B));

  const IoStatus found = share.sim.run(share.client.query("f"));

  CHECK(found == IoStatus::ok);
  CHECK(share.client.counters().round_trips == 3);
}

TEST_CASE("SmbClient reports a missing file after one round trip", "[smb]") {
  Share share;
  const OpenResult opened = share.sim.run(share.client.open("missing", {}));
  CHECK(opened.status() == IoStatus::not_found);
  CHECK(share.sim.now() == SimTime{10ms});
}

TEST_CASE("SmbClient reports a cut link as a value and keeps its slots", "[smb]") {
  Share share;
  share.store.add("f", some_file(0, 1000_B));
  share.transport.cut = true;
  for (int i = 0; i < 20; ++i) {  // more than the ten slots
    const IoStatus status = share.sim.run(share.client.query("f"));
    CHECK(status == IoStatus::link_down);
  }
}

TEST_CASE("SmbClient lists a large directory in several answers", "[smb]") {
  Share share;
  // Names of 5 characters: 94 + 10 bytes, 104 on an 8-byte boundary; an answer holds
  // 16,644 - 64 = 16,580 bytes. 1,000 entries are 104,000 bytes: 7 answers.
  for (int i = 0; i < 1000; ++i) {
    share.store.add("f" + std::to_string(1000 + i), some_file(0, 1_B));
  }

  const std::size_t count = share.sim.run(listing(share.client));

  CHECK(count == 1000);
  CHECK(share.client.counters().count(SmbOperation::find) == 7);
  CHECK(share.sim.now() == SimTime{70ms});
}

TEST_CASE("SmbClient mounts in a handshake and four round trips", "[smb]") {
  Share share;
  const IoStatus status = share.sim.run(share.client.connect());
  CHECK(status == IoStatus::ok);
  CHECK(share.sim.now() == SimTime{50ms});
}

TEST_CASE("SmbClient settles with the server's store, without a request", "[smb]") {
  Share share;
  const IoStatus status = share.sim.run(share.client.settle());
  CHECK(status == IoStatus::ok);
  CHECK(share.sim.now() == SimTime{1s});
  CHECK(share.client.counters().round_trips == 0);
}

TEST_CASE("SmbClient lists and makes a directory in as many round trips as smbclient", "[smb]") {
  // `smb-measured.md` section 3: mget starts with 2 (SMB1) or 8 (SMB2) round trips, mput with 2
  // or 3.
  const auto round_trips = [](SmbVersion version, bool list) {
    RedirectorConfig client = smb2_redirector();
    client.version = version;
    client.list_looks_up = true;
    client.smb2_list_handles = true;
    Share share{client, smb2_server(16)};
    share.store.add("f", some_file(0, 1_MiB));
    if (list) {
      static_cast<void>(share.sim.run(share.client.list()));
    } else {
      CHECK(share.sim.run(share.client.make_directory()) == IoStatus::ok);
    }
    return share.client.counters().round_trips;
  };

  CHECK(round_trips(SmbVersion::nt_lm_0_12, true) == 2);
  CHECK(round_trips(SmbVersion::smb2_2_002, true) == 8);
  CHECK(round_trips(SmbVersion::nt_lm_0_12, false) == 2);
  CHECK(round_trips(SmbVersion::smb2_2_002, false) == 3);
}
