#include <copysim/error.hpp>
#include <copysim/models/fs/tmpfs.hpp>
#include <copysim/sim/simulation.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

constexpr OpenOptions create{.create = true};

Task<IoStatus> write_at(Tmpfs& store, std::string name, Bytes offset, Content content) {
  const OpenResult opened = co_await store.open(std::move(name), create);
  const IoStatus written = co_await opened.file().write(offset, std::move(content));
  if (written != IoStatus::ok) co_return written;
  const IoStatus closed = co_await opened.file().close();
  co_return closed;
}

}  // namespace

TEST_CASE("Tmpfs holds what was written, with zeros in a gap, and takes no time", "[fs]") {
  Simulation sim;
  Tmpfs store{Origin::first_file};
  const Content data{Origin{Origin::first_file + 9, 1, 0_B}, 100_B};

  CHECK(sim.run(write_at(store, "f", 50_B, data)) == IoStatus::ok);

  Content expected = Content::zeros(50_B);
  expected.append(data);
  CHECK(store.peek("f") == expected);
  CHECK(sim.now() == SimTime{});
}

TEST_CASE("Tmpfs gives each file that it starts with an identity of its own", "[fs]") {
  Tmpfs store{Origin::first_file};
  store.add("a", 10_B);
  store.add("b", 10_B);

  CHECK(store.peek("a") == Content{Origin{Origin::first_file, 0, 0_B}, 10_B});
  CHECK(store.peek("b") == Content{Origin{Origin::first_file + 1, 0, 0_B}, 10_B});
  CHECK(store.entries().size() == 2);
  CHECK_THROWS_AS(store.add("a", 1_B), ConfigError);
}

TEST_CASE("Tmpfs opens no file that is not there, and empties one that is created again", "[fs]") {
  Simulation sim;
  Tmpfs store{Origin::first_file};
  store.add("f", 10_B);

  CHECK(sim.run(store.open("g", {})).status() == IoStatus::not_found);
  CHECK(sim.run(store.open("f", create)).file().size() == 0_B);
}
