#include <algorithm>
#include <optional>
#include <string>

#include <copysim/error.hpp>
#include <copysim/lib/machine.hpp>
#include <copysim/lib/testbed.hpp>
#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/directory.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/models/link/logged_transport.hpp>
#include <copysim/models/smb/smb_client.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/models/smb/smb_session.hpp>

#include "trace_recorder.hpp"

namespace copysim {

namespace {

// Each directory gets identities of its own: room for 16 million files.
constexpr std::uint32_t source_ids = Origin::first_file;
constexpr std::uint32_t ids_per_directory = 1U << 24;
constexpr std::uint32_t target_ids = source_ids + ids_per_directory;

TransportEnd transport_end(Machine& machine, const TcpConfig& tcp) {
  return {&machine.cpu(), tcp, machine.config().machine.network};
}

void check_copy(const ScenarioConfig& config) {
  if (config.device) {
    throw ConfigError{"scenario",
                      "must describe a copy, got a benchmark of " + config.device->drive};
  }
}

// One connection to the server: TCP, what writes its messages down, and what looks after it where
// the link can fail.
struct Connection {
  std::unique_ptr<Transport> transport;
  std::unique_ptr<LoggedTransport> logged;
  std::unique_ptr<SmbSession> session;
};

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

// All referenced objects live as long as the simulation.
Task<> run_again_and_again(Program& program, FileStore& input, FileStore& output) {
  for (;;) {
    const ProgramReport report = co_await program.run(input, output);
    if (report.status != IoStatus::ok || report.elapsed == 0ns) co_return;
  }
}

// Another client looks at a file. It is no matter what comes of it. `share` outlives the task.
Task<> visit(Simulation& sim, Duration after, SmbClient& share, std::string name) {
  co_await sim.delay(after);
  OpenResult opened = co_await share.open(std::move(name), {});
  if (!opened.ok()) co_return;
  const std::unique_ptr<File> file = opened.take();
  [[maybe_unused]] const IoStatus closed = co_await file->close();
}

}  // namespace

struct Testbed::Parts {
  /// A program of the scenario with its two directories.
  struct Installed {
    std::unique_ptr<Program> program;
    Directory* input = nullptr;
    Directory* output = nullptr;
  };
  Parts(const ScenarioConfig& config, std::uint64_t replication, const Observers& observers)
      : sim{{.seed = static_cast<std::uint64_t>(config.run.seed),
             .replication = replication,
             .record_paths = observers.paths}},
        client{sim, "client", config.client, observers.recorder} {
    // A copy goes from `from` to `to`, both of the client unless there is a server; a read comes
    // back the other way. With `server` both are of the server.
    if (config.server && !config.server->on_client) {
      server = std::make_unique<Machine>(sim, "server", *config.server, observers.recorder);
    }
    Machine& far = server ? *server : client;
    const bool reads = config.copy.direction == Direction::read;
    const bool on_server = config.copy.direction == Direction::server;
    Machine& near = on_server ? far : client;
    Directory& near_end = near.add_directory(config.copy.from, reads ? target_ids : source_ids);
    Directory& far_end = far.add_directory(config.copy.to, reads ? source_ids : target_ids);
    source_medium = reads ? &far_end : &near_end;
    target_medium = reads ? &near_end : &far_end;
    const DesktopPlan& desktop = config.desktop;
    if (!desktop.foreground) {
      const bool far_source = reads && server != nullptr;
      fill(*source_medium, config.workload,
           volume_key(far_source ? "server" : "client", reads ? config.copy.to : config.copy.from));
    }
    if (desktop.foreground) foreground = install(config.copy, *desktop.foreground);
    for (const DesktopTask& task : desktop.background) {
      background.push_back(install(config.copy, task));
    }

    for (const Installed& task : background) {
      sim.spawn(run_again_and_again(*task.program, *task.input, *task.output), "background");
    }

    FileStore* far_store = &far_end;
    if (config.server) {
      const SystemConfig& system = config.server->system;
      link = make_link(sim, config.link);
      smb_server =
          std::make_unique<SmbServer>(sim, "server", far.cpu(), far_end, system.server, system.smb);
      share =
          std::make_unique<SmbClient>(sim, client.cpu(), connect(config, observers), *smb_server,
                                      config.client.system.redirector, config.client.system.smb);
      const int channels = share->connection().limits().channels;
      for (int i = 1; i < channels; ++i) share->bind(connect(config, observers));
      far_store = share.get();
    }
    if (config.copy.visitor_after > 0ns) admit_visitor(config, far);
    FileStore* near_store = &near_end;
    if (on_server) {
      const bool one_share = config.copy.from == config.copy.to;
      source_share = std::make_unique<SmbClient>(*share, near_end, one_share);
      near_store = source_share.get();
    }
    source = reads ? far_store : near_store;
    target = reads ? near_store : far_store;
    if (observers.recorder != nullptr) observe(*observers.recorder);
  }

  ~Parts() { sim.close(); }

  // A machine like the client, with a connection of its own over the same link.
  void admit_visitor(const ScenarioConfig& config, Machine& far) {
    const SystemConfig& system = config.client.system;
    visitor = std::make_unique<Machine>(sim, "visitor", config.client);
    visitor_transport = link->open(transport_end(*visitor, system.tcp),
                                   transport_end(far, config.server->system.tcp));
    visitor_share = std::make_unique<SmbClient>(sim, visitor->cpu(), *visitor_transport,
                                                *smb_server, system.redirector, system.smb);
    std::string first = workload_files(config.workload).front().name;
    sim.spawn(visit(sim, config.copy.visitor_after, *visitor_share, std::move(first)), "visitor");
  }

  // One more connection to the server, with what looks after it.
  Transport& connect(const ScenarioConfig& config, const Observers& observers) {
    RedirectorConfig redirector = config.client.system.redirector;
    const SmbVersion version = config.server->system.server.version;
    // Where there are others, a connection that is lost is not made again.
    const bool alone = negotiate(redirector.version, version)
                           ->limits(redirector, config.server->system.server)
                           .channels == 1;
    redirector.durable_handles = redirector.durable_handles && alone;
    Connection made;
    made.transport =
        link->open(transport_end(client, config.client.system.tcp),
                   transport_end(server ? *server : client, config.server->system.tcp));
    Transport* carrier = made.transport.get();
    if (observers.messages != nullptr) {
      made.logged = std::make_unique<LoggedTransport>(sim, *carrier, *observers.messages);
      carrier = made.logged.get();
    }
    if (made.transport->may_fail()) {
      made.session = std::make_unique<SmbSession>(sim, *carrier, redirector, version);
      carrier = made.session.get();
    }
    connections.push_back(std::move(made));
    return *carrier;
  }

  static std::string volume_key(const std::string& side, const std::string& volume) {
    return side + ".volumes." + volume;
  }

  // The model does not know the key under which the scenario tells of its volume.
  static void fill(Directory& directory, const WorkloadConfig& files, const std::string& key) {
    try {
      for (const WorkloadFile& file : workload_files(files)) directory.add(file.name, file.size);
    } catch (const ConfigError& error) {
      throw ConfigError{key, error.what()};
    }
  }

  // Programs read on the volume that a copy comes from and write on the one that it goes to.
  [[nodiscard]] Installed install(const CopyConfig& copy, const DesktopTask& task) {
    const auto next_directory = [this] {
      next_ids += ids_per_directory;
      return next_ids;
    };
    Installed made;
    made.program = std::make_unique<Program>(sim, client.processes(), task.program);
    made.input = &client.add_directory(copy.from, next_directory());
    if (task.input) fill(*made.input, *task.input, volume_key("client", copy.from));
    made.output = &client.add_directory(server ? copy.from : copy.to, next_directory());
    return made;
  }

  // What the copying program sees passes through the recorder.
  void observe(detail::TraceRecorder& recorder) {
    recorder.dirty = [this] { return client.dirty() + (server ? server->dirty() : 0_B); };
    traced_source = detail::traced(sim, *source, "source", recorder);
    traced_target = detail::traced(sim, *target, "target", recorder);
    source = traced_source.get();
    target = traced_target.get();
  }

  Simulation sim;
  Machine client;
  std::unique_ptr<Machine> server;
  std::unique_ptr<Link> link;
  std::vector<Connection> connections;
  std::unique_ptr<SmbServer> smb_server;
  std::unique_ptr<SmbClient> share;
  std::unique_ptr<SmbClient> source_share;  // of a copy from server to server
  std::unique_ptr<Machine> visitor;
  std::unique_ptr<Transport> visitor_transport;
  std::unique_ptr<SmbClient> visitor_share;
  Directory* source_medium = nullptr;
  Directory* target_medium = nullptr;
  FileStore* source = nullptr;
  FileStore* target = nullptr;
  std::uint32_t next_ids = target_ids;
  std::optional<Installed> foreground;
  std::vector<Installed> background;
  std::unique_ptr<FileStore> traced_source;
  std::unique_ptr<FileStore> traced_target;
};

Testbed::Testbed(const ScenarioConfig& config, std::uint64_t replication,
                 const Observers& observers)
    : parts_{(check_copy(config), std::make_unique<Parts>(config, replication, observers))} {}

Testbed::~Testbed() = default;

Simulation& Testbed::simulation() {
  return parts_->sim;
}

FileStore& Testbed::source() {
  return *parts_->source;
}

FileStore& Testbed::target() {
  return *parts_->target;
}

std::vector<FileStore::Entry> Testbed::files() const {
  return parts_->source_medium->entries();
}

Cpu& Testbed::client_cpu() {
  return parts_->client.cpu();
}

Counters Testbed::counters() const {
  Counters counters;
  parts_->client.count(counters);
  if (!parts_->share) return counters;

  if (parts_->server) parts_->server->count(counters);
  const auto add = [&](const char* name, auto value) {
    counters.emplace_back(name, static_cast<double>(value));
  };
  TransportCounters wire;
  std::int64_t timeouts = 0;
  std::int64_t reconnects = 0;
  for (const Connection& connection : parts_->connections) {
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
  const SmbClientCounters& smb = parts_->share->counters();
  add("smb.round_trips", smb.round_trips);
  add("smb.read_bytes", smb.read.count());
  add("smb.written_bytes", smb.written.count());
  add("smb.server_copied_bytes", smb.copied.count());
  add("smb.written_behind_bytes", smb.written_behind.count());
  add("smb.oplocks", parts_->smb_server->oplocks().granted());
  add("smb.oplock_breaks", parts_->smb_server->oplocks().breaks());
  add("smb.outstanding_peak", smb.outstanding_peak);
  add("smb.slot_stalls", smb.slot_stalls);
  add("smb.server_requests", parts_->smb_server->counters().requests);
  add("smb.server_queue_peak", parts_->smb_server->counters().queue_peak);
  add("smb.write_through_opens", parts_->smb_server->counters().write_through_opens);
  return counters;
}

std::optional<TimedProgram> Testbed::program() {
  if (!parts_->foreground) return std::nullopt;
  const Parts::Installed& timed = *parts_->foreground;
  return TimedProgram{timed.program.get(), timed.input, timed.output};
}

std::vector<std::string> Testbed::damaged() const {
  std::vector<std::string> names;
  if (parts_->foreground) return names;
  // Both lists are in the order of their names.
  const auto there = parts_->target_medium->entries();
  const auto by_name = [](const FileStore::Entry& a, const FileStore::Entry& b) {
    return a.name < b.name;
  };
  for (const FileStore::Entry& entry : parts_->source_medium->entries()) {
    const auto it = std::lower_bound(there.begin(), there.end(), entry, by_name);
    const bool whole =
        it != there.end() && it->name == entry.name && it->size == entry.size &&
        parts_->target_medium->peek(entry.name) == parts_->source_medium->peek(entry.name);
    if (!whole) names.push_back(entry.name);
  }
  return names;
}

}  // namespace copysim
