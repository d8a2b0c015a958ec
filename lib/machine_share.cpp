#include "machine_share.hpp"

#include <string>
#include <utility>

#include <copysim/lib/machine.hpp>
#include <copysim/lib/workload.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/models/link/logged_transport.hpp>
#include <copysim/models/smb/smb_client.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/models/smb/smb_session.hpp>

namespace copysim::detail {

namespace {

TransportEnd transport_end(Machine& machine, const TcpConfig& tcp) {
  return {&machine.cpu(), tcp, machine.config().machine.network};
}

// Another client looks at a file. It is no matter what comes of it. `share` outlives the task.
Task<> visit(Simulation& sim, Duration after, SmbClient& share, std::string name) {
  co_await sim.delay(after);
  OpenResult opened = co_await share.open(std::move(name), {});
  if (!opened.ok()) co_return;
  const std::unique_ptr<File> file = opened.take();
  [[maybe_unused]] const IoStatus closed = co_await file->close();
}

void add_to(TransportCounters& sum, const TransportCounters& more) {
  sum.messages += more.messages;
  sum.frames += more.frames;
  sum.wire_bytes += more.wire_bytes;
  sum.window_stalls += more.window_stalls;
  sum.delayed_acks += more.delayed_acks;
  sum.retransmissions += more.retransmissions;
  sum.timeouts += more.timeouts;
  sum.lost_frames += more.lost_frames;
}

}  // namespace

// TCP, what writes its messages down, and what looks after it where the link can fail.
struct RemoteShare::Connection {
  std::unique_ptr<Transport> transport;
  std::unique_ptr<LoggedTransport> logged;
  std::unique_ptr<SmbSession> session;
};

RemoteShare::RemoteShare(Simulation& sim, const ScenarioConfig& config, Machine& client,
                         Machine& far, FileStore& directory, const Observers& observers)
    : sim_{sim}, link_{make_link(sim, config.link)} {
  const SystemConfig& behind = config.server->system;
  server_ =
      std::make_unique<SmbServer>(sim, "server", far.cpu(), directory, behind.server, behind.smb);
  const SystemConfig& system = config.client.system;
  share_ = std::make_unique<SmbClient>(sim, client.cpu(), connect(config, client, far, observers),
                                       *server_, system.redirector, system.smb);
  share_->contents_compress_to(config.workload.compressed_to);
  const int channels = share_->connection().limits().channels;
  for (int i = 1; i < channels; ++i) share_->bind(connect(config, client, far, observers));
  if (config.copy.visitor_after > 0ns) admit_visitor(config, far);
}

RemoteShare::~RemoteShare() = default;

FileStore& RemoteShare::store() {
  return *share_;
}

Transport& RemoteShare::connect(const ScenarioConfig& config, Machine& client, Machine& far,
                                const Observers& observers) {
  RedirectorConfig redirector = config.client.system.redirector;
  const SmbServerConfig& server = config.server->system.server;
  // Where there are others, a connection that is lost is not made again.
  const bool alone =
      negotiate(redirector.version, server.version)->limits(redirector, server).channels == 1;
  redirector.durable_handles = redirector.durable_handles && alone;
  Connection made;
  made.transport = link_->open(transport_end(client, config.client.system.tcp),
                               transport_end(far, config.server->system.tcp));
  Transport* carrier = made.transport.get();
  if (observers.messages != nullptr) {
    made.logged = std::make_unique<LoggedTransport>(sim_, *carrier, *observers.messages);
    carrier = made.logged.get();
  }
  if (made.transport->may_fail()) {
    made.session = std::make_unique<SmbSession>(sim_, *carrier, redirector, server.version);
    carrier = made.session.get();
  }
  connections_.push_back(std::move(made));
  return *carrier;
}

// A machine like the client, with a connection of its own over the same link.
void RemoteShare::admit_visitor(const ScenarioConfig& config, Machine& far) {
  const SystemConfig& system = config.client.system;
  visitor_ = std::make_unique<Machine>(sim_, "visitor", config.client);
  visitor_transport_ = link_->open(transport_end(*visitor_, system.tcp),
                                   transport_end(far, config.server->system.tcp));
  visitor_share_ = std::make_unique<SmbClient>(sim_, visitor_->cpu(), *visitor_transport_, *server_,
                                               system.redirector, system.smb);
  std::string first = workload_files(config.workload).front().name;
  sim_.spawn(visit(sim_, config.copy.visitor_after, *visitor_share_, std::move(first)), "visitor");
}

FileStore& RemoteShare::beside(FileStore& directory, bool same_share) {
  beside_ = std::make_unique<SmbClient>(*share_, directory, same_share);
  return *beside_;
}

void RemoteShare::count(Counters& counters) const {
  const auto add = [&](const char* name, auto value) {
    counters.emplace_back(name, static_cast<double>(value));
  };
  TransportCounters wire;
  std::int64_t timeouts = 0;
  std::int64_t reconnects = 0;
  for (const Connection& connection : connections_) {
    add_to(wire, connection.transport->counters());
    if (!connection.session) continue;
    timeouts += connection.session->timeouts();
    reconnects += connection.session->reconnects();
  }
  add("link.messages", wire.messages);
  add("link.frames", wire.frames);
  add("link.wire_bytes", wire.wire_bytes.count());
  add("link.window_stalls", wire.window_stalls);
  add("link.delayed_acks", wire.delayed_acks);
  add("link.retransmissions", wire.retransmissions);
  add("link.timeouts", wire.timeouts);
  add("link.lost_frames", wire.lost_frames);
  add("smb.timeouts", timeouts);
  add("smb.reconnects", reconnects);
  const SmbClientCounters& smb = share_->counters();
  add("smb.round_trips", smb.round_trips);
  add("smb.read_bytes", smb.read.count());
  add("smb.written_bytes", smb.written.count());
  add("smb.server_copied_bytes", smb.copied.count());
  add("smb.compressed_bytes", smb.compressed.count());
  add("smb.compression_saved_bytes", smb.saved.count());
  add("smb.written_behind_bytes", smb.written_behind.count());
  add("smb.oplocks", server_->oplocks().granted());
  add("smb.oplock_breaks", server_->oplocks().breaks());
  add("smb.outstanding_peak", smb.outstanding_peak);
  add("smb.slot_stalls", smb.slot_stalls);
  add("smb.server_requests", server_->counters().requests);
  add("smb.server_queue_peak", server_->counters().queue_peak);
  add("smb.write_through_opens", server_->counters().write_through_opens);
}

}  // namespace copysim::detail
