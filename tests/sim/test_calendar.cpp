#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <copysim/sim/calendar.hpp>

#include "support/catch.hpp"

using namespace copysim;
using copysim::detail::Calendar;

namespace {

constexpr SimTime at(std::int64_t ns) {
  return SimTime{Duration{ns}};
}

std::uint32_t take(Calendar& calendar) {
  const auto slot = static_cast<std::uint32_t>(calendar.top_ticket() & Calendar::slot_mask);
  calendar.take_top();
  return slot;
}

std::vector<std::uint32_t> drain(Calendar& calendar) {
  std::vector<std::uint32_t> slots;
  while (!calendar.heap_empty()) slots.push_back(take(calendar));
  return slots;
}

}  // namespace

TEST_CASE("The calendar yields entries by time, then by sequence", "[sim][calendar]") {
  Calendar calendar;
  calendar.schedule(at(5), 1);
  calendar.schedule(at(3), 9);
  calendar.schedule(at(5), 0);
  calendar.schedule(at(3), 8);

  CHECK(drain(calendar) == std::vector<std::uint32_t>{9, 8, 1, 0});
}

TEST_CASE("The calendar agrees with a stable sort on a long random mix", "[sim][calendar]") {
  // Compared with: sort by (time, order of scheduling), kept up to date after each step.
  std::mt19937_64 random{7};
  Calendar calendar;
  std::vector<std::pair<SimTime, std::uint32_t>> reference;
  SimTime now{};
  std::uint32_t slot = 0;
  for (int step = 0; step < 20'000; ++step) {
    const bool add = reference.empty() || random() % 100 < (step < 10'000 ? 60U : 40U);
    if (add) {
      const SimTime due = now + Duration{1 + static_cast<std::int64_t>(random() % 50)};
      calendar.schedule(due, slot);
      const auto after =
          std::upper_bound(reference.begin(), reference.end(), due,
                           [](SimTime t, const auto& entry) { return t < entry.first; });
      reference.insert(after, {due, slot++});
    } else {
      REQUIRE_FALSE(calendar.heap_empty());
      REQUIRE(calendar.top_time() == reference.front().first);
      now = calendar.top_time();
      REQUIRE(take(calendar) == reference.front().second);
      reference.erase(reference.begin());
    }
  }
}

TEST_CASE("The ring of the present instant is first in first out while it grows",
          "[sim][calendar]") {
  Calendar calendar;
  std::uint32_t in = 0;
  std::uint32_t out = 0;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 30; ++i) calendar.schedule_now(in++);
    for (int i = 0; i < 20; ++i) REQUIRE((calendar.take_ring() & Calendar::slot_mask) == out++);
  }
  while (!calendar.ring_empty()) REQUIRE((calendar.take_ring() & Calendar::slot_mask) == out++);
  CHECK(out == in);
}

TEST_CASE("A sweep removes exactly the dead entries and keeps the order", "[sim][calendar]") {
  Calendar calendar;
  for (std::uint32_t slot = 0; slot < 500; ++slot) {
    calendar.schedule(at(1 + (slot * 37) % 100), slot);
  }
  const std::uint32_t first = take(calendar);  // spent, still at the top

  calendar.sweep([](Calendar::Ticket ticket) { return (ticket & Calendar::slot_mask) % 2 == 1; });

  // (37 slot) mod 100 is 0 at slot 0 and is smallest there first.
  CHECK(first == 0);
  const auto rest = drain(calendar);
  CHECK(rest.size() == 250);
  const auto key = [](std::uint32_t slot) { return std::pair{(slot * 37) % 100, slot}; };
  CHECK(std::is_sorted(rest.begin(), rest.end(), [&](auto a, auto b) { return key(a) < key(b); }));
}
