#include <array>
#include <string>
#include <vector>

#include <copysim/models/parameter_reader.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

enum class Order : std::uint8_t { first_come, elevator };
constexpr std::array<Order, 2> all_values(Order) {
  return {Order::first_come, Order::elevator};
}
constexpr std::string_view to_string(Order order) {
  return order == Order::elevator ? "elevator" : "first-come";
}

struct Queue {
  int depth = 4;
  Order order = Order::elevator;
  static constexpr auto parameters = std::tuple{
      parameter("depth", &Queue::depth, "requests in flight", between(1, 32)),
      parameter("order", &Queue::order, "who is served next"),
  };
};

struct Drive {
  Duration overhead = 300us;
  std::vector<Bytes> segments = {Bytes{64}, Bytes{128}};
  Queue queue;
  static constexpr auto parameters = std::tuple{
      parameter("overhead", &Drive::overhead, "time per command", at_least(0ms)),
      parameter("segments", &Drive::segments, "sizes of the cache segments"),
      section("queue", &Drive::queue, "the command queue"),
  };
};

// Notes every parameter with its path, and sets the depth.
class Notes final : public ParameterReader {
public:
  std::vector<std::string> seen;

  void value(std::string_view name, std::string_view, bool&) override { note(name); }
  void value(std::string_view name, std::string_view, std::int64_t& field,
             const Allowed<std::int64_t>& allowed) override {
    note(name);
    if (name == "depth") field = *allowed.most;
  }
  void value(std::string_view name, std::string_view, double&, const Allowed<double>&) override {
    note(name);
  }
  void value(std::string_view name, std::string_view, Bytes&, const Allowed<Bytes>&) override {
    note(name);
  }
  void value(std::string_view name, std::string_view, Duration&,
             const Allowed<Duration>& allowed) override {
    note(name);
    CHECK(allowed.least == Duration{0});
  }
  void value(std::string_view name, std::string_view, Bandwidth&,
             const Allowed<Bandwidth>&) override {
    note(name);
  }
  void value(std::string_view name, std::string_view, std::string&) override { note(name); }
  void choice(std::string_view name, std::string_view, std::size_t& index,
              std::span<const std::string_view> names) override {
    note(name);
    CHECK(names[index] == "elevator");
    index = 0;
  }
  void enter(std::string_view name, std::string_view) override {
    path_.push_back(std::string{name} + ".");
  }
  void leave() override { path_.pop_back(); }
  std::size_t list(std::string_view name, std::string_view text, std::size_t length) override {
    enter(name, text);
    return length;
  }

private:
  void note(std::string_view name) {
    std::string key;
    for (const std::string& part : path_) key += part;
    seen.push_back(key + std::string{name});
  }
  std::vector<std::string> path_;
};

}  // namespace

TEST_CASE("A reader sees every parameter once, in order, sections and lists included",
          "[parameter]") {
  Drive drive;
  Notes notes;

  read_parameters(drive, notes);

  CHECK(notes.seen == std::vector<std::string>{"overhead", "segments.0.", "segments.1.",
                                               "queue.depth", "queue.order"});
  CHECK(drive.queue.depth == 32);
  CHECK(drive.queue.order == Order::first_come);
  CHECK(drive.overhead == 300us);
}
