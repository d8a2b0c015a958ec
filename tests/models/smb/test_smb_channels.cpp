#include <memory>
#include <vector>

#include "models/smb/share.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

RedirectorConfig several_channels(int channels) {
  RedirectorConfig config;
  config.version = SmbVersion::smb3_3_0;
  config.channels = channels;
  return config;
}

SmbServerConfig smb3_server(int credits) {
  SmbServerConfig config;
  config.version = SmbVersion::smb3_3_0;
  config.credits_initial = credits;
  config.credits_maximum = credits;
  return config;
}

// A share over several wires of 10 ms round trip.
struct ChannelShare {
  ChannelShare(int channels, int credits)
      : share{several_channels(channels), smb3_server(credits)} {
    for (int i = 1; i < share.client.connection().limits().channels; ++i) {
      more.push_back(std::make_unique<DelayTransport>(share.sim));
      share.client.bind(*more.back());
    }
    share.store.add("f", some_file(0, 4_MiB));
  }

  // Reads of 64 KiB, all at once.
  Duration time_of_reads(File& file, int count) {
    const SimTime start = share.sim.now();
    share.sim.run(read_many(share.sim, file, 64_KiB, count));
    return share.sim.now() - start;
  }

  std::vector<std::unique_ptr<DelayTransport>> more;  // outlives the client
  Share share;
};

}  // namespace

TEST_CASE("Channels come with SMB 3.0; an older dialect has one connection", "[smb]") {
  const auto channels = [](SmbVersion version) {
    return negotiate(version, SmbVersion::smb3_3_1_1)
        ->limits(several_channels(4), smb3_server(128))
        .channels;
  };
  CHECK(channels(SmbVersion::nt_lm_0_12) == 1);
  CHECK(channels(SmbVersion::smb2_2_1) == 1);
  CHECK(channels(SmbVersion::smb3_3_0) == 4);
  CHECK(channels(SmbVersion::smb3_3_1_1) == 4);
}

TEST_CASE("Each further channel is bound in four round trips, after one for the cards", "[smb]") {
  const auto time_to_connect = [](int channels) {
    ChannelShare bench{channels, 128};
    CHECK(bench.share.sim.run(bench.share.client.connect()) == IoStatus::ok);
    return bench.share.sim.now() - SimTime{};
  };
  CHECK(time_to_connect(1) == 50ms);   // handshake, negotiation, 2 x session set-up, tree
  CHECK(time_to_connect(2) == 100ms);  // cards; handshake, negotiation, 2 x session set-up
  CHECK(time_to_connect(4) == 180ms);
}

TEST_CASE("Credits belong to a channel, and reads take the channels in turn", "[smb]") {
  const auto time_of_eight = [](int channels) {
    ChannelShare bench{channels, 2};
    const auto file = open(bench.share, "f", {.cached = false});
    return bench.time_of_reads(*file, 8);
  };
  CHECK(time_of_eight(1) == 40ms);  // two at a time
  CHECK(time_of_eight(2) == 20ms);
  CHECK(time_of_eight(4) == 10ms);
}

TEST_CASE("The requests of a channel that fails go over the others, with credits there", "[smb]") {
  ChannelShare bench{2, 4};
  const auto file = open(bench.share, "f", {.cached = false});
  bench.more[0]->cut = true;

  // Four of eight find out after 5 ms. The first channel is full until 10 ms; then they go there.
  CHECK(bench.time_of_reads(*file, 8) == 20ms);
  CHECK(bench.share.client.counters().read == 512_KiB);
  CHECK(bench.time_of_reads(*file, 8) == 20ms);  // from now on there is one channel, of 4 credits
}

TEST_CASE("An answer that a failing channel loses is asked for again on another", "[smb]") {
  ChannelShare bench{2, 4};
  const auto file = open(bench.share, "f", {.cached = false});
  bench.share.sim.spawn(
      [](Simulation& sim, DelayTransport& wire) -> Task<> {
        co_await sim.delay(7ms);
        wire.cut = true;
      }(bench.share.sim, *bench.more[0]),
      "cutter");

  // Two reads: at 10 ms one has its answer, the other learns that its own is lost; 10 ms more.
  CHECK(bench.time_of_reads(*file, 2) == 20ms);
  CHECK(bench.share.client.counters().read == 128_KiB);
}

TEST_CASE(
    "A request without file data survives its channel, too, and the last one's end is an error",
    "[smb]") {
  ChannelShare bench{2, 8};
  const auto file = open(bench.share, "f", {.cached = false});
  bench.share.transport.cut = true;
  const SimTime start = bench.share.sim.now();
  CHECK(bench.share.sim.run(file->flush()) == IoStatus::ok);
  CHECK(bench.share.sim.now() - start == 15ms);  // lost after 5 ms, then a round trip

  bench.more[0]->cut = true;
  CHECK(bench.share.sim.run(file->flush()) == IoStatus::link_down);
}
