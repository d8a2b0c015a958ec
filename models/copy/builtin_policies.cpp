#include <copysim/models/copy/builtin_policies.hpp>

#include <copysim/models/copy/pipelined_copy.hpp>
#include <copysim/models/copy/robocopy.hpp>
#include <copysim/models/copy/smbclient_copy.hpp>
#include <copysim/models/copy/teracopy.hpp>
#include <copysim/models/copy/unix_copy.hpp>
#include <copysim/models/copy/vista_rtm_copy.hpp>
#include <copysim/models/copy/vista_sp1_copy.hpp>
#include <copysim/models/copy/windows7_copy.hpp>
#include <copysim/models/copy/xp_copy.hpp>

namespace copysim {

namespace {

// A variant is a named parameter set, not a class.
std::unique_ptr<CopyPolicy> make_patched_rtm(ParameterReader& settings) {
  VistaRtmCopy::Config config;
  read_parameters(config, settings);
  return std::make_unique<VistaRtmCopy>(config, VistaRtmCopy::patched_id);
}

std::unique_ptr<CopyPolicy> make_xcopy(ParameterReader& settings) {
  Windows7Copy::Config config{.unbuffered = true};
  read_parameters(config, settings);
  return std::make_unique<Windows7Copy>(config, Windows7Copy::xcopy_id);
}

// cp and dd are one class: their buffers differ.
PolicyEntry unix_tool(std::string_view id, std::string text, std::string home_system,
                      Bytes buffer) {
  const auto make = [id, buffer](ParameterReader& settings) -> std::unique_ptr<CopyPolicy> {
    UnixCopy::Config config{.buffer = buffer};
    read_parameters(config, settings);
    return std::make_unique<UnixCopy>(config, id);
  };
  return {std::string{id}, std::move(text), std::move(home_system), make};
}

}  // namespace

PolicyRegistry builtin_policies() {
  PolicyRegistry registry;
  registry.add<XpCopy>("Windows XP: cached, one 64 KiB read, then one write", "xp");
  registry.add<VistaRtmCopy>("Windows Vista: non-cached batches of up to eight 2 MiB I/Os",
                             "vista-rtm");
  registry.add({std::string{VistaRtmCopy::patched_id},
                "Windows Vista with its later time estimate, same engine", "vista-rtm-patched",
                make_patched_rtm});
  registry.add<VistaSp1Copy>("Windows Vista SP1: cached and ordered, large I/Os, 32 KiB over SMB1",
                             "vista-sp1");
  registry.add<Windows7Copy>("Windows 7: 1 MiB reads, 64 KiB cached writes, ten I/Os over SMB2",
                             "windows-7");
  registry.add<Robocopy>("Robocopy of Windows 7: CopyFileEx, with /MT:n and /J", "windows-7");
  registry.add({std::string{Windows7Copy::xcopy_id}, "xcopy /J of Windows 7: unbuffered",
                "windows-7", make_xcopy});
  registry.add<SmbclientCopy>("Samba's smbclient: get, put, mget, mput with a window of 16 MiB",
                              "samba-4.17");
  registry.add<TeraCopy>("TeraCopy: a large buffer is read, then written; two between two devices",
                         "windows-7");
  registry.add(unix_tool(UnixCopy::cp_2001_id, "GNU cp of 2001: buffers of 4 KiB through the cache",
                         "linux-2.4", 4_KiB));
  registry.add(unix_tool(UnixCopy::cp_id, "GNU cp: buffers of 128 KiB through the cache",
                         "linux-2.6", 128_KiB));
  registry.add(unix_tool(UnixCopy::dd_id, "dd: one read, then one write, of policy.buffer (bs=)",
                         "linux-2.6", 64_KiB));
  registry.add<PipelinedCopy>("General family: chunk, depth, caching, order, batch or window", "");
  return registry;
}

}  // namespace copysim
