#include <copysim/models/link/send_window.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

constexpr Bytes pair = 2 * Framing::segment;

// A window of ten segments, all of them sent, that does not grow any more.
SendWindow full_window(Duration joins_within = Duration::zero()) {
  SendWindow window{{.receive_window = 10 * Framing::segment,
                     .initial_segments = 10,
                     .joins_within = joins_within}};
  window.sent(10 * Framing::segment);
  return window;
}

}  // namespace

TEST_CASE("a train of ACKs makes room one by one, evenly from its first to its last",
          "[link][tcp]") {
  SendWindow window = full_window();
  window.acknowledged(
      {.amount = 5 * pair, .first = SimTime{10ms}, .last = SimTime{14ms}, .count = 5});

  // One ACK each millisecond from 10 ms on.
  window.advance_to(SimTime{10ms - 1ns});
  CHECK(window.room() == 0_B);
  CHECK(window.next_ack() == SimTime{10ms});
  window.advance_to(SimTime{10ms});
  CHECK(window.room() == pair);
  CHECK(window.next_ack() == SimTime{11ms});
  window.advance_to(SimTime{13ms + 999999ns});
  CHECK(window.room() == 4 * pair);
  window.advance_to(SimTime{14ms});
  CHECK(window.in_flight() == 0_B);
  CHECK(!window.next_ack());
}

TEST_CASE("as many ACKs are taken ahead as make room for what is to be sent", "[link][tcp]") {
  SendWindow window = full_window();
  window.acknowledged(
      {.amount = 5 * pair, .first = SimTime{10ms}, .last = SimTime{14ms}, .count = 5});

  // Three segments take two ACKs.
  const SendWindow::Train taken = window.take_ahead(3 * Framing::segment);
  CHECK(taken.amount == 2 * pair);
  CHECK(taken.first == SimTime{10ms});
  CHECK(taken.last == SimTime{11ms});
  CHECK(window.room() == 2 * pair);
  CHECK(window.next_ack() == SimTime{12ms});
  CHECK(window.take_ahead(1_MiB).amount == 3 * pair);
  CHECK(window.in_flight() == 0_B);
}

TEST_CASE("trains close behind each other are one", "[link][tcp]") {
  const auto taken_at_once = [](Duration apart) {
    SendWindow window = full_window(1ms);
    window.acknowledged(
        {.amount = 2 * pair, .first = SimTime{10ms}, .last = SimTime{11ms}, .count = 2});
    window.acknowledged({.amount = 3 * pair,
                         .first = SimTime{11ms + apart},
                         .last = SimTime{13ms + apart},
                         .count = 3});
    return window.take_ahead(1_MiB).amount;
  };
  CHECK(taken_at_once(1ms) == 5 * pair);
  CHECK(taken_at_once(1ms + 1ns) == 2 * pair);
}

TEST_CASE("each ACK of a train lets a window grow that is not the receiver's", "[link][tcp]") {
  SendWindow window{{.receive_window = 1_MiB, .initial_segments = 4}};
  window.sent(4 * Framing::segment);
  CHECK(!window.steady());
  window.acknowledged(
      {.amount = 2 * pair, .first = SimTime{1ms}, .last = SimTime{2ms}, .count = 2});

  // Slow start: one segment for each of the two.
  window.advance_to(SimTime{2ms});
  CHECK(window.limit() == 6 * Framing::segment);
}

TEST_CASE("behind a hole the receiver's window does not move until it is filled", "[link][tcp]") {
  // Ten segments, the first of which is lost; the other nine are acknowledged selectively.
  SendWindow window = full_window();
  window.lost(Framing::segment, SimTime{1ms});
  window.acknowledged(
      {.amount = 9 * Framing::segment, .first = SimTime{12ms}, .last = SimTime{16ms}, .count = 9});
  window.repaired({.found = SimTime{13ms}, .filled = SimTime{23ms}});

  // Found with the third of them (one each half millisecond): half of what was in flight then.
  window.advance_to(SimTime{13ms});
  CHECK(window.limit() == 5 * Framing::segment);
  window.advance_to(SimTime{16ms});
  CHECK(window.in_flight() == 10 * Framing::segment);
  CHECK(window.room() == 0_B);
  CHECK(window.next_ack() == SimTime{23ms});
  window.advance_to(SimTime{23ms});
  CHECK(window.in_flight() == 0_B);
}

TEST_CASE("all that is lost of one window shrinks it once", "[link][tcp]") {
  SendWindow window = full_window();
  window.lost(Framing::segment, SimTime{1ms});
  window.lost(Framing::segment, SimTime{2ms});
  window.repaired({.found = SimTime{11ms}, .filled = SimTime{21ms}});
  window.repaired({.found = SimTime{12ms}, .filled = SimTime{22ms}});
  window.advance_to(SimTime{21ms});
  CHECK(window.limit() == 5 * Framing::segment);

  // What is sent after that was found is of another window.
  window.sent(2 * Framing::segment);
  window.lost(Framing::segment, SimTime{23ms});
  window.repaired({.found = SimTime{33ms}, .filled = SimTime{43ms}});
  window.advance_to(SimTime{40ms});
  CHECK(window.limit() < 5 * Framing::segment);
}
