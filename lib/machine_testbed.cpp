#include <algorithm>
#include <optional>
#include <string>

#include <copysim/error.hpp>
#include <copysim/lib/machine.hpp>
#include <copysim/lib/testbed.hpp>
#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/directory.hpp>

#include "machine_share.hpp"
#include "trace_recorder.hpp"

namespace copysim {

namespace {

// Each directory gets identities of its own: room for 16 million files.
constexpr std::uint32_t source_ids = Origin::first_file;
constexpr std::uint32_t ids_per_directory = 1U << 24;
constexpr std::uint32_t target_ids = source_ids + ids_per_directory;

void check_copy(const ScenarioConfig& config) {
  if (config.device) {
    throw ConfigError{"scenario",
                      "must describe a copy, got a benchmark of " + config.device->drive};
  }
}

// All referenced objects live as long as the simulation.
Task<> run_again_and_again(Program& program, FileStore& input, FileStore& output) {
  for (;;) {
    const ProgramReport report = co_await program.run(input, output);
    if (report.status != IoStatus::ok || report.elapsed == 0ns) co_return;
  }
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
      const bool far_source = (reads || on_server) && server != nullptr;
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
      share = std::make_unique<detail::RemoteShare>(sim, config, client, far, far_end, observers);
      far_store = &share->store();
    }
    FileStore* near_store = &near_end;
    if (on_server) {
      const bool one_share = config.copy.from == config.copy.to;
      near_store = &share->beside(near_end, one_share);
    }
    source = reads ? far_store : near_store;
    target = reads ? near_store : far_store;
    if (observers.recorder != nullptr) observe(*observers.recorder);
  }

  ~Parts() { sim.close(); }

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
  std::unique_ptr<detail::RemoteShare> share;
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
  parts_->share->count(counters);
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
