#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>

#include "support/catch.hpp"

using namespace copysim;

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
  constexpr std::array<std::string_view, 4> kinds{"drives", "links", "machines", "systems"};
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
