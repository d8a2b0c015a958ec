#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// A file in the working directory of the test, gone with the test.
struct SheetFile {
  SheetFile(std::string path, std::string_view text) : name{std::move(path)} {
    std::ofstream{name} << text;
  }
  SheetFile(const SheetFile&) = delete;
  SheetFile& operator=(const SheetFile&) = delete;
  ~SheetFile() { std::filesystem::remove(name); }
  std::string name;
};

}  // namespace

TEST_CASE("The catalogue finds files by kind and id, in folders too", "[catalogue]") {
  constexpr std::array files{
      CatalogueFile{"drives", "a-disk", "drives/a-disk.toml", "x = 1"},
      CatalogueFile{"scenarios", "apc/vista-to-xp", "scenarios/apc/vista-to-xp.toml", ""},
      CatalogueFile{"scenarios", "apc/vista-to-usb", "scenarios/apc/vista-to-usb.toml", ""},
  };
  const Catalogue catalogue{files};

  CHECK(catalogue.find("drives", "a-disk").text == "x = 1");
  CHECK(catalogue.ids("scenarios") ==
        std::vector<std::string>{"apc/vista-to-usb", "apc/vista-to-xp"});
  CHECK_FALSE(catalogue.contains("links", "a-disk"));
}

TEST_CASE("An unknown id is refused with the nearest one and all known ones", "[catalogue]") {
  constexpr std::array files{
      CatalogueFile{"drives", "barracuda", "drives/barracuda.toml", ""},
      CatalogueFile{"drives", "cheetah", "drives/cheetah.toml", ""},
  };
  const Catalogue catalogue{files};

  CHECK_THROWS_WITH(catalogue.find("drives", "baracuda"),
                    "catalogue: no 'baracuda' among the drives; did you mean 'barracuda'? (known: "
                    "barracuda, cheetah)");
}

TEST_CASE("The embedded files are the files of lib/data, byte for byte", "[catalogue]") {
  CHECK(catalogue().find("scenarios", "apc/vista-to-xp").name == "scenarios/apc/vista-to-xp.toml");
  for (const CatalogueFile& file : catalogue().files()) {
    std::ifstream stream{std::string{COPYSIM_DATA_DIR "/"} + std::string{file.name}};
    std::ostringstream text;
    text << stream.rdbuf();
    INFO(file.name);
    CHECK((text.str() == file.text));
  }
}

TEST_CASE("Every value of a shipped sheet says how it is known", "[catalogue]") {
  constexpr std::array<std::string_view, 5> kinds{"drives", "links", "loads", "machines",
                                                  "systems"};
  for (const std::string_view kind : kinds) {
    for (const std::string& id : catalogue().ids(kind)) {
      const Sheet sheet = load_sheet(kind, id);
      CHECK(sheet.title != "");
      for (const auto& [key, setting] : sheet.settings.all()) {
        INFO(std::string{kind} + "/" + id + ": " + key);
        CHECK((key == "kind" || setting.origin.mark != ""));
      }
    }
  }
}

TEST_CASE("A sheet has the values of all sheets below it, the nearest first", "[catalogue]") {
  const SheetFile bottom{"test-sheet-bottom.toml", "title = 'bottom'\na = 1\nb = 1\nc = 1\n"};
  const SheetFile middle{"test-sheet-middle.toml",
                         "base = 'test-sheet-bottom.toml'\nb = 2\nc = 2\n"};
  const SheetFile top{"test-sheet-top.toml",
                      "title = 'top'\nbase = 'test-sheet-middle.toml'\nc = 3\n"};

  const Sheet sheet = load_sheet("systems", top.name);

  CHECK(sheet.title == "top");
  CHECK(sheet.settings.find("a")->value == SettingValue{std::int64_t{1}});
  CHECK(sheet.settings.find("b")->value == SettingValue{std::int64_t{2}});
  CHECK(sheet.settings.find("c")->value == SettingValue{std::int64_t{3}});
  CHECK_FALSE(sheet.settings.contains("base"));
}

TEST_CASE("Sheets that build on each other in a circle are refused with the circle",
          "[catalogue]") {
  const SheetFile self{"test-sheet-self.toml", "base = 'test-sheet-self.toml'\n"};
  const SheetFile one{"test-sheet-one.toml", "base = 'test-sheet-two.toml'\n"};
  const SheetFile two{"test-sheet-two.toml", "base = 'test-sheet-one.toml'\n"};

  CHECK_THROWS_AS(load_sheet("systems", self.name), ConfigError);
  CHECK_THROWS_WITH(load_sheet("systems", one.name),
                    "test-sheet-one.toml: base must not lead back to itself, got "
                    "test-sheet-one.toml, test-sheet-two.toml, test-sheet-one.toml");
}

TEST_CASE("A base that is not there is refused by its name", "[catalogue]") {
  const SheetFile sheet{"test-sheet-lost.toml", "base = 'vista-rtn'\n"};
  CHECK_THROWS_WITH(load_sheet("systems", sheet.name),
                    Catch::Contains("no 'vista-rtn' among the systems; did you mean 'vista-rtm'?"));
}
