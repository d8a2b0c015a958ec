#include <string>

#include <copysim/error.hpp>
#include <copysim/models/quantity.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("A size is read in powers of 1000 and of 1024, with or without a blank", "[quantity]") {
  CHECK(parse_bytes("64 KB") == 64000_B);
  CHECK(parse_bytes("64 kB") == 64000_B);
  CHECK(parse_bytes("256 KiB") == 262144_B);     // 256 * 1024
  CHECK(parse_bytes("2.5GiB") == 2684354560_B);  // 2.5 * 2^30
  CHECK(parse_bytes("3.06 GB") == 3060000000_B);
  CHECK(parse_bytes("8.53 MiB") == 8944353_B);  // 8.53 * 1048576 = 8944353.28
  CHECK(parse_bytes("  1 B ") == 1_B);
}

TEST_CASE("A duration is read in ns, us, ms, s, min and h", "[quantity]") {
  CHECK(parse_duration("5 ms") == 5ms);
  CHECK(parse_duration("0.2ms") == 200us);
  CHECK(parse_duration("12 s") == 12s);
  CHECK(parse_duration("1 min") == 60s);
  CHECK(parse_duration("1.5 h") == 90min);
  CHECK(parse_duration("7 ns") == 7ns);
  CHECK(parse_duration("8.3333333 ms") == 8333333ns);  // 8333333.3 ns, rounded
  CHECK(parse_duration("-3 us") == -3us);
}

TEST_CASE("A bandwidth is read in bits or bytes per second", "[quantity]") {
  CHECK(parse_bandwidth("1 Gbit/s") == Bandwidth{125e6});     // 1e9 / 8
  CHECK(parse_bandwidth("100 Mbit/s") == Bandwidth{12.5e6});  // 1e8 / 8
  CHECK(parse_bandwidth("78 MB/s") == Bandwidth{78e6});
  CHECK(parse_bandwidth("33 MiB/s") == Bandwidth{34603008});  // 33 * 1048576
}

TEST_CASE("A quantity without its unit is refused, and the text says what is allowed",
          "[quantity]") {
  CHECK(try_parse_bytes("64").error == "needs a unit (B, KB, MB, GB, TB, KiB, MiB, GiB, TiB)");
  CHECK(try_parse_bytes("0").error != "");
  CHECK(try_parse_duration("50").error == "needs a unit (ns, us, ms, s, min, h)");
  CHECK(try_parse_bandwidth("1 Gb").error ==
        "has no unit 'Gb' (allowed: bit/s, kbit/s, Mbit/s, Gbit/s, B/s, KB/s, MB/s, GB/s, KiB/s, "
        "MiB/s, GiB/s)");
  CHECK_THROWS_AS(parse_bytes("many KB"), ConfigError);
  CHECK_THROWS_AS(parse_bytes("1.2.3 KB"), ConfigError);
  CHECK_THROWS_AS(parse_bytes("9e9 B"), ConfigError);
  CHECK_THROWS_AS(parse_bytes("99999999999 TB"), ConfigError);  // above 2^63
  CHECK_THROWS_AS(parse_duration("5 m"), ConfigError);          // minutes or metres?
}

TEST_CASE("A quantity prints in the unit with the shortest exact text", "[quantity]") {
  CHECK(to_text(262144_B) == "256 KiB");
  CHECK(to_text(2684354560_B) == "2.5 GiB");
  CHECK(to_text(64000_B) == "64 KB");
  CHECK(to_text(0_B) == "0 B");
  CHECK(to_text(61440_B) == "60 KiB");
  CHECK(to_text(Duration{200us}) == "0.2 ms");
  CHECK(to_text(Duration{1s}) == "1 s");
  CHECK(to_text(Duration{0}) == "0 ns");
  CHECK(to_text(Bandwidth{125e6}) == "1 Gbit/s");
  CHECK(to_text(Bandwidth{34603008}) == "33 MiB/s");
}

TEST_CASE("Printing and parsing again gives the same bits", "[quantity]") {
  // A multiplicative walk through 18 decades, so that no unit fits most values.
  std::int64_t value = 1;
  double rate = 0.001;
  for (int i = 0; i < 200; ++i) {
    CHECK(parse_bytes(to_text(Bytes{value})) == Bytes{value});
    CHECK(parse_bytes(to_text(Bytes{-value})) == Bytes{-value});
    CHECK(parse_duration(to_text(Duration{value})) == Duration{value});
    CHECK(parse_bandwidth(to_text(Bandwidth{rate})) == Bandwidth{rate});
    value = value + value / 5 + 1;
    rate *= 1.2345678901234567;
  }
}
