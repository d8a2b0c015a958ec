#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/copy/windows7_copy.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Copies files as Robocopy of Windows 7 and Server 2008 R2 does: each with an ordinary CopyFileEx,
/// several at once with `/MT`, unbuffered with `/J`. Within one SMB2 share it has the server copy,
/// on Windows 7 too, where Explorer does not (documented: Micro Focus OES CIFS, 5.12).
///
/// Left out: its own listing of both trees before the first file, retries, and restartable mode.
///
/// Source: reference `mechanisms.md` section 4 (ROBO-DOC, MS-PERF, ROBO-GIST): 8 threads if `/MT`
/// is given without a number, 1 to 128.
class Robocopy final : public CopyPolicy {
public:
  struct Config {
    int threads = 1;          ///< `/MT:n`; without the option one file after another
    bool unbuffered = false;  ///< `/J`
    bool compress = false;    ///< `/COMPRESS`, of Windows 11 and Server 2022

    static constexpr auto parameters = std::tuple{
        parameter("threads", &Config::threads, "files copied at once (/MT:n)", between(1, 128)),
        parameter("unbuffered", &Config::unbuffered, "cache neither end (/J)"),
        parameter("compress", &Config::compress,
                  "asks for compressed traffic with a share (/COMPRESS)"),
    };
  };

  static constexpr std::string_view id = "robocopy";

  Robocopy() : Robocopy{Config{}} {}
  /// \throws ConfigError if a parameter is outside its range.
  explicit Robocopy(Config config);

  [[nodiscard]] std::string_view name() const override { return id; }
  [[nodiscard]] int files_at_once() const override { return config_.threads; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

private:
  Config config_;
  Windows7Copy copy_;
};

}  // namespace copysim
