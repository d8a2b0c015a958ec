#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace copysim::test {

/// A folder for a test's files that goes with its owner.
class TemporaryFolder {
public:
  TemporaryFolder()
      : path_{std::filesystem::temp_directory_path() /
              ("copysim-" + std::to_string(std::random_device{}()))} {
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream{path_ / name} << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

}  // namespace copysim::test
