#include <cmath>

#include <copysim/models/fs/volume.hpp>

#include "models/fs/fake_device.hpp"
#include "support/catch.hpp"
#include "support/free_cpu.hpp"

using namespace copysim;

namespace {

// The fake device has 1 GiB.
FileMap allocated(VolumeConfig config, bool existing, Bytes length) {
  Simulation sim;
  FakeDevice device{sim};
  FreeCpu cpu;
  Volume volume{sim, device, cpu, config};
  FileMap map;
  REQUIRE((existing ? volume.allocate_existing(map, length) : volume.allocate(map, length)));
  CHECK(map.allocated() == length);
  return map;
}

}  // namespace

TEST_CASE("A file lies in one piece unless the volume is fragmented", "[fs][fragmentation]") {
  CHECK(allocated({}, true, 64_MiB).fragments() == 1);
  CHECK(allocated({}, false, 64_MiB).fragments() == 1);
}

TEST_CASE("Files that exist lie in pieces of the mean size at random places",
          "[fs][fragmentation]") {
  VolumeConfig config;
  config.files_at = 0.0;
  config.free_at = 0.9;
  config.fragment = 256_KiB;
  config.fragment_sigma = 0.0;
  // 64 MiB in pieces of exactly 256 KiB: 256 of them; a few may touch by chance.
  const FileMap map = allocated(config, true, 64_MiB);
  CHECK(map.fragments() <= 256);
  CHECK(map.fragments() >= 250);
  for (const Extent& piece : map.extents()) {
    CHECK(piece.length % 256_KiB == 0_B);
    CHECK(piece.end() <= align_down(Bytes{(1_GiB).count() * 9 / 10}, 4_MiB));
  }
}

TEST_CASE("The sizes of fragments have the mean that was asked for", "[fs][fragmentation]") {
  VolumeConfig config;
  config.files_at = 0.0;
  config.free_at = 1.0;
  config.fragment = 64_KiB;
  config.fragment_sigma = 1.0;
  // Lognormal with sigma 1 has a standard deviation of sqrt(e - 1) = 1.31 means. Rounding up to
  // clusters of 4 KiB adds 2 KiB. Of n = 256 MiB / 66 KiB = 3972 pieces the mean is within 3 * 1.31
  // * 64 / sqrt(n) = 4.0 KiB.
  const FileMap map = allocated(config, true, 256_MiB);
  const double mean = 256.0 * 1024 / static_cast<double>(map.fragments());
  CHECK(mean == Approx(66).margin(4.0));
}

TEST_CASE("New files fill free runs with as much taken between them", "[fs][fragmentation]") {
  VolumeConfig config;
  config.free_at = 0.0;
  config.free_run = 1_MiB;
  config.fragment_sigma = 0.0;
  // Runs of 1 MiB at 1, 3, 5 and 7 MiB: four pieces; the second file goes on in the half run that
  // is left.
  Simulation sim;
  FakeDevice device{sim};
  FreeCpu cpu;
  Volume volume{sim, device, cpu, config};
  FileMap first;
  REQUIRE(volume.allocate(first, 3584_KiB));
  CHECK(first.extents() ==
        std::vector<Extent>{{1_MiB, 1_MiB}, {3_MiB, 1_MiB}, {5_MiB, 1_MiB}, {7_MiB, 512_KiB}});
  FileMap second;
  REQUIRE(volume.allocate(second, 1_MiB));
  CHECK(second.extents() == std::vector<Extent>{{7680_KiB, 512_KiB}, {9_MiB, 512_KiB}});
}

TEST_CASE("A file's pieces are found where they lie", "[fs][fragmentation]") {
  FileMap map;
  map.append({100_KiB, 4_KiB});
  map.append({200_KiB, 8_KiB});
  map.append({208_KiB, 4_KiB});  // goes on behind the last one
  map.append({0_KiB, 4_KiB});
  std::vector<Extent> pieces;
  map.for_pieces({2_KiB, 16_KiB}, [&](Extent piece) { pieces.push_back(piece); });
  CHECK(pieces == std::vector<Extent>{{102_KiB, 2_KiB}, {200_KiB, 12_KiB}, {0_KiB, 2_KiB}});
  pieces.clear();
  map.for_pieces({16_KiB, 4_KiB}, [&](Extent piece) { pieces.push_back(piece); });
  CHECK(pieces == std::vector<Extent>{{0_KiB, 4_KiB}});
  pieces.clear();
  map.for_pieces({4_KiB, 0_KiB}, [&](Extent piece) { pieces.push_back(piece); });
  CHECK(pieces.empty());
}
