#include <array>
#include <string>

#include <copysim/error.hpp>
#include <copysim/lib/settings.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/models/parameter.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

enum class Kind : std::uint8_t { ethernet, relay };
constexpr std::array<Kind, 2> all_values(Kind) {
  return {Kind::ethernet, Kind::relay};
}
constexpr std::string_view to_string(Kind kind) {
  return kind == Kind::relay ? "relay" : "ethernet";
}

struct Zone {
  int cylinders = 1;
  Bandwidth rate{1e6};
  static constexpr auto parameters = std::tuple{
      parameter("cylinders", &Zone::cylinders, "cylinders in the zone", at_least(1)),
      parameter("rate", &Zone::rate, "rate of the medium"),
  };
};

struct Link {
  Kind kind = Kind::ethernet;
  Bandwidth rate = Bandwidth::bits_per_second(1e9);
  Duration rtt = 200us;
  Bytes mtu = 1500_B;
  int adapters = 1;
  double loss = 0;
  bool duplex = true;
  std::string note;
  std::vector<Zone> zones;
  std::vector<std::string> dialects = {"smb1"};
  static constexpr auto parameters = std::tuple{
      parameter("kind", &Link::kind, "what carries the bytes"),
      parameter("rate", &Link::rate, "bits on the wire"),
      parameter("rtt", &Link::rtt, "round trip", at_least(0ms)),
      parameter("mtu", &Link::mtu, "largest packet", between(576_B, 9000_B)),
      parameter("adapters", &Link::adapters, "network cards", between(1, 8)),
      parameter("loss", &Link::loss, "lost packets", between(0.0, 0.5)),
      parameter("duplex", &Link::duplex, "both directions at once"),
      parameter("note", &Link::note, "any text"),
      parameter("zones", &Link::zones, "zones of a disk"),
      parameter("dialects", &Link::dialects, "offered, best first"),
  };
};

Settings from(std::string_view toml) {
  return Settings::parse(toml, "my.toml", SettingOrigin::Kind::scenario);
}

Link read(const Settings& settings) {
  SettingsReader reader{settings};
  Link link;
  reader.read("link", link);
  reader.finish();
  return link;
}

std::string error_of(const Settings& settings) {
  try {
    static_cast<void>(read(settings));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of(std::string_view toml) {
  try {
    return error_of(from(toml));
  } catch (const ConfigError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("Settings of every type reach their fields", "[settings]") {
  const Link link = read(from(R"(
    [link]
    kind = "relay"
    rate = "100 Mbit/s"
    rtt = "50ms"
    mtu = "1 KiB"
    adapters = 2
    loss = 0
    duplex = false
    note = "a long way"
    dialects = ["smb2", "smb1"]
    [[link.zones]]
    cylinders = 7
    [[link.zones]]
    cylinders = 9
    rate = "2 MB/s"
  )"));

  CHECK(link.kind == Kind::relay);
  CHECK(link.rate == Bandwidth{12.5e6});  // 1e8 / 8
  CHECK(link.rtt == 50ms);
  CHECK(link.mtu == 1024_B);
  CHECK(link.adapters == 2);
  CHECK_FALSE(link.duplex);
  CHECK(link.note == "a long way");
  CHECK(link.dialects == std::vector<std::string>{"smb2", "smb1"});
  REQUIRE(link.zones.size() == 2);
  CHECK(link.zones[0].cylinders == 7);
  CHECK(link.zones[1].rate == Bandwidth{2e6});
}

TEST_CASE("Settings of the command line need no quotes and win over the file", "[settings]") {
  Settings settings = from("[link]\nrtt = \"1 ms\"\nadapters = 3\ndialects = [\"smb1\"]");
  for (const char* assignment : {"link.rtt=50ms", "link.kind = relay", "link.adapters=2",
                                 "link.loss=0.25", "link.duplex=false", "link.note=2000",
                                 "link.dialects=smb2.1,smb2", "link.zones.0.cylinders=4"}) {
    settings.assign(assignment);
  }

  const Link link = read(settings);

  CHECK(link.rtt == 50ms);
  CHECK(link.kind == Kind::relay);
  CHECK(link.adapters == 2);
  CHECK(link.loss == 0.25);
  CHECK_FALSE(link.duplex);
  CHECK(link.note == "2000");
  CHECK(link.dialects == std::vector<std::string>{"smb2.1", "smb2"});
  CHECK(link.zones.at(0).cylinders == 4);
}

TEST_CASE("A wrong value is one message with place, key, rule and value", "[settings]") {
  CHECK(error_of("[link]\n\nrtt = 50") ==
        "my.toml:3: link.rtt needs a unit (ns, us, ms, s, min, h), got 50");
  CHECK(error_of("link.rtt = '-1 ms'") ==
        "my.toml:1: link.rtt must be at least 0 ns, got \"-1 ms\"");
  CHECK(error_of("link.mtu = '100 B'") ==
        "my.toml:1: link.mtu must be between 576 B and 9 KB, got \"100 B\"");
  CHECK(error_of("link.adapters = 9") == "my.toml:1: link.adapters must be between 1 and 8, got 9");
  CHECK(error_of("link.adapters = 1.5") ==
        "my.toml:1: link.adapters must be a whole number, got 1.5");
  CHECK(error_of("link.kind = 'token-ring'") ==
        "my.toml:1: link.kind must be one of ethernet, relay, got \"token-ring\"");
  CHECK(error_of("link.duplex = 1") == "my.toml:1: link.duplex must be true or false, got 1");
  CHECK(error_of("link.zones = 1") == "my.toml:1: link.zones must be a list, got 1");
  CHECK(error_of("link.note = 5") == "my.toml:1: link.note must be a text in quotes, got 5");

  Settings line;
  line.assign("link.rtt=50");
  CHECK(error_of(line) == "command line: link.rtt needs a unit (ns, us, ms, s, min, h), got '50'");
  Settings infinite;
  infinite.assign("link.loss=nan");
  CHECK(error_of(infinite) == "command line: link.loss must be a number, got 'nan'");
}

TEST_CASE("An unknown key is refused with the nearest known one and all of its table",
          "[settings]") {
  CHECK(error_of("[link]\nrat = '1 ms'") ==
        "my.toml:2: unknown key 'link.rat'; did you mean 'link.rate'? (allowed in link: adapters, "
        "dialects, duplex, kind, loss, mtu, note, rate, rtt)");
  CHECK(error_of("rtt = '1 ms'") ==
        "my.toml:1: unknown key 'rtt'; did you mean 'link.rtt'? (allowed at the top: link)");
}

TEST_CASE("Broken TOML is refused with its line", "[settings]") {
  CHECK(error_of("[link]\nrtt = = 1").substr(0, 10) == "my.toml:2:");
}

TEST_CASE("A value tells how it is known, or is refused", "[settings]") {
  const Settings settings = from(R"(
    rtt = { value = "1 ms", mark = "measured", source = "ping" }
    [cost]
    value = 3
    mark = "fitted"
    source = "no data sheet"
    range = [1, 5]
    rows = ["APC-01"]
    command = "copysim calibrate systems/xp"
  )");

  CHECK(settings.find("rtt")->origin.mark == "measured");
  CHECK(settings.find("rtt")->origin.source == "ping");
  CHECK(settings.find("cost")->fit->rows == std::vector<std::string>{"APC-01"});
  CHECK(error_of("a = { value = 1, mark = 'guessed', source = 'x' }") ==
        "my.toml:1: a must have a mark (documented, measured, inferred or fitted), got 'guessed'");
  CHECK(error_of("a = { value = 1, mark = 'inferred' }") ==
        "my.toml:1: a must name the source of its value");
  CHECK(error_of("a = { value = 1, mark = 'fitted', source = 'x' }") ==
        "my.toml:1: a is fitted: it needs a range of two values or a list of candidates, and rows "
        "and command");
}

TEST_CASE("Every effective value remembers where it comes from", "[settings]") {
  Settings settings = Settings::parse(
      "[link]\nmtu = { value = '1 KB', mark = 'documented', "
      "source = 'RFC 894' }\nadapters = 1",
      "links/lan.toml", SettingOrigin::Kind::sheet);
  settings.merge(from("link.adapters = 4"));
  settings.assign("link.rtt=1000us");
  SettingsReader reader{settings};
  Link link;

  reader.read("link", link);

  std::string listed;
  for (const EffectiveSetting& each : reader.effective()) {
    listed += each.key + "=" + to_text(each.value) + " " + to_text(each.origin) + "\n";
  }
  CHECK(listed ==
        "link.adapters=4 scenario my.toml:1\n"
        "link.dialects.0=\"smb1\" default\n"
        "link.duplex=true default\n"
        "link.kind=\"ethernet\" default\n"
        "link.loss=0 default\n"
        "link.mtu=\"1 KB\" sheet links/lan.toml:2\n"
        "link.note=\"\" default\n"
        "link.rate=\"1 Gbit/s\" default\n"
        "link.rtt=\"1 ms\" command line\n");
}

TEST_CASE("A stronger list replaces a weaker one as a whole", "[settings]") {
  Settings settings = from("zones = [1, 2, 3]");

  settings.merge(from("zones = [9]"));

  CHECK(settings.all().size() == 1);
  CHECK(settings.find("zones.0")->value == SettingValue{std::int64_t{9}});
}

TEST_CASE("A value and what is below it do not stand side by side", "[settings]") {
  Settings settings = from(R"(
    a = 1
    zones = [1, 2, 3]
    [b]
    x = 1
    y = 2
  )");
  // A list in place of a value, a value in place of a table, a shorter list, a new key.
  const Settings stronger = from("a = [4, 5]\nb = 6\nc = 7\nzones = [9]\n");

  settings.merge(stronger);

  CHECK(settings == stronger);
}

TEST_CASE("Settings printed as TOML read back equal", "[settings]") {
  const Settings settings = from(R"(
    title = "all forms"
    plain = 1.5
    flag = true
    list = ["a", "b"]
    known = { value = "1 ms", mark = "measured", source = "ping \"x\"" }
    marked = { value = [1, 2], mark = "inferred", source = "y" }
    [[zones]]
    cylinders = 1
    [[zones]]
    cylinders = 2
    rate = "1 MB/s"
    [a.b]
    c = 4
  )");

  const Settings again = from(settings.to_toml());

  CHECK(again == settings);
  CHECK(again.find("known")->origin.source == "ping \"x\"");
  CHECK(again.find("marked.1")->origin.mark == "inferred");
}

TEST_CASE("Keys are ordered part by part, and whole numbers by value", "[settings]") {
  const KeyLess less;
  CHECK(less("zones.2.rate", "zones.10.rate"));
  CHECK(less("a.z", "a-b"));  // below "a" comes before any other key
  CHECK(less("a", "a.b"));
  CHECK_FALSE(less("a", "a"));
  CHECK_FALSE(less("a.b", "a"));
  CHECK(less("a.2", "a.b"));   // numbers before names
  CHECK(less("a.b", "a.bc"));  // "bc" begins as "b" does
  CHECK(less("a.12", "a.120"));
  CHECK_FALSE(less("a.120", "a.13"));
}
