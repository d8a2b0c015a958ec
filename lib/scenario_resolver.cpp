#include "scenario_resolver.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include <copysim/lib/catalogue.hpp>

namespace copysim::detail {

namespace {

void read_volume(SettingsReader& reader, const std::string& name, VolumeSetup& volume) {
  reader.enter(name, {});
  read_value<std::string>("drive", "sheet of its drive", volume.drive, {}, reader);
  read_value<FileSystemKind>("filesystem", "ntfs, fat32, ext2, ext3 or tmpfs", volume.file_system,
                             {}, reader);
  if (volume.file_system == FileSystemKind::tmpfs) {
    reader.leave();
    return;
  }
  read_value<std::string>("shares", "volume whose drive it shares", volume.shares, {}, reader);
  reader.read("partition", volume.partition);
  read_parameters(volume.layout, reader);
  if (volume.shares.empty()) {
    reader.enter("device", "the drive");
    read_drive(volume.device, reader);
    reader.leave();
  }
  reader.leave();
}

}  // namespace

void ScenarioResolver::read_machine(SettingsReader& reader, const std::string& side,
                                    MachineConfig& machine) const {
  reader.read("cpu", machine.cpu);
  reader.read("memory", machine.memory);
  reader.read("network", machine.network);
  reader.enter("volumes", {});
  for (const std::string& name : sheets_.all().children(side + ".volumes")) {
    read_volume(reader, name, machine.volumes[name]);
  }
  reader.leave();
}

void ScenarioResolver::read_host(SettingsReader& reader, const std::string& side,
                                 HostConfig& host) const {
  reader.enter(side, {});
  read_value<std::string>("machine", "sheet of its hardware", host.machine.id, {}, reader);
  read_value<std::string>("system", "sheet of its system", host.system.id, {}, reader);
  if (side == "server" && host.system.id == "client") {
    host.system.id = sheets_.text("client.system");
  }
  host.on_client = sheets_.on_client(side);
  if (!host.on_client) read_machine(reader, side, host.machine);
  read_parameters(host.system, reader);
  reader.leave();
}

void ScenarioResolver::read_workload(SettingsReader& reader, ScenarioConfig& config) const {
  const std::vector<std::string> names = sheets_.all().children("workloads");
  if (names.empty()) sheets_.fail("workloads", "must have at least one table [workloads.<name>]");
  if (config.copy.workload.empty()) {
    const bool single = std::find(names.begin(), names.end(), "single") != names.end();
    if (!single && names.size() > 1 && sheets_.text("copy.workload").empty())
      sheets_.fail("copy.workload", "must be one of " + joined(names));
    config.copy.workload = single ? "single" : names.front();
  }
  reader.read("copy", config.copy);
  if (std::find(names.begin(), names.end(), config.copy.workload) == names.end()) {
    sheets_.fail("copy.workload",
                 "must be one of " + joined(names) + suggestion(config.copy.workload, names));
  }
  // All are read, so that a mistake shows before its workload is chosen.
  for (const std::string& name : names) {
    WorkloadConfig workload;
    reader.read("workloads." + name, workload);
    if (name == config.copy.workload) config.workload = workload;
  }
}

void ScenarioResolver::read_desktop(SettingsReader& reader, ScenarioConfig& config) const {
  DesktopConfig desktop;
  reader.read("desktop", desktop);
  const std::vector<std::string> names = sheets_.all().children("tasks");
  const std::vector<std::string> files = sheets_.all().children("workloads");
  std::map<std::string, DesktopTask> tasks;
  for (const std::string& name : names) {
    DesktopTask& task = tasks[name];
    task.name = name;
    std::string key = "tasks." + name;
    reader.read(key, task.program);
    const std::string& input = task.program.input;
    if (input.empty()) continue;
    if (std::find(files.begin(), files.end(), input) == files.end()) {
      sheets_.fail(key.append(".input"),
                   "must be one of " + joined(files) + suggestion(input, files));
    }
    reader.read("workloads." + input, task.input.emplace());
  }
  const auto chosen = [&](std::string_view key, const std::string& name) {
    const auto found = tasks.find(name);
    if (found == tasks.end()) {
      sheets_.fail(key, "must name tasks of " + joined(names) + suggestion(name, names));
    }
    return found->second;
  };
  config.desktop.lead = desktop.lead;
  if (!desktop.foreground.empty()) {
    config.desktop.foreground = chosen("desktop.foreground", desktop.foreground);
  }
  std::istringstream list{desktop.background};
  for (std::string name; std::getline(list, name, ',');) {
    const std::size_t first = name.find_first_not_of(' ');
    const std::size_t last = name.find_last_not_of(' ');
    name = first == std::string::npos ? "" : name.substr(first, last - first + 1);
    config.desktop.background.push_back(chosen("desktop.background", name));
  }
}

void ScenarioResolver::check_volumes(const ScenarioConfig& config) const {
  const auto check = [this](std::string_view key, const std::string& name, const HostConfig& host) {
    std::vector<std::string> names;
    for (const auto& [volume, setup] : host.machine.volumes) names.push_back(volume);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      sheets_.fail(key, "must be a volume of the machine: " + joined(names) +
                            suggestion(name, names) +
                            (sheets_.all().find(key) == nullptr ? " (default: system)" : ""));
    }
  };
  const bool on_server = config.copy.direction == Direction::server;
  if (on_server && !config.remote()) {
    sheets_.fail("copy.direction", "must be read or write without [server] and [link]");
  }
  if (config.copy.visitor_after > Duration{0} && !config.remote()) {
    sheets_.fail("copy.visitor_after", "must be 0 without [server] and [link]");
  }
  if (on_server && (config.desktop.foreground || !config.desktop.background.empty())) {
    sheets_.fail("copy.direction", "must be read or write with tasks of the desktop");
  }
  check("copy.from", config.copy.from, on_server ? *config.server : config.client);
  check("copy.to", config.copy.to, config.remote() ? *config.server : config.client);
}

// A device scenario has no machines, no policy and no workload.
ResolvedScenario ScenarioResolver::resolve_device() {
  if (sheets_.text("device.drive").empty()) {
    sheets_.fail("device.drive", "must name a drive sheet" + known_text(catalogue().ids("drives")));
  }
  sheets_.add_sheet("drives", "device.drive", "device");
  ResolvedScenario resolved;
  DeviceBenchmark& bench = resolved.config.device.emplace();
  SettingsReader reader{sheets_.all()};
  reader.enter("device", {});
  read_value<std::string>("drive", "sheet of the drive", bench.drive, {}, reader);
  read_drive(bench.device, reader);
  reader.leave();
  reader.read("benchmark", bench.benchmark);
  reader.read("run", resolved.config.run);
  reader.finish();
  resolved.settings = reader.effective();
  return resolved;
}

void ScenarioResolver::read_link(SettingsReader& reader, ScenarioConfig& config) const {
  std::string link_id;
  reader.enter("link", {});
  read_value<std::string>("id", "sheet of the link", link_id, {}, reader);
  read_parameters(config.link, reader);
  reader.leave();
}

ResolvedScenario ScenarioResolver::resolve_reception() {
  sheets_.add_machine("client");
  sheets_.add_sheet("links", "link.id", "link");
  ResolvedScenario resolved;
  SettingsReader reader{sheets_.all()};
  read_host(reader, "client", resolved.config.client);
  read_link(reader, resolved.config);
  reader.read("reception", resolved.config.reception.emplace());
  reader.read("run", resolved.config.run);
  reader.finish();
  resolved.settings = reader.effective();
  return resolved;
}

ResolvedScenario ScenarioResolver::resolve_file_server() {
  sheets_.add_machine("server");
  ResolvedScenario resolved;
  SettingsReader reader{sheets_.all()};
  read_host(reader, "server", resolved.config.server.emplace());
  reader.read("file_server", resolved.config.file_server.emplace());
  reader.read("run", resolved.config.run);
  reader.finish();
  resolved.settings = reader.effective();
  return resolved;
}

ResolvedScenario ScenarioResolver::resolve() {
  if (sheets_.all().contains("device") || sheets_.all().contains("benchmark"))
    return resolve_device();
  if (sheets_.all().contains("file_server")) return resolve_file_server();
  if (sheets_.all().contains("reception")) return resolve_reception();
  sheets_.add_sheet("loads", "load", "");
  sheets_.choose_client_system(*policies_);
  const bool remote = sheets_.all().contains("server");
  const bool linked = sheets_.all().contains("link");
  if (remote && !linked) {
    sheets_.fail("link",
                 "must be given beside server: a sheet as link.id, or link.rate and link.rtt" +
                     known_text(catalogue().ids("links")));
  }
  if (linked && !remote) {
    sheets_.fail(
        "server",
        "must be given beside link, with server.machine and server.system; a copy within one "
        "machine has neither");
  }
  sheets_.add_machine("client");
  if (remote) {
    sheets_.add_machine("server");
    sheets_.add_sheet("links", "link.id", "link");
  }

  ResolvedScenario resolved;
  ScenarioConfig& config = resolved.config;
  SettingsReader reader{sheets_.all()};
  read_host(reader, "client", config.client);
  if (remote) {
    HostConfig& server = config.server.emplace();
    read_host(reader, "server", server);
    if (server.on_client) {
      server.machine = config.client.machine;
      server.machine.id = "client";
    }
    read_link(reader, config);
  }
  config.copy.direction = remote ? Direction::read : Direction::write;
  std::string load;
  read_value<std::string>("load", "sheet of workloads and tasks", load, {}, reader);
  read_workload(reader, config);
  read_desktop(reader, config);
  reader.read("run", config.run);
  reader.enter("policy", {});
  read_value<std::string>("id", "the engine", config.policy_id, {}, reader);
  resolved.policy = policies_->find(config.policy_id).make(reader);
  reader.leave();
  reader.finish();
  check_volumes(config);
  resolved.settings = reader.effective();
  return resolved;
}

}  // namespace copysim::detail
