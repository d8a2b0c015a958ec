#include <copysim/error.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/smb/smb2_dialect.hpp>
#include <copysim/models/smb/smb_protection.hpp>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

RedirectorConfig client_of(SmbVersion version) {
  RedirectorConfig config;
  config.version = version;
  return config;
}

SmbServerConfig server_of(SmbVersion version) {
  SmbServerConfig config;
  config.version = version;
  config.credits_initial = 128;
  return config;
}

// Bytes of one open and one read of 1,000 bytes, with or without encryption.
Bytes bytes_of_a_read(bool encrypted) {
  RedirectorConfig redirector = client_of(SmbVersion::smb3_3_1_1);
  redirector.encryption = encrypted;
  redirector.open_path_queries = 0;
  Share share{redirector, server_of(SmbVersion::smb3_3_1_1)};
  share.store.add("f", some_file(0, 1000_B));
  const auto file = open(share, "f", {.cached = false});
  share.sim.run(read_one(*file, {0_B, 1000_B}));
  return share.transport.counters().wire_bytes;
}

}  // namespace

TEST_CASE("Each dialect signs with its algorithm, and encrypts from 3.0 on", "[smb]") {
  struct Row {
    SmbVersion version;
    SmbProtection signature;
    SmbProtection cipher;
  };
  constexpr Row rows[] = {
      // MS-SMB2 3.1.4.1 and 3.1.4.3
      {SmbVersion::nt_lm_0_12, SmbProtection::md5, SmbProtection::none},
      {SmbVersion::smb2_2_002, SmbProtection::hmac_sha256, SmbProtection::none},
      {SmbVersion::smb2_2_1, SmbProtection::hmac_sha256, SmbProtection::none},
      {SmbVersion::smb3_3_0, SmbProtection::aes_128_cmac, SmbProtection::aes_128_ccm},
      {SmbVersion::smb3_3_1_1, SmbProtection::aes_128_gmac, SmbProtection::aes_128_gcm}};
  for (const Row& row : rows) {
    const auto dialect = negotiate(row.version, SmbVersion::smb3_3_1_1);
    CHECK(dialect->signature() == row.signature);
    CHECK(dialect->cipher() == row.cipher);
  }
}

TEST_CASE("Encryption takes the place of the signature", "[smb]") {
  RedirectorConfig client = client_of(SmbVersion::smb3_3_0);
  SmbServerConfig server = server_of(SmbVersion::smb3_3_1_1);
  const auto protection = [&] {
    return negotiate(client.version, server.version)->limits(client, server).protection;
  };
  CHECK(protection() == SmbProtection::none);
  client.signing = true;
  CHECK(protection() == SmbProtection::aes_128_cmac);
  server.encryption = true;
  CHECK(protection() == SmbProtection::aes_128_ccm);
}

TEST_CASE("Encryption with a dialect before 3.0 is an error that names it", "[smb]") {
  RedirectorConfig client = client_of(SmbVersion::smb3_3_1_1);
  client.encryption = true;
  const SmbServerConfig server = server_of(SmbVersion::smb2_2_1);
  CHECK_THROWS_AS((Share{client, server}), ConfigError);
  CHECK_THROWS_WITH((Share{client, server}),
                    "redirector: encryption needs smb3-3.0 or newer at both ends, got smb2-2.1");
}

TEST_CASE("An encrypted message is 52 bytes longer, a compounded chain once", "[smb]") {
  // Two messages each way: the open with its four queries in one chain, and the read.
  CHECK(bytes_of_a_read(true) - bytes_of_a_read(false) == 4 * smb_transform_header);
}

TEST_CASE("Negotiation and session set-up are not encrypted", "[smb]") {
  const auto bytes = [](bool encrypted) {
    RedirectorConfig redirector = client_of(SmbVersion::smb3_3_0);
    redirector.encryption = encrypted;
    Share share{redirector, server_of(SmbVersion::smb3_3_0)};
    CHECK(share.sim.run(share.client.connect()) == IoStatus::ok);
    return share.transport.counters().wire_bytes;
  };
  CHECK(bytes(true) - bytes(false) == 2 * smb_transform_header);  // the tree connection
}

TEST_CASE("A cipher works at both ends for each byte that is read", "[smb]") {
  // 1 MB/s at each end: a read of 60,000 bytes, 60 ms at the server and 60 ms at the client.
  constexpr SmbMessageCost cost{.algorithms = {.aes_128_gcm = Bandwidth{1e6}}};
  RedirectorConfig redirector = client_of(SmbVersion::smb3_3_1_1);
  redirector.encryption = true;
  redirector.request_cpu = 0ms;
  SmbServerConfig config = server_of(SmbVersion::smb3_3_1_1);
  config.request_cpu = 0ms;
  Simulation sim;
  SharedCpu cpu{sim, "host", {.cores = 2}};
  MemoryStore store{sim};
  store.add("f", some_file(0, 60000_B));
  DelayTransport transport{sim};
  SmbServer server{sim, "server", cpu, store, config, cost};
  SmbClient client{sim, cpu, transport, server, redirector, cost};
  OpenResult opened = sim.run(client.open("f", {.cached = false}));
  const auto file = opened.take();
  const SimTime start = sim.now();

  sim.run(read_one(*file, {0_B, 60000_B}));

  CHECK(sim.now() - start == 10ms + 120ms);
}

TEST_CASE("A compounded chain fills each part but the last to eight bytes", "[smb]") {
  const Smb2Dialect dialect;
  // A name of two characters: 4 + 124 -> 128, 105 -> 112, 88; 4 + 152, 178 -> 184, 124.
  const SmbMessage chain =
      dialect.compound(SmbOperation::create, 4_B, {.queries = 1, .closes = true});
  CHECK(chain.request == 332_B);
  CHECK(chain.response == 464_B);
  const SmbMessage alone = dialect.compound(SmbOperation::create, 4_B, {});
  CHECK(alone.request == 128_B);  // captured
  CHECK(alone.response == 156_B);
}

TEST_CASE("Each part of a chain costs a credit, and what finds none goes alone", "[smb]") {
  const auto round_trips = [](int credits) {
    SmbServerConfig config = smb2_server(credits);
    config.credits_growth = 0;
    Share share{smb2_redirector(), config};
    share.store.add("f", some_file(0, 1000_B));
    CHECK(share.sim.run(share.client.query("f")) == IoStatus::ok);
    const std::int64_t to_know = share.client.counters().round_trips;
    const auto file = open(share, "f", {.create = false, .cached = false});
    return std::pair{to_know, share.client.counters().round_trips - 2 * to_know};
  };
  // To learn of a path: open, query, close; to open after it: an open with four queries.
  CHECK(round_trips(5) == std::pair<std::int64_t, std::int64_t>{1, 1});
  CHECK(round_trips(3) == std::pair<std::int64_t, std::int64_t>{1, 3});
  CHECK(round_trips(2) == std::pair<std::int64_t, std::int64_t>{3, 4});
}
