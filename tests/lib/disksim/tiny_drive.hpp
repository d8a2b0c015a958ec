#pragma once

#include <string>

#include "lib/disksim/temporary_folder.hpp"

namespace copysim::test {

// A drive for arithmetic in the head: 6,000 rpm, so a revolution takes 10 ms; 2 heads; zone 0 has
// cylinders 0 and 1 with 100 sectors per track (0.1 ms each), zone 1 cylinders 3 and 4 with 50.
// A head switch takes 1 ms, a seek 2 ms over one cylinder and 0.5 ms for each further one.
inline std::string tiny_model(const std::string& sparing = "0", const std::string& spares = "0",
                              const std::string& slips = "", const std::string& defects = "",
                              const std::string& mapping = "0") {
  const auto zone = [&](const char* first, const char* last, const char* blocks, const char* offset,
                        const std::string& own_spares, const std::string& own_slips,
                        const std::string& own_defects) {
    return "dm_layout_g1_zone { # a zone\n First cylinder number = " + std::string{first} +
           ",\n Last cylinder number = " + last + ",\n Blocks per track = " + blocks +
           ",\n Offset of first block = " + offset +
           ".000,\n Empty space at zone front = 0,\n Skew for track switch = 10.0,\n"
           " Skew for cylinder switch = 20.0,\n Number of spares = " +
           own_spares + ",\n slips =\n [ " + own_slips + " ],\n defects = [ " + own_defects +
           " ]\n}";
  };
  return "dm_disk tiny_model {\n Number of data surfaces = 2,\n Number of cylinders = 5,\n"
         " Block count = 600,\n Layout Model = dm_layout_g1 {\n LBN-to-PBN mapping scheme = " +
         mapping + ",\n Sparing scheme used = " + sparing +
         ",\n Rangesize for sparing = 1,\n Zones = [\n" +
         zone("0", "1", "100", "0", spares, slips, defects) + ",\n" +
         zone("3", "4", "50", "7", spares, "", "") +
         " ] # Zones\n },\n Mechanical Model = dm_mech_g1 {\n"
         " Access time type = trackSwitchPlusRotation,\n Seek type = extracted,\n"
         " Full seek curve = tiny.seek,\n Add. write settling delay = 0.5,\n"
         " Head switch time = 1.0,\n Rotation speed (in rpms) = 6000,\n"
         " Percent error in rpms = 0.0\n }\n} # end\n";
}

inline constexpr const char* tiny_seek = "Seek distances measured: 2\n1,\t2.0\n4,\t3.5\n";

// Reads take 0.3 ms of overhead from the medium and 0.1 ms from the buffer, 0.2 ms more after a
// write; the bus moves a sector in 0.05 ms.
inline std::string tiny_specs(const std::string& extra_write_disconnect = "0") {
  return R"(disksim_disk TINY {
   Model = source tiny.model,
   Per-request overhead time = 0.0,
   Time scale for overheads = 1.0,
   Bulk sector transfer time = 0.05,
   Hold bus entire read xfer = 0,
   Hold bus entire write xfer = 0,
   Allow almost read hits = 0,
   Allow sneaky full read hits = 0,
   Allow read hits on write data = 1,
   Allow write prebuffering = 0,
   Preseeking level = 0,
   Max queue length = 1,
   Scheduler = disksim_ioqueue {
      Scheduling policy = 1,
      Cylinder mapping strategy = 0
   },
   Number of buffer segments = 4,
   Maximum number of write segments = 1,
   Segment size (in blks) = 60,
   Use separate write segment = 0,
   Low (write) water mark = 0.0,
   High (read) water mark = 0.0,
   Enable caching in buffer = 1,
   Buffer continuous read = 3,
   Minimum read-ahead (blks) = 0,
   Maximum read-ahead (blks) = 60,
   Read-ahead on idle hit = 0,
   Read any free blocks = 0,
   Fast write level = 2,
   Immediate buffer read = 0,
   Read hit over. after read = 0.1,
   Read hit over. after write = 0.3,
   Read miss over. after read = 0.3,
   Read miss over. after write = 0.5,
   Write hit over. after read = 0.2,
   Write hit over. after write = 0.4,
   Write miss over. after read = 0.6,
   Write miss over. after write = 0.8,
   Read completion overhead = 0.0,
   Write completion overhead = 0.0,
   Data preparation overhead = 0.0,
   First reselect overhead = 0.0,
   Other reselect overhead = 0.0,
   Read disconnect afterread = 0.0,
   Read disconnect afterwrite = 0.0,
   Write disconnect overhead = 0.0,
   Extra write disconnect = )" +
         extra_write_disconnect + R"(,
   Extradisc command overhead = 0.0,
   Extradisc disconnect overhead = 0.0,
   Extradisc inter-disconnect delay = 0.0,
   Extradisc 2nd disconnect overhead = 0.0,
   Extradisc seek delta = 0.0,
   Minimum seek delay = 0.0
}
)";
}

/// The tiny drive as files; `specs` is the path of its `.diskspecs`.
struct TinyDrive {
  explicit TinyDrive(const std::string& model = tiny_model()) {
    folder.write("tiny.seek", tiny_seek);
    folder.write("tiny.model", model);
    specs = folder.write("tiny.diskspecs", tiny_specs());
  }

  TemporaryFolder folder;
  std::string specs;
};

}  // namespace copysim::test
