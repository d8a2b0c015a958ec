#include <copysim/error.hpp>
#include <copysim/lib/disksim/drive_file.hpp>

#include "lib/disksim/tiny_drive.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// What the error of reading a drive says after the folder's name.
std::string error_of(const TinyDrive& drive, const std::string& path) {
  try {
    static_cast<void>(disksim::read_drive(path));
  } catch (const ConfigError& error) {
    std::string text = error.what();
    const std::string folder = drive.folder.path("");
    if (text.starts_with(folder)) text.erase(0, folder.size());
    return text;
  }
  return "no error";
}

DiskGeometry geometry_of(const std::string& model) {
  const TinyDrive drive{model};
  return DiskGeometry{disksim::read_drive(drive.specs).config.geometry};
}

}  // namespace

TEST_CASE("A DiskSim drive comes with its zones, skews, seeks, overheads and bus",
          "[lib][disksim]") {
  const TinyDrive files;
  const disksim::ImportedDrive drive = disksim::read_drive(files.specs);

  CHECK(drive.name == "TINY");
  const DiskGeometry disk{drive.config.geometry};
  CHECK(disk.revolution() == 10ms);
  CHECK(disk.sectors() == 2 * 2 * 100 + 2 * 2 * 50);
  // Sector 405 is number 5 of the second zone, which begins at cylinder 3, turned by 7 sectors.
  const SectorPosition place = disk.locate(405);
  CHECK(place.cylinder == 3);
  CHECK(place.head == 0);
  CHECK(place.angle == 12);
  const SeekCurve curve{drive.config.seek, disk.cylinders()};
  CHECK(curve.time(1) == 2ms);
  CHECK(curve.time(3) == 3ms);
  CHECK(drive.config.head_switch == 1ms);
  CHECK(drive.config.write_settle == 500us);
  CHECK(drive.config.extracted->read.after_write == 500us);
  CHECK(drive.config.extracted->through_write.after_read == 600us);
  CHECK(sector_size / drive.config.bus_rate == 50us);
  CHECK(drive.config.read_cache.segments == 4);
  CHECK(drive.config.read_cache.segment_size == Bytes{60 * 512});
}

TEST_CASE("A .parv names the drive by its instance, and the slowest bus above it counts",
          "[lib][disksim]") {
  const TinyDrive files;
  const std::string buses =
      "disksim_bus FAST { type = 1, Read block transfer time = 0.01,\n"
      "Write block transfer time = 0.2 }\n"
      "disksim_bus ELSEWHERE { type = 1, Read block transfer time = 9.0 }\n"
      "source tiny.diskspecs\n"
      "instantiate [ disk0, disk1 ] as TINY\n"
      "instantiate [ bus0 ] as FAST\n"
      "topology disksim_bus bus0 [ disksim_disk disk0 [], disksim_disk disk1 [] ]\n";
  const auto drive = disksim::read_drive(files.folder.write("tiny.parv", buses));
  // Reads: the disk's 0.05 ms are more than the bus's 0.01; writes: the bus's 0.2 are more.
  CHECK(sector_size / drive.config.bus_rate == 50us);
  CHECK(sector_size / drive.config.bus_write_rate == 200us);
}

TEST_CASE("Slipped sectors push the rest up to the spares of their zone", "[lib][disksim]") {
  // Scheme 9: 4 spares in each zone; physical sectors 10 and 150 of zone 0 are slipped.
  const DiskGeometry disk = geometry_of(tiny_model("9", "4", "150, 10"));
  CHECK(disk.sectors() == 400 - 4 + 200 - 4);
  CHECK(disk.locate(9).sector == 9);
  CHECK(disk.locate(9).run == 1);
  CHECK(disk.locate(10).sector == 11);
  CHECK(disk.locate(10).before == 0);
  // The track holds 99 sectors, so sector 99 opens the second surface.
  CHECK(disk.locate(98).sector == 99);
  CHECK(disk.locate(99).head == 1);
  CHECK(disk.locate(99).angle == 10);
  // Physical 150 is number 50 of the second track.
  CHECK(disk.locate(148).sector == 49);
  CHECK(disk.locate(149).sector == 51);
  CHECK(disk.track_of(120).begin == 99);
  CHECK(disk.track_of(120).end == 198);
  // Zone 1 begins after 396 sectors.
  CHECK(disk.locate(395).cylinder == 1);
  CHECK(disk.locate(396).cylinder == 3);
}

TEST_CASE("Spares at the end of each cylinder stay free", "[lib][disksim]") {
  // Scheme 2: a cylinder has 200 sectors, 8 of them spare; sector 3 is slipped and takes one.
  const DiskGeometry disk = geometry_of(tiny_model("2", "8", "3"));
  CHECK(disk.locate(3).sector == 4);
  CHECK(disk.locate(191).cylinder == 0);
  CHECK(disk.locate(191).sector == 92);
  CHECK(disk.locate(192).cylinder == 1);
  CHECK(disk.locate(192).sector == 0);
  // A slip turns the cylinders behind it by a sector: 10 (track) + 20 (cylinder) + 1.
  CHECK(disk.locate(192).angle == 31);
}

TEST_CASE("Spares at the front of each cylinder move its sectors up", "[lib][disksim]") {
  const DiskGeometry disk = geometry_of(tiny_model("5", "8"));
  CHECK(disk.locate(0).sector == 8);
  CHECK(disk.locate(191).cylinder == 0);
  CHECK(disk.locate(192).cylinder == 1);
  CHECK(disk.locate(192).sector == 8);
}

TEST_CASE("Slips that do not use the cylinder's spares go on to the zone's end", "[lib][disksim]") {
  // Scheme 4: 192 of 200 sectors of a cylinder are for data; slip 3 moves all behind it by one.
  const DiskGeometry disk = geometry_of(tiny_model("4", "8", "3"));
  CHECK(disk.locate(190).cylinder == 0);
  CHECK(disk.locate(190).sector == 91);
  CHECK(disk.locate(191).cylinder == 1);
  CHECK(disk.locate(191).sector == 0);
}

TEST_CASE("A slipped track is passed over whole", "[lib][disksim]") {
  // Scheme 1: one spare track in the zone; track 1 is slipped.
  const DiskGeometry disk = geometry_of(tiny_model("1", "1", "1"));
  CHECK(disk.locate(99).head == 0);
  CHECK(disk.locate(100).cylinder == 1);
  CHECK(disk.locate(100).head == 0);
  CHECK(disk.sectors() == 300 + 150);
}

TEST_CASE("A replaced sector lies where its replacement is", "[lib][disksim]") {
  // Scheme 9 with 4 spares: physical sector 20 is replaced by spare 399.
  const DiskGeometry disk = geometry_of(tiny_model("9", "4", "", "20, 399"));
  CHECK(disk.locate(19).run == 1);
  CHECK(disk.locate(20).cylinder == 1);
  CHECK(disk.locate(20).head == 1);
  CHECK(disk.locate(20).sector == 99);
  CHECK(disk.locate(20).run == 1);
  CHECK(disk.locate(21).sector == 21);
}

TEST_CASE("Surfaces that alternate need no head switch between cylinders", "[lib][disksim]") {
  const DiskGeometry by_zone = geometry_of(tiny_model("0", "0", "", "", "1"));
  CHECK(by_zone.locate(199).head == 1);
  CHECK(by_zone.locate(200).head == 1);
  CHECK(by_zone.locate(300).head == 0);
  CHECK(by_zone.locate(400).head == 0);  // the zone begins anew
  const DiskGeometry by_cylinder = geometry_of(tiny_model("0", "0", "", "", "2"));
  CHECK(by_cylinder.locate(400).head == 1);  // cylinder 3 is odd
}

TEST_CASE("All of DiskSim's seek curves are read", "[lib][disksim]") {
  const std::string three =
      "Single cylinder seek time = 2.0, Average seek time = 8.0,\n"
      "Full strobe seek time = 12.0,";
  const std::string six = "HPL seek equation values = [ 4, 1.0, 2.0, 3.0, 1.0, -1.0 ],";
  const auto time = [](const std::string& type, const std::string& rest, int distance) {
    const TinyDrive drive{replaced(replaced(tiny_model(), "extracted,", type + "," + rest),
                                   "Number of cylinders = 5", "Number of cylinders = 100")};
    const HardDisk::Config config = disksim::read_drive(drive.specs).config;
    return SeekCurve{config.seek, 100}.time(distance);
  };
  CHECK(time("constant", "Constant seek time = 4.0,", 77) == 4ms);
  CHECK(time("linear", three, 1) == 2ms);
  CHECK(time("linear", three, 33) == 8ms);
  CHECK(time("linear", three, 99) == 12ms);
  CHECK(time("curve", three, 1) == 2ms);
  // a = (-20 + 120 - 60) / (3 x 10) = 1.333; b = (14 - 120 + 96) / 300 < 0: as linear.
  CHECK(time("curve", three, 33) == 8ms);
  // With a mean of 6 ms: a = (-20 + 90 - 60) / 30 = 1/3, b = (14 - 90 + 96) / 300 = 1/15; over 26
  // cylinders 2 + 5 / 3 + 25 / 15 = 5.3333 ms.
  CHECK(time("curve", replaced(three, "8.0", "6.0"), 26) == 5'333'333ns);
  CHECK(time("hpl", six, 1) == 3ms);
  CHECK(time("hpl", six, 4) == 7ms);
  CHECK(time("hplplus10", six + "First ten seek times = [1,1,1,1,1,1,1,1,1,9],", 10) == 9ms);
  CHECK(time("hplplus10", six + "First ten seek times = [1,1,1,1,1,1,1,1,1,9],", 11) == 14ms);
  // Beyond the last point of a table the last line goes on: 0.5 ms per cylinder.
  CHECK(time("extracted", "", 6) == 4500us);
}

TEST_CASE("A drive may settle sooner before a write than before a read", "[lib][disksim]") {
  // As DEC's RZ26 in DiskSim's set.
  const TinyDrive drive{replaced(tiny_model(), "settling delay = 0.5", "settling delay = -0.25")};
  CHECK(disksim::read_drive(drive.specs).config.write_settle == -250us);
}

TEST_CASE("A drive holds as many blocks as DiskSim's own file of it counts", "[lib][disksim]") {
  // DEC RZ26: 2599 cylinders of 14 tracks of 58 sectors, one spare in each track (scheme 3) and
  // 23142 sectors at the front: 2599 x 14 x 57 - 23142 = 2050860, its `Block count`.
  std::string model = replaced(tiny_model("3", "1"), "data surfaces = 2", "data surfaces = 14");
  const std::size_t second = model.find(",\ndm_layout_g1_zone");
  model.erase(second, model.find(" ] # Zones") - second);
  model = replaced(model, "cylinder number = 1,", "cylinder number = 2598,");
  model = replaced(model, "per track = 100", "per track = 58");
  model = replaced(model, "zone front = 0", "zone front = 23142");
  CHECK(geometry_of(model).sectors() == 2'050'860);
}

TEST_CASE("A file that DiskSim's drives cannot be is an error, not a crash", "[lib][disksim]") {
  const TinyDrive drive;
  const auto broken = [&](const std::string& model) {
    drive.folder.write("tiny.model", model);
    return error_of(drive, drive.specs);
  };
  std::string deep = "dm_disk tiny_model {\n a = ";
  deep.append(100'000, '[');
  CHECK(broken(deep) == "tiny.model:2: blocks and lists must not nest deeper than 64 levels");
  CHECK(broken(std::string{"dm_disk\n\0", 9}) ==
        "tiny.model:2: the file must be text, got a byte 0");
  // Zone 0 has 2 x 2 x 100 sectors; with spare tracks (scheme 1) its four tracks are counted.
  CHECK(broken(tiny_model("9", "4", "400")) ==
        "tiny.model:20: 'slips' must lie in the zone, that is below 400, got 400");
  CHECK(broken(tiny_model("1", "1", "", "3, 4")) ==
        "tiny.model:21: 'defects' must lie in the zone, that is below 4, got 4");
  CHECK(broken(replaced(tiny_model(), "tiny.seek", "none.seek")) ==
        "tiny.model:40: there must be a file " + drive.folder.path("none.seek"));
  CHECK(error_of(drive, drive.folder.write("a.parv", "\nsource none.diskspecs\n")) ==
        "a.parv:2: there must be a file " + drive.folder.path("none.diskspecs"));
  CHECK(error_of(drive, drive.folder.write("b.parv", "source " + drive.folder.path(""))) ==
        "b.parv:1: there must be a file " + drive.folder.path(""));
}

TEST_CASE("A malformed DiskSim file is an error with file and line", "[lib][disksim]") {
  const TinyDrive drive;
  const auto broken_model = [&](const std::string& from, const std::string& to) {
    drive.folder.write("tiny.model", replaced(tiny_model(), from, to));
    return error_of(drive, drive.specs);
  };
  CHECK(broken_model("Blocks per track = 100", "Blocks per track = many") ==
        "tiny.model:13: 'Blocks per track' must be a number, got 'many'");
  CHECK(broken_model("Blocks per track = 100", "Blocks per track 100") ==
        "tiny.model:13: '=' must follow the parameter 'Blocks per track 100', got ','");
  CHECK(broken_model("Sparing scheme used = 0", "Sparing scheme used = 11") ==
        "tiny.model:7: 'Sparing scheme used' must be between 0 and 10, got 11");
  CHECK(broken_model(" Blocks per track = 100,\n", "") ==
        "tiny.model:10: block 'dm_layout_g1_zone' must have a parameter 'Blocks per track'");
  CHECK(broken_model("dm_layout_g1 {", "dm_layout_g2 {") ==
        "tiny.model:5: 'Layout Model' must be a dm_layout_g1, got 'dm_layout_g2'");
  CHECK(broken_model("extracted", "guessed") ==
        "tiny.model:39: 'Seek type' must be one of constant, linear, curve, hpl, hplplus10, "
        "extracted, got 'guessed'");
  CHECK(broken_model("slips =\n [  ]", "slips =\n [ -1 ]") ==
        "tiny.model:20: 'slips' must not hold negative numbers");
  drive.folder.write("tiny.model", tiny_model());
  drive.folder.write("tiny.seek", "1, 2.0\n2 fast\n");
  CHECK(error_of(drive, drive.specs).starts_with("tiny.seek:2: a line must be a distance"));
  drive.folder.write("tiny.seek", "Seek distances measured: 3\n1, 2.0\n");
  CHECK(error_of(drive, drive.specs).find("the 3 distances that its first line promises, got 1") !=
        std::string::npos);
  CHECK(error_of(drive, drive.folder.write("self.parv", "\nsource self.parv\n")) ==
        "self.parv:2: source must not lead back to the same file");
  CHECK(error_of(drive, drive.folder.write("open.parv", "disksim_disk A {\n x = 1\n")) ==
        "open.parv:1: block 'disksim_disk' must end with '}'");
  CHECK(error_of(drive, drive.folder.write("none.parv", "disksim_stats S { a = 1 }")) ==
        "none.parv:1: the file must hold a block of type disksim_disk");
}
