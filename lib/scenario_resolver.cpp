#include "scenario_resolver.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>

#include "shared_sheet.hpp"

namespace copysim::detail {

namespace {

std::vector<std::string> policy_ids(const PolicyRegistry& policies) {
  std::vector<std::string> ids;
  for (const PolicyEntry& entry : policies.entries()) ids.push_back(entry.id);
  return ids;
}

std::string known(std::span<const std::string> ids) {
  return " (known: " + joined(ids) + ")";
}

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

void ScenarioResolver::fail(std::string_view key, const std::string& rule) const {
  if (all_.find(key) != nullptr) SettingsReader{all_}.reject(key, rule);
  throw ConfigError{name_, std::string{key} + " " + rule};
}

std::string ScenarioResolver::text(std::string_view key) const {
  const Setting* setting = all_.find(key);
  if (setting == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(&setting->value)) return *text;
  if (const auto* raw = std::get_if<UntypedText>(&setting->value)) return raw->text;
  SettingsReader{all_}.reject(key, "must be a text in quotes");
}

void ScenarioResolver::choose_client_system() {
  const std::vector<std::string> ids = policy_ids(*policies_);
  const std::string engine = text("policy.id");
  if (engine.empty()) fail("policy.id", "must name an engine" + known(ids));
  if (std::find(ids.begin(), ids.end(), engine) == ids.end()) {
    fail("policy.id", "must be one of " + joined(ids) + suggestion(engine, ids));
  }
  if (const Setting* chosen = all_.find("client.system")) {
    client_system_ = *chosen;
    return;
  }
  const std::string home = policies_->find(engine).home_system;
  if (home.empty()) {
    fail("client.system", "must be given, since the engine '" + engine + "' has no home system" +
                              known(catalogue().ids("systems")));
  }
  client_system_ = {home, SettingOrigin{}};
  all_.set("client.system", client_system_);
}

void ScenarioResolver::add_sheet(std::string_view kind, const std::string& id_key,
                                 const std::string& prefix) {
  std::string id = text(id_key);
  if (id.empty()) return;
  if (kind == "systems" && id == "client" && id_key == "server.system") {
    id = text("client.system");
  }
  if (!id.ends_with(".toml") && !catalogue().contains(kind, id)) {
    const std::vector<std::string> ids = catalogue().ids(kind);
    fail(id_key, "must be one of " + joined(ids) + suggestion(id, ids));
  }
  // What is there already was said by the scenario or a stronger sheet.
  Settings weaker;
  weaker.merge(shared_sheet(kind, id)->settings, prefix);
  weaker.merge(all_);
  all_ = std::move(weaker);
}

bool ScenarioResolver::on_client(const std::string& side) const {
  return side == "server" && text("server.machine") == "client";
}

void ScenarioResolver::add_system(const std::string& side) {
  if (text(side + ".system").empty()) {
    fail(side + ".system", "must name a system sheet" + known(catalogue().ids("systems")));
  }
  add_sheet("systems", side + ".system", side);
}

void ScenarioResolver::add_machine(const std::string& side) {
  const std::string machine = side + ".machine";
  if (on_client(side)) {
    add_system(side);
    return;
  }
  if (text(machine).empty() && !all_.contains(side + ".volumes")) {
    fail(machine, "must name a machine sheet, unless " + side + ".volumes tells its drives" +
                      known(catalogue().ids("machines")));
  }
  // The machine first: its sheet may name the system that it runs.
  add_sheet("machines", machine, side);
  add_system(side);
  for (const std::string& volume : all_.children(side + ".volumes")) {
    std::string key = side;
    key.append(".volumes.").append(volume);
    if (all_.find(key + ".shares") != nullptr) {
      check_shares(side, key);
      continue;
    }
    if (text(key + ".filesystem") == "tmpfs") continue;
    if (text(key + ".drive").empty()) {
      fail(key + ".drive", "must name a drive sheet" + known(catalogue().ids("drives")));
    }
    add_sheet("drives", key + ".drive", key + ".device");
  }
}

// A volume may share the drive of one that has its own; nothing else then says what its drive is.
void ScenarioResolver::check_shares(const std::string& side, const std::string& key) const {
  std::vector<std::string> owners;
  for (const std::string& volume : all_.children(side + ".volumes")) {
    std::string owner = side;
    owner.append(".volumes.").append(volume);
    const bool owns =
        all_.find(owner + ".shares") == nullptr && text(owner + ".filesystem") != "tmpfs";
    if (owner != key && owns) owners.push_back(volume);
  }
  const std::string shared = text(key + ".shares");
  if (std::find(owners.begin(), owners.end(), shared) == owners.end()) {
    fail(key + ".shares", "must be a volume with a drive of its own: " + joined(owners) +
                              suggestion(shared, owners));
  }
  if (all_.find(key + ".drive") != nullptr) fail(key + ".drive", "must not be given with shares");
}

void ScenarioResolver::read_machine(SettingsReader& reader, const std::string& side,
                                    MachineConfig& machine) const {
  reader.read("cpu", machine.cpu);
  reader.read("memory", machine.memory);
  reader.read("network", machine.network);
  reader.enter("volumes", {});
  for (const std::string& name : all_.children(side + ".volumes")) {
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
    host.system.id = text("client.system");
  }
  host.on_client = on_client(side);
  if (!host.on_client) read_machine(reader, side, host.machine);
  read_parameters(host.system, reader);
  reader.leave();
}

void ScenarioResolver::read_workload(SettingsReader& reader, ScenarioConfig& config) const {
  const std::vector<std::string> names = all_.children("workloads");
  if (names.empty()) fail("workloads", "must have at least one table [workloads.<name>]");
  if (config.copy.workload.empty()) {
    const bool single = std::find(names.begin(), names.end(), "single") != names.end();
    if (!single && names.size() > 1 && text("copy.workload").empty())
      fail("copy.workload", "must be one of " + joined(names));
    config.copy.workload = single ? "single" : names.front();
  }
  reader.read("copy", config.copy);
  if (std::find(names.begin(), names.end(), config.copy.workload) == names.end()) {
    fail("copy.workload",
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
  const std::vector<std::string> names = all_.children("tasks");
  const std::vector<std::string> files = all_.children("workloads");
  std::map<std::string, DesktopTask> tasks;
  for (const std::string& name : names) {
    DesktopTask& task = tasks[name];
    task.name = name;
    std::string key = "tasks." + name;
    reader.read(key, task.program);
    const std::string& input = task.program.input;
    if (input.empty()) continue;
    if (std::find(files.begin(), files.end(), input) == files.end()) {
      fail(key.append(".input"), "must be one of " + joined(files) + suggestion(input, files));
    }
    reader.read("workloads." + input, task.input.emplace());
  }
  const auto chosen = [&](std::string_view key, const std::string& name) {
    const auto found = tasks.find(name);
    if (found == tasks.end()) {
      fail(key, "must name tasks of " + joined(names) + suggestion(name, names));
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
      fail(key, "must be a volume of the machine: " + joined(names) + suggestion(name, names) +
                    (all_.find(key) == nullptr ? " (default: system)" : ""));
    }
  };
  const bool on_server = config.copy.direction == Direction::server;
  if (on_server && !config.remote()) {
    fail("copy.direction", "must be read or write without [server] and [link]");
  }
  if (config.copy.visitor_after > Duration{0} && !config.remote()) {
    fail("copy.visitor_after", "must be 0 without [server] and [link]");
  }
  if (on_server && (config.desktop.foreground || !config.desktop.background.empty())) {
    fail("copy.direction", "must be read or write with tasks of the desktop");
  }
  check("copy.from", config.copy.from, on_server ? *config.server : config.client);
  check("copy.to", config.copy.to, config.remote() ? *config.server : config.client);
}

// A device scenario has no machines, no policy and no workload.
ResolvedScenario ScenarioResolver::resolve_device() {
  if (text("device.drive").empty()) {
    fail("device.drive", "must name a drive sheet" + known(catalogue().ids("drives")));
  }
  add_sheet("drives", "device.drive", "device");
  ResolvedScenario resolved;
  DeviceBenchmark& bench = resolved.config.device.emplace();
  SettingsReader reader{all_};
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
  add_machine("client");
  add_sheet("links", "link.id", "link");
  ResolvedScenario resolved;
  SettingsReader reader{all_};
  read_host(reader, "client", resolved.config.client);
  read_link(reader, resolved.config);
  reader.read("reception", resolved.config.reception.emplace());
  reader.read("run", resolved.config.run);
  reader.finish();
  resolved.settings = reader.effective();
  return resolved;
}

ResolvedScenario ScenarioResolver::resolve_file_server() {
  add_machine("server");
  ResolvedScenario resolved;
  SettingsReader reader{all_};
  read_host(reader, "server", resolved.config.server.emplace());
  reader.read("file_server", resolved.config.file_server.emplace());
  reader.read("run", resolved.config.run);
  reader.finish();
  resolved.settings = reader.effective();
  return resolved;
}

ResolvedScenario ScenarioResolver::resolve() {
  all_ = *given_;
  if (all_.contains("device") || all_.contains("benchmark")) return resolve_device();
  if (all_.contains("file_server")) return resolve_file_server();
  if (all_.contains("reception")) return resolve_reception();
  add_sheet("loads", "load", "");
  choose_client_system();
  const bool remote = all_.contains("server");
  const bool linked = all_.contains("link");
  if (remote && !linked) {
    fail("link", "must be given beside server: a sheet as link.id, or link.rate and link.rtt" +
                     known(catalogue().ids("links")));
  }
  if (linked && !remote) {
    fail("server",
         "must be given beside link, with server.machine and server.system; a copy within one "
         "machine has neither");
  }
  add_machine("client");
  if (remote) {
    add_machine("server");
    add_sheet("links", "link.id", "link");
  }

  ResolvedScenario resolved;
  ScenarioConfig& config = resolved.config;
  SettingsReader reader{all_};
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
