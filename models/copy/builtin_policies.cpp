#include <copysim/models/copy/builtin_policies.hpp>

#include <copysim/models/copy/pipelined_copy.hpp>
#include <copysim/models/copy/vista_rtm_copy.hpp>
#include <copysim/models/copy/vista_sp1_copy.hpp>
#include <copysim/models/copy/xp_copy.hpp>

namespace copysim {

namespace {

// A variant is a named parameter set, not a class.
std::unique_ptr<CopyPolicy> make_patched_rtm(ParameterReader& settings) {
  VistaRtmCopy::Config config;
  read_parameters(config, settings);
  return std::make_unique<VistaRtmCopy>(config, VistaRtmCopy::patched_id);
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
  registry.add<PipelinedCopy>("General family: chunk, depth, caching, order, batch or window", "");
  return registry;
}

}  // namespace copysim
