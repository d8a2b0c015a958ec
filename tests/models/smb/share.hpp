#pragma once

#include <memory>
#include <string>
#include <utility>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/models/smb/smb_client.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>

#include "models/smb/memory_store.hpp"

namespace copysim::test {

/// A processor that costs nothing.
class FreeCpu final : public Cpu {
public:
  [[nodiscard]] Task<> run(Duration /*work*/, CpuWork /*kind*/) override { co_return; }
  [[nodiscard]] int cores() const override { return 1; }
  [[nodiscard]] Duration used(CpuWork /*kind*/) const override { return Duration::zero(); }
};

/// A wire that only delays: 5 ms each way, until it is cut.
class DelayTransport final : public Transport {
public:
  explicit DelayTransport(Simulation& simulation) : simulation_{simulation} {}

  [[nodiscard]] Task<IoStatus> connect() override {
    co_await simulation_.delay(10ms);
    co_return IoStatus::ok;
  }
  [[nodiscard]] Task<IoStatus> deliver(Toward /*toward*/, Bytes message) override {
    ++counters_.messages;
    counters_.wire_bytes += message;
    co_await simulation_.delay(5ms);
    co_return cut ? IoStatus::link_down : IoStatus::ok;
  }
  [[nodiscard]] const TransportCounters& counters() const override { return counters_; }

  bool cut = false;

private:
  Simulation& simulation_;
  TransportCounters counters_;
};

/// A share over a wire of 10 ms round trip, whose processors cost nothing.
struct Share {
  explicit Share(RedirectorConfig redirector = {}, SmbServerConfig config = {})
      : server{sim, "server", cpu, store, config},
        client{sim, cpu, transport, server, redirector} {}

  Simulation sim;
  FreeCpu cpu;
  MemoryStore store{sim};
  DelayTransport transport{sim};
  SmbServer server;
  SmbClient client;
};

/// Redirector and server that both speak SMB 2.002.
inline RedirectorConfig smb2_redirector() {
  RedirectorConfig config;
  config.version = SmbVersion::smb2_2_002;
  return config;
}
inline SmbServerConfig smb2_server(int credits) {
  SmbServerConfig config;
  config.version = SmbVersion::smb2_2_002;
  config.credits_initial = credits;
  config.credits_maximum = credits;
  return config;
}

/// 1 MB of the file with this number.
inline Content some_file(std::uint32_t number, Bytes length) {
  return Content{Origin{Origin::first_file + number, 1, 0_B}, length};
}

inline std::unique_ptr<File> open(Share& share, std::string name, OpenOptions options) {
  OpenResult opened = share.sim.run(share.client.open(std::move(name), options));
  return opened.take();
}

inline Task<> read_one(File& file, Extent extent) {
  const ReadResult result = co_await file.read(extent);
  static_cast<void>(result);
}

/// Reads `count` pieces of one handle at once and ends when all are there.
inline Task<> read_many(Simulation& sim, File& file, Bytes piece, int count) {
  TaskGroup group{sim};
  for (int i = 0; i < count; ++i) group.spawn(read_one(file, {piece * i, piece}));
  co_await group.join();
}

/// Reads a file from its start, one piece after the other.
inline Task<Content> read_in_order(File& file, Bytes piece) {
  Content content;
  for (Bytes at; at < file.size(); at += piece) {
    const ReadResult result = co_await file.read({at, piece});
    content.append(result.content());
  }
  co_return content;
}

/// Writes content to a file from its start, one piece after the other.
inline Task<IoStatus> write_in_order(File& file, Content content, Bytes piece) {
  for (Bytes at; at < content.size(); at += piece) {
    Content part = content.slice({at, std::min(piece, content.size() - at)});
    const IoStatus status = co_await file.write(at, std::move(part));
    if (status != IoStatus::ok) co_return status;
  }
  co_return IoStatus::ok;
}

}  // namespace copysim::test
