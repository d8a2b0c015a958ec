#include <copysim/models/link/link.hpp>
#include <copysim/models/link/logged_transport.hpp>

#include "models/link/link_support.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

TEST_CASE("a logged transport keeps what it passes on", "[link]") {
  Simulation sim;
  MessageLog log;
  const auto link = make_link(sim, {.rate = Bandwidth{0}, .rtt = 10ms});
  const auto transport = link->open(plain_end(), plain_end());
  LoggedTransport logged{sim, *transport, log};

  sim.run(ping_pong(logged, 63_B, 1460_B, 2));

  // Each message takes half a round trip.
  REQUIRE(log.messages.size() == 4);
  CHECK(log.messages[1].at == SimTime{5ms});
  CHECK(log.messages[1].toward == Toward::client);
  CHECK(log.messages[1].size == 1460_B);
  CHECK(log.messages[3].at == SimTime{15ms});
  CHECK(log.most_at_once == 1);
  CHECK(logged.counters().messages == 4);
}

TEST_CASE("log is played back at its times", "[link]") {
  const MessageLog log{.messages = {{SimTime{1ms}, Toward::server, 63_B},
                                    {SimTime{8ms}, Toward::client, 1460_B},
                                    {SimTime{9ms}, Toward::client, 1460_B},
                                    {SimTime{90ms}, Toward::server, 63_B}},
                       .most_at_once = 2};
  Simulation sim;
  const auto link = make_link(sim, {.rate = Bandwidth{0}, .rtt = 10ms});
  const auto transport = link->open(plain_end(), plain_end());

  // The third is there after 9 + 5 ms; the fourth does not count.
  sim.run(play_back(sim, *transport, log, 3));
  CHECK(sim.now() == SimTime{14ms});
  CHECK(transport->counters().messages == 3);
}
