#include <copysim/models/link/tcp_stream.hpp>

#include <algorithm>
#include <limits>

#include <copysim/models/link/frames.hpp>

namespace copysim {

TcpStream::TcpStream(Simulation& simulation, std::string_view name, Config config)
    : simulation_{simulation},
      config_{config},
      window_{static_cast<double>(config.initial_segments)},
      threshold_{std::numeric_limits<double>::infinity()},
      sendable_{simulation, name},
      flying_signal_{simulation, name},
      ack_signal_{simulation, name},
      in_flight_signal_{simulation, name},
      odd_signal_{simulation, name},
      came_{simulation, name} {}

void TcpStream::start(PacketReceiver& card) {
  simulation_.spawn(send(), "TCP sender");
  simulation_.spawn(carry(card), "wire");
  simulation_.spawn(take_acks(), "acknowledgements");
  simulation_.spawn(watch(), "retransmission timer");
  simulation_.spawn(delay_acks(), "delayed acknowledgements");
}

void TcpStream::write(std::int64_t packets) {
  written_ += packets;
  sendable_.notify_all();
}

Task<> TcpStream::received(std::int64_t packets) {
  while (expected_ < packets) {
    co_await came_.wait();
  }
}

bool TcpStream::may_send() const {
  if (retransmit_) return true;
  const auto offered = static_cast<double>(config_.receive_window / Framing::segment);
  return next_ < written_ &&
         static_cast<double>(in_flight()) + 1 <= std::min(window_, std::max(offered, 1.0));
}

Task<> TcpStream::send() {
  while (true) {
    if (!may_send()) {
      co_await sendable_.wait();
      continue;
    }
    std::int64_t number = unacknowledged_;
    if (retransmit_) {
      retransmit_ = false;
      ++counters_.retransmitted;
    } else {
      if (in_flight() == 0) progress_ = simulation_.now();
      number = next_++;
      in_flight_signal_.notify_all();
    }
    ++counters_.sent;
    co_await simulation_.delay(Framing::full_frame / config_.rate);
    SimTime through = simulation_.now();
    if (config_.bottleneck > Bandwidth{0}) {
      through = std::max(through, line_free_) + Framing::full_frame / config_.bottleneck;
      line_free_ = through;
    }
    flying_.push_back({through + config_.rtt / 2, number});
    flying_signal_.notify_all();
  }
}

Task<> TcpStream::carry(PacketReceiver& card) {
  while (true) {
    if (flying_.empty()) {
      co_await flying_signal_.wait();
      continue;
    }
    co_await simulation_.delay(flying_.front().at - simulation_.now());
    const std::int64_t number = flying_.front().number;
    flying_.pop_front();
    card.arrive({.number = number});
  }
}

bool TcpStream::arrive(IpPacket packet) {
  if (packet.number != expected_) {
    if (packet.number > expected_) beyond_.insert(packet.number);
    acknowledge();
    return true;
  }
  ++expected_;
  const bool hole = !beyond_.empty();
  while (!beyond_.empty() && *beyond_.begin() == expected_) {
    beyond_.erase(beyond_.begin());
    ++expected_;
  }
  came_.notify_all();
  if (++without_ack_ >= config_.ack_every || hole) {
    acknowledge();
  } else {
    odd_since_ = simulation_.now();
    odd_signal_.notify_all();
  }
  return true;
}

void TcpStream::acknowledge() {
  without_ack_ = 0;
  acks_.push_back({simulation_.now() + config_.rtt / 2, expected_});
  ack_signal_.notify_all();
}

Task<> TcpStream::delay_acks() {
  while (true) {
    if (without_ack_ == 0) {
      co_await odd_signal_.wait();
      continue;
    }
    const SimTime due = odd_since_ + config_.delayed_ack;
    if (simulation_.now() < due) {
      co_await simulation_.delay(due - simulation_.now());
      continue;
    }
    acknowledge();
  }
}

Task<> TcpStream::take_acks() {
  while (true) {
    if (acks_.empty()) {
      co_await ack_signal_.wait();
      continue;
    }
    co_await simulation_.delay(acks_.front().at - simulation_.now());
    const std::int64_t expected = acks_.front().number;
    acks_.pop_front();
    if (expected > unacknowledged_) {
      on_ack(expected);
    } else if (in_flight() > 0 && expected == unacknowledged_) {
      on_duplicate();
    }
    sendable_.notify_all();
  }
}

void TcpStream::on_ack(std::int64_t expected) {
  const auto newly = static_cast<double>(expected - unacknowledged_);
  unacknowledged_ = expected;
  next_ = std::max(next_, expected);  // after a timeout, what lay beyond the hole need not go again
  progress_ = simulation_.now();
  duplicates_ = 0;
  if (recovering_ && expected < recovery_point_) {
    window_ = std::max(window_ - newly + 1, 1.0);  // RFC 6582: a partial acknowledgement
    retransmit_first();
    return;
  }
  if (recovering_) {
    recovering_ = false;
    window_ = threshold_;
  } else {
    window_ += window_ < threshold_ ? 1.0 : 1.0 / window_;
  }
}

void TcpStream::on_duplicate() {
  if (recovering_) {
    window_ += 1;
    return;
  }
  if (++duplicates_ < 3) return;
  threshold_ = std::max(static_cast<double>(in_flight()) / 2, 2.0);
  window_ = threshold_ + 3;
  recovering_ = true;
  recovery_point_ = next_;
  retransmit_first();
}

void TcpStream::retransmit_first() {
  retransmit_ = true;
}

Task<> TcpStream::watch() {
  while (true) {
    if (in_flight() == 0) {
      co_await in_flight_signal_.wait();
      continue;
    }
    const SimTime due = progress_ + config_.least_timeout;
    if (simulation_.now() < due) {
      co_await simulation_.delay(due - simulation_.now());
      continue;
    }
    ++counters_.timeouts;
    threshold_ = std::max(static_cast<double>(in_flight()) / 2, 2.0);
    window_ = 1;
    recovering_ = false;
    duplicates_ = 0;
    next_ = unacknowledged_;
    progress_ = simulation_.now();
    sendable_.notify_all();
  }
}

}  // namespace copysim
