#include <copysim/lib/reproduce_command.hpp>

#include <fstream>

#include <copysim/error.hpp>

namespace copysim {

namespace {

void write_record(const ReproduceCommand& command, const Reproduction& reproduction) {
  Recorded recorded = command.recorded;
  recorded.record(reproduction);
  std::ofstream file{command.record_file, std::ios::binary};
  file << recorded.to_toml();
  file.close();
  if (!file) throw ConfigError{command.record_file.string() + ": file must be writable"};
}

}  // namespace

int reproduce_command(const ReproduceCommand& command, std::ostream& out, std::ostream& err) {
  if (command.spread) {
    write_spread(out, command);
    return 0;
  }
  const Reproduction reproduction = reproduce(command.sources, command.run, command.options);
  write_reproduction(out, reproduction, command.format);
  int status = 0;
  if (command.check) {
    const auto worse = command.recorded.worsened(reproduction);
    for (const std::string& sentence : worse) err << "worse than recorded: " << sentence << '\n';
    if (!worse.empty()) status = 1;
  }
  if (command.record) write_record(command, reproduction);
  return status;
}

}  // namespace copysim
