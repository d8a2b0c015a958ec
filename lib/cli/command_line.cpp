#include "command_line.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <copysim/error.hpp>
#include <copysim/lib/report_format.hpp>
#include <copysim/lib/run_command.hpp>
#include <copysim/lib/run_options.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/lib/validate_disk_command.hpp>
#include <copysim/lib/version.hpp>

#include "experiments.hpp"
#include "list_command.hpp"

namespace copysim::cli {

namespace {

// `interrupted` is what shells report for a program that SIGINT ended: 128 + 2.
enum ExitStatus { well = 0, regression = 1, wrong_input = 2, own_error = 3, interrupted = 130 };

ReportFormat report_format(const std::string& name) {
  if (name == "text") return ReportFormat::text;
  if (name == "json") return ReportFormat::json;
  if (name == "csv") return ReportFormat::csv;
  throw ConfigError{"command line", "--format must be one of text, json, csv, got '" + name + "'"};
}

// A kind is printed in one format; the default `text` stands for it.
TraceKind trace_kind(const std::string& name, ReportFormat format) {
  const bool chrome = name == "chrome";
  if (format == (chrome ? ReportFormat::csv : ReportFormat::json)) {
    throw ConfigError{"command line", "--format of the trace kind '" + name + "' must be " +
                                          (chrome ? "json" : "csv") + ", got '" +
                                          (chrome ? "csv" : "json") + "'"};
  }
  if (chrome) return TraceKind::chrome;
  if (name == "files") return TraceKind::files;
  if (name == "blocks") return TraceKind::blocks;
  if (name == "timeline") return TraceKind::timeline;
  throw ConfigError{"command line",
                    "--kind must be one of files, blocks, timeline, chrome, got '" + name + "'"};
}

// "key=value" texts that CLI11 took for more values of --set may be the scenario in truth:
// `copysim run --set a=b apc/vista-to-xp`.
void take_stray_scenario(std::vector<std::string>& settings, std::string& scenario) {
  const auto stray = std::find_if(settings.begin(), settings.end(), [](const std::string& text) {
    return text.find('=') == std::string::npos;
  });
  if (stray == settings.end() || !scenario.empty()) return;
  scenario = *stray;
  settings.erase(stray);
}

// The arguments of all commands, and what CLI11 needs to fill them.
class CommandLine {
public:
  explicit CommandLine(std::stop_token stop) : stop_{std::move(stop)} {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", std::string{version()});
    add_list();
    add_run();
    add_sweep();
    add_explain();
    add_trace();
    add_reproduce();
    add_calibrate();
    add_validate_disk();
  }

  int run(std::vector<std::string> arguments, std::ostream& out, std::ostream& err) {
    out_ = &out;
    err_ = &err;
    try {
      check_command(arguments);
      // CLI11 takes the arguments from the back.
      std::reverse(arguments.begin(), arguments.end());
      app_.parse(std::move(arguments));
      prepare();
      const int status = command_();
      if (!out.flush()) return complain("standard output: cannot be written", wrong_input);
      return status;
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) {
        app_.exit(error, out, err);
        return well;
      }
      const auto chosen = app_.get_subcommands();
      const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
      return complain(
          "command line: " + std::string{error.what()} + " (see copysim " + command + "--help)",
          wrong_input);
    } catch (const ConfigError& error) {
      return complain(error.what(), wrong_input);
    } catch (const Cancelled&) {
      return complain("interrupted", interrupted);
    } catch (const std::exception& error) {
      return complain(std::string{"internal error: "} + error.what(), own_error);
    }
  }

private:
  // CLI11 would only say that some command is missing.
  void check_command(const std::vector<std::string>& arguments) const {
    if (!arguments.empty() && arguments.front().starts_with("-")) return;
    std::vector<std::string> known;
    for (const CLI::App* command : app_.get_subcommands({})) known.push_back(command->get_name());
    const std::string given = arguments.empty() ? "" : arguments.front();
    if (std::find(known.begin(), known.end(), given) != known.end()) return;
    throw ConfigError{"command line", "the command must be one of " + joined(known) + ", got '" +
                                          given + "'" + suggestion(given, known)};
  }

  int complain(std::string text, int status) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    *err_ << "copysim: " << text << '\n';
    return status;
  }

  // A command whose callback only remembers what to do, since CLI11 calls it inside its parser.
  CLI::App* add(const std::string& name, const std::string& text, std::function<int()> command) {
    CLI::App* added = app_.add_subcommand(name, text);
    added->add_option("--format", format_, "text, json or csv (default: text)");
    added->callback([this, command = std::move(command)] { command_ = command; });
    return added;
  }

  void add_jobs(CLI::App* command) {
    command->add_option("--jobs", jobs_, "simulations side by side (default: all processors)")
        ->check(CLI::Range(1, 1024));
  }

  void add_list() {
    CLI::App* list = add("list", "List what the library ships", [this] {
      list_command(subject_, run_.format, *out_);
      return well;
    });
    list->add_option("WHAT", subject_, joined(list_subjects()))->required();
  }

  void add_scenario(CLI::App* command) {
    command->add_option("SCENARIO", run_.scenario, "id of the catalogue, or a TOML file");
    command->add_option("--policy", run_.policy, "copy engine: short for --set policy.id=ID");
    command->add_option("--set", run_.settings, "key=value settings on top of the scenario");
    command->add_option("--seed", run_.seed, "short for --set run.seed=N");
    command->add_option("--replications", run_.replications, "short for --set run.replications=N");
    add_jobs(command);
  }

  void add_run() {
    add_scenario(add("run", "Simulate the copy of a scenario", [this] {
      run_command(run_, *out_);
      return well;
    }));
  }

  void add_sweep() {
    CLI::App* sweep = add("sweep", "Simulate all combinations of some settings", [this] {
      sweep_command({run_, vary_}, *out_);
      return well;
    });
    add_scenario(sweep);
    sweep->add_option("--vary", vary_, "key=a,b,c settings to vary")->required();
  }

  void add_explain() {
    CLI::App* explain = add("explain", "Say what the copy of a scenario waited for", [this] {
      explain_command({run_, compare_, plot_}, *out_);
      return well;
    });
    add_scenario(explain);
    explain->add_option("--compare", compare_, "other copy engines, explained beside it");
    explain->add_option("--plot", plot_, "file for a picture of all explanations, in SVG");
  }

  void add_trace() {
    CLI::App* trace = add("trace", "Record what the copy of a scenario does", [this] {
      trace_command({run_, trace_kind(kind_, run_.format), output_}, *out_);
      return well;
    });
    add_scenario(trace);
    trace->add_option("--kind", kind_,
                      "files (CSV of file operations), blocks (CSV of device commands), timeline "
                      "(CSV of bytes moved), chrome (JSON for Chrome and Perfetto)");
    trace->add_option("--output", output_, "file instead of standard output");
  }

  void add_reproduce() {
    CLI::App* command = add("reproduce", "Predict published timings and judge the predictions",
                            [this] { return reproduce(reproduce_, *out_, *err_); });
    command->add_option("SOURCE", reproduce_.sources,
                        "ids of published sources, or files of your own (default: all)");
    command->add_flag("--check", reproduce_.check, "exit with 1 if a row is worse than recorded");
    command->add_flag("--record", reproduce_.record, "record predictions and verdicts");
    command->add_flag("--spread", reproduce_.spread,
                      "predict with every candidate of the fitted choices");
    add_jobs(command);
  }

  void add_calibrate() {
    CLI::App* command = add("calibrate", "Fit the fitted values of a sheet to their rows",
                            [this] { return calibrate(calibrate_, *out_); });
    command->add_option("SHEET", calibrate_.sheet, "such as machines/xp-peer")->required();
    add_jobs(command);
  }

  void add_validate_disk() {
    CLI::App* command =
        add("validate-disk", "Compare a drive's model with measured requests", [this] {
          validate_disk_command(validate_disk_, *out_);
          return well;
        });
    command
        ->add_option("--drive", validate_disk_.drive,
                     "a DiskSim file (.parv, .diskspecs), a TOML sheet, or an id of the catalogue")
        ->required();
    command
        ->add_option("--trace", validate_disk_.trace, "a trace in DiskSim's validate or ascii form")
        ->required();
    command->add_option("--plot", validate_disk_.plot, "file for the two distributions, as SVG");
  }

  // What several commands share goes to each.
  void prepare() {
    take_stray_scenario(run_.settings, run_.scenario);
    take_stray_scenario(vary_, run_.scenario);
    const CLI::App* chosen = app_.get_subcommands().front();
    const std::vector<std::string> others{"list", "reproduce", "calibrate", "validate-disk"};
    const bool scenario_wanted = std::ranges::find(others, chosen->get_name()) == others.end();
    if (scenario_wanted && run_.scenario.empty()) {
      throw ConfigError{chosen->get_name(),
                        "SCENARIO must be given: an id that `copysim list "
                        "scenarios` shows, or a TOML file"};
    }
    RunOptions options{.jobs = jobs_, .stop = stop_};
    if (isatty(STDERR_FILENO) != 0) {
      options.progress = [this](std::size_t done, std::size_t total) {
        *err_ << '\r' << done << '/' << total << (done == total ? " done\n" : " ") << std::flush;
      };
    }
    run_.format = reproduce_.format = calibrate_.format = validate_disk_.format =
        report_format(format_);
    run_.options = reproduce_.options = calibrate_.options = options;
  }

  std::stop_token stop_;
  CLI::App app_{"Predicts how long an operating system takes to copy files, and why", "copysim"};
  std::function<int()> command_;
  std::ostream* out_ = nullptr;
  std::ostream* err_ = nullptr;
  std::string format_ = "text";
  int jobs_ = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::string subject_;
  RunCommand run_;
  std::vector<std::string> vary_;
  std::vector<std::string> compare_;
  std::string plot_;
  std::string kind_ = "files";
  std::string output_;
  ReproduceArguments reproduce_;
  CalibrateArguments calibrate_;
  ValidateDiskCommand validate_disk_;
};

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, std::ostream& out,
                     std::ostream& err, std::stop_token stop) {
  return CommandLine{std::move(stop)}.run(arguments, out, err);
}

}  // namespace copysim::cli
