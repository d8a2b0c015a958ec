#include <string>
#include <vector>

#include <copysim/models/smb/oplock_table.hpp>

#include "models/smb/memory_store.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// A client that needs 7 ms to give an oplock back.
class Holder final : public OplockHolder {
public:
  Holder(Simulation& sim, const void* client) : sim_{sim}, client_{client} {}
  [[nodiscard]] const void* client() const override { return client_; }
  void granted(Oplock to) override { level = to; }
  [[nodiscard]] Task<> broken(Oplock to) override {
    co_await sim_.delay(7ms);
    level = to;
    ++breaks;
  }
  Oplock level = Oplock::none;
  int breaks = 0;

private:
  Simulation& sim_;
  const void* client_;
};

// One file "f" and who has it open.
struct Bench {
  Simulation sim;
  MemoryStore store{sim};
  OplockTable table{sim};
  std::vector<std::unique_ptr<File>> handles;

  Task<std::unique_ptr<File>> open(std::shared_ptr<Holder> holder, bool empties) {
    OplockTable::FileName name{&store, "f"};
    const OplockTable::OpenId id = co_await table.opening(std::move(name), holder, empties);
    OpenResult opened = co_await store.open("f", {});
    table.opened(id, opened.file());
    co_return opened.take();
  }
  // Opens the file and returns the time that it takes.
  Duration enter(const std::shared_ptr<Holder>& holder, bool empties = false) {
    const SimTime start = sim.now();
    handles.push_back(sim.run(open(holder, empties)));
    return sim.now() - start;
  }
};

}  // namespace

TEST_CASE("OplockTable lets the only client cache writes, and several only reads",
          "[smb][oplock]") {
  Bench bench;
  bench.store.add("f", Content::zeros(1_B));
  const int anne = 0;
  const int bert = 0;
  const auto first = std::make_shared<Holder>(bench.sim, &anne);
  const auto again = std::make_shared<Holder>(bench.sim, &anne);
  const auto second = std::make_shared<Holder>(bench.sim, &bert);
  const auto third = std::make_shared<Holder>(bench.sim, &bert);

  CHECK(bench.enter(first) == 0ms);
  CHECK(first->level == Oplock::exclusive);
  // The same client again: nothing is broken, and it keeps what it has.
  CHECK(bench.enter(again) == 0ms);
  CHECK(again->level == Oplock::exclusive);
  CHECK(bench.table.breaks() == 0);
  // Another client waits for both oplocks, 7 ms each.
  CHECK(bench.enter(second) == 14ms);
  CHECK(first->level == Oplock::level_2);
  CHECK(again->level == Oplock::level_2);
  CHECK(second->level == Oplock::level_2);
  CHECK(bench.table.breaks() == 2);

  for (const auto& handle : bench.handles) bench.table.closed(*handle);
  CHECK(bench.enter(third) == 0ms);
  CHECK(third->level == Oplock::exclusive);
  CHECK(bench.table.granted() == 4);
}

TEST_CASE("OplockTable takes readers' oplocks when the file changes, and waits for nobody",
          "[smb][oplock]") {
  Bench bench;
  bench.store.add("f", Content::zeros(1_B));
  const int anne = 0;
  const int bert = 0;
  const auto reader = std::make_shared<Holder>(bench.sim, &anne);
  const auto writer = std::make_shared<Holder>(bench.sim, &bert);
  bench.enter(reader);
  bench.enter(writer);
  REQUIRE(reader->level == Oplock::level_2);

  bench.table.changed(*bench.handles.back());
  CHECK(reader->level == Oplock::level_2);
  bench.sim.run_until(bench.sim.now() + 7ms);

  CHECK(reader->level == Oplock::none);
  CHECK(writer->level == Oplock::level_2);  // its own
  bench.table.changed(*bench.handles.back());
  CHECK(bench.table.breaks() == 2);  // nothing is left to break
  bench.sim.close();
}

TEST_CASE("OplockTable breaks to none for an open that empties the file", "[smb][oplock]") {
  Bench bench;
  bench.store.add("f", Content::zeros(1_B));
  const int anne = 0;
  const int bert = 0;
  const auto reader = std::make_shared<Holder>(bench.sim, &anne);
  const auto writer = std::make_shared<Holder>(bench.sim, &bert);
  bench.enter(reader);

  // The exclusive oplock first, 7 ms; what is left goes without waiting.
  CHECK(bench.enter(writer, true) == 7ms);
  bench.sim.run_until(bench.sim.now() + 7ms);
  CHECK(reader->level == Oplock::none);
  CHECK(bench.table.breaks() == 2);
  bench.sim.close();
}

TEST_CASE("OplockTable makes way for a client that asks for no oplock", "[smb][oplock]") {
  Bench bench;
  bench.store.add("f", Content::zeros(1_B));
  const int anne = 0;
  const auto holder = std::make_shared<Holder>(bench.sim, &anne);
  bench.enter(holder);

  CHECK(bench.enter(nullptr) == 7ms);
  CHECK(holder->level == Oplock::level_2);
}
