#include <memory>
#include <vector>

#include <copysim/models/link/link.hpp>
#include <copysim/models/smb/smb_client.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/models/smb/smb_session.hpp>

#include "models/link/link_support.hpp"
#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// One client writes 10 MiB in pieces of 60 KiB, one after the other, over 10 ms and 100 Mbit/s.
struct Outcome {
  IoStatus status;
  Duration elapsed;
  Content written;
  std::int64_t reconnects;
  std::int64_t timeouts;
};

Outcome write_over(LinkConfig link_config, RedirectorConfig redirector, SmbServerConfig config,
                   TransportEnd client_end, TransportEnd server_end = plain_end()) {
  link_config.rate = Bandwidth::bits_per_second(100e6);
  link_config.rtt = 10ms;
  Simulation sim;
  FreeCpu cpu;
  MemoryStore store{sim};
  const auto link = make_link(sim, link_config);
  const auto transport = link->open(client_end, server_end);
  SmbSession session{sim, *transport, redirector, config.version};
  SmbServer server{sim, "server", cpu, store, config};
  SmbClient client{sim, cpu, session, server, redirector};
  OpenResult opened = sim.run(client.open("f", {.create = true, .local_buffering = false}));
  const auto file = opened.take();
  const IoStatus status = sim.run(write_in_order(*file, some_file(0, 10_MiB), 60_KiB));
  return {status, sim.now() - SimTime{}, store.node("f").content.read({0_B, 10_MiB}),
          session.reconnects(), session.timeouts()};
}

LinkConfig down_for(LinkDetail detail, Duration length) {
  LinkConfig config{.detail = detail};
  config.down_from = 1s;
  config.down_for = length;
  return config;
}

RedirectorConfig vista() {
  RedirectorConfig config = smb2_redirector();
  config.durable_handles = true;
  config.request_timeout = 60s;
  return config;
}

TransportEnd linux_end() {
  TransportEnd end = plain_end();
  end.tcp.least_timeout = 200ms;
  end.tcp.max_retransmissions = 15;
  return end;
}

// Without an outage.
Duration undisturbed(LinkDetail detail, const RedirectorConfig& redirector,
                     const SmbServerConfig& server) {
  return write_over(down_for(detail, 0s), redirector, server, plain_end()).elapsed;
}

}  // namespace

TEST_CASE("a pause of 5 s is TCP's to bridge, whatever the client", "[smb][packet]") {
  const LinkDetail detail = GENERATE(LinkDetail::burst, LinkDetail::packet);
  const Outcome outcome = write_over(down_for(detail, 5s), {}, {}, plain_end());
  CHECK(outcome.status == IoStatus::ok);
  CHECK(outcome.written == some_file(0, 10_MiB));
  // Sent again after 0.3, 0.9, 2.1, 4.5 and 9.3 s; the last one gets through. Slow start begins
  // with one segment, whose ACK is delayed by 200 ms, and costs a few round trips and perhaps
  // another odd segment more.
  const double lost = seconds(outcome.elapsed - undisturbed(detail, {}, {}));
  CHECK(lost > 9.3 - 0.02);
  CHECK(lost < 9.3 + 0.5);
}

TEST_CASE("30 s without a path: XP's requests end with an error when TCP gives up",
          "[smb][packet]") {
  const LinkDetail detail = GENERATE(LinkDetail::burst, LinkDetail::packet);
  const Outcome outcome = write_over(down_for(detail, 30s), {}, {}, plain_end());
  CHECK(outcome.status == IoStatus::link_down);
  CHECK(outcome.reconnects == 0);
  // 0.3 x 63 s after the message that the outage caught, which is at most one exchange earlier.
  CHECK(seconds(outcome.elapsed) == Approx(1 + 18.9).margin(0.05));
}

TEST_CASE("30 s without a path: Vista connects again and goes on, and every byte is in place",
          "[smb][packet]") {
  const LinkDetail detail = GENERATE(LinkDetail::burst, LinkDetail::packet);
  const SmbServerConfig server = smb2_server(32);
  const Outcome outcome = write_over(down_for(detail, 30s), vista(), server, plain_end());
  CHECK(outcome.status == IoStatus::ok);
  CHECK(outcome.reconnects == 1);
  CHECK(outcome.written == some_file(0, 10_MiB));
  // TCP gives up after 18.9 s; handshakes 0, 3 and 9 s later are lost, given up after 21 s; the
  // next one, 39.9 s after the start of the outage, is answered.
  const double lost = seconds(outcome.elapsed - undisturbed(detail, vista(), server));
  CHECK(lost > 39.9 - 0.02);
  CHECK(lost < 39.9 + 0.5);
}

TEST_CASE("30 s without a path: smbclient on Linux loses patience after 20 s, before TCP does",
          "[smb][packet]") {
  const LinkDetail detail = GENERATE(LinkDetail::burst, LinkDetail::packet);
  RedirectorConfig smbclient = smb2_redirector();
  smbclient.request_timeout = 20s;
  const Outcome outcome =
      write_over(down_for(detail, 30s), smbclient, smb2_server(32), linux_end(), linux_end());
  CHECK(outcome.status == IoStatus::link_down);
  CHECK(outcome.timeouts == 1);
  CHECK(seconds(outcome.elapsed) == Approx(1 + 20).margin(0.05));
}

TEST_CASE("loss and jitter delay a copy over SMB, and no byte is lost or doubled",
          "[smb][packet][property]") {
  LinkConfig config{.detail = GENERATE(LinkDetail::burst, LinkDetail::packet)};
  config.loss = GENERATE(0.0, 0.001, 0.03);
  config.loss_run = GENERATE(1.0, 3.0);
  config.jitter = 20ms;
  INFO(to_string(config.detail) << ' ' << config.loss << ' ' << config.loss_run);
  const Outcome outcome = write_over(config, vista(), smb2_server(32), linux_end(), linux_end());
  CHECK(outcome.status == IoStatus::ok);
  CHECK(outcome.written == some_file(0, 10_MiB));
}
