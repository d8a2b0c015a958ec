#include <copysim/models/link/tcp_connection.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <copysim/models/link/frames.hpp>

namespace copysim {

namespace {

Duration copy_time(Bandwidth rate, Bytes amount) {
  return rate > Bandwidth{0} ? amount / rate : Duration::zero();
}

// How long work takes on a processor of that end.
Duration on(const TransportEnd& end, Duration work) {
  return end.cpu != nullptr ? end.cpu->time_of(work) : Duration::zero();
}

}  // namespace

TcpConnection::Stream::Stream(Simulation& simulation, const TransportEnd& from,
                              const TransportEnd& to, Bandwidth rate)
    : sender{from},
      receiver{to},
      sending{simulation, 1},
      receiving{simulation, 1},
      window_config{.receive_window = offered_window(from, to, rate),
                    .initial_segments = from.tcp.initial_window,
                    .ack_every = to.tcp.ack_every,
                    .control = from.tcp.congestion_control},
      window{window_config},
      round_trips{{.initial = from.tcp.initial_timeout, .least = from.tcp.least_timeout}},
      interrupt_period{from_seconds(1 / to.cost.interrupt_rate)} {}

void TcpConnection::Stream::restart() {
  window = SendWindow{window_config};
  round_trips = RoundTripEstimator{
      {.initial = sender.tcp.initial_timeout, .least = sender.tcp.least_timeout}};
  for (Arrival* arrival : std::exchange(waiting, {})) arrival->known.set();
  holes.clear();
  holes_made = 0;
  given_up.reset();
  if (retransmission) retransmission->set(std::nullopt);
  unlimited = false;
  last_end = line_end = held_until = SimTime{};
  found = SimTime::min();
  tail_segments = 0;
  tail_bytes = 0_B;
}

TcpConnection::TcpConnection(EthernetLink& link, TransportEnd client, TransportEnd server)
    : link_{link},
      simulation_{link.simulation()},
      client_{client},
      server_{server},
      streams_{Stream{simulation_, client_, server_, link.config().rate},
               Stream{simulation_, server_, client_, link.config().rate}} {
  for (Stream& each : streams_) {
    each.ack_delay = ack_delay(each);
    each.window_config.round_trip = 2 * link_.one_way(Framing::segment) + each.ack_delay;
    if (!link_.config().loses()) {
      const std::int64_t segments = 2 * std::int64_t{each.receiver.tcp.ack_every};
      each.window_config.joins_within = copy_time(link_.slowest(), segments * Framing::full_frame);
    }
    each.restart();
    if (!link_.config().loses()) continue;
    const Toward toward = &each == streams_.data() ? Toward::server : Toward::client;
    each.retransmission = std::make_unique<Timer>(simulation_, "TCP retransmission timer",
                                                  [this, toward] { timed_out(toward); });
  }
}

// What an ACK in a steady stream takes besides the way there and back: the wait for the interrupt,
// on the average over what one interrupt brings, the work on that, the ACK's own time on the wire,
// and the work of the sender until the next frame is ready.
Duration TcpConnection::ack_delay(const Stream& s) const {
  const Duration period = s.interrupt_period;
  const Bandwidth rate = link_.slowest();
  const Duration frame = copy_time(rate, Framing::full_frame);
  const std::int64_t frames = frame > Duration::zero() ? period / frame : 1;
  const Bytes brought = std::max<std::int64_t>(1, frames) * Framing::segment;
  const Duration ack = frames < s.receiver.tcp.ack_every ? s.receiver.cost.ack : Duration::zero();
  const Duration work = receive_work(s, brought, Duration::zero()) + ack;
  const Duration answer = s.sender.cost.ack + s.sender.cost.transmit_frame;
  return std::max(Duration::zero(), period - frame) / 2 + on(s.receiver, work) +
         copy_time(link_.config().rate, Framing::least_frame) + on(s.sender, answer);
}

// When the ACK of what is at the receiver by `arrival` is back.
SimTime TcpConnection::ack_back(Toward toward, SimTime arrival) {
  return arrival + stream(toward).ack_delay + link_.one_way(0_B) +
         link_.ack_variation(toward, arrival);
}

Task<IoStatus> TcpConnection::deliver(Toward toward, Bytes message) {
  Stream& s = stream(toward);
  if (!up_) co_return IoStatus::link_down;
  const std::uint32_t life = life_;
  Schedule plan;
  {
    const Semaphore::Permit turn = co_await s.sending.scoped();
    if (life != life_) co_return IoStatus::link_down;
    const SimTime asked = simulation_.now();
    const Duration work = transmit_work(s, message);
    if (s.sender.cpu != nullptr) {
      co_await s.sender.cpu->run(work, CpuWork::network);
    }
    const SimTime now = simulation_.now();
    const SimTime started = std::max(asked, now - on(s.sender, work));
    const SimTime first = started + on(s.sender, s.sender.cost.transmit_frame);
    plan = schedule(
        toward,
        {.message = message, .first_frame_from = std::min(first, now), .last_frame_from = now});
  }

  EthernetLink::Transit& transit = plan.transit;
  if (!s.holes.empty()) {
    Arrival arrival{simulation_, s.holes_made};
    arrival.at = transit.arrival;
    s.waiting.push_back(&arrival);
    s.retransmission->set(timer_due(s));
    co_await arrival.known.wait();
    if (life != life_) co_return IoStatus::link_down;
    transit.arrival = arrival.at;
  }
  if (s.given_up) {
    const SimTime end = *s.given_up;
    const IoStatus status = co_await give_up(end);
    co_return status;
  }
  const SimTime noticed = last_interrupt(s, transit);
  Reception reception = reception_of(s, message, transit, noticed);
  const Duration wait = std::max(Duration::zero(), reception.start() - simulation_.now());
  if (simulation_.records_paths()) {
    Duration rest = wait;
    const auto take = [&rest](Duration part) {
      part = std::clamp(part, Duration::zero(), rest);
      rest -= part;
      return part;
    };
    const auto& labels = link_.labels();
    const Duration latency = link_.one_way(std::min(message, Framing::segment));
    std::array<LabelledPart, 5> parts{{{labels.queue, take(plan.queued)},
                                       {labels.delayed_ack, take(plan.delayed_ack)},
                                       {labels.window, take(plan.window)},
                                       {labels.latency, take(latency)},
                                       {labels.wire, Duration::zero()}}};
    parts.back().duration = rest;
    co_await simulation_.delay(parts);
  } else {
    co_await simulation_.delay(wait);
  }

  if (life != life_) co_return IoStatus::link_down;
  const Semaphore::Permit order = co_await s.receiving.scoped();
  while (s.receiver.cpu != nullptr && reception.slices > 0) {
    const Duration early = reception.start() - simulation_.now();
    if (early > Duration::zero()) {
      co_await simulation_.delay(early, link_.labels().wire);
    }
    co_await s.receiver.cpu->run(reception.work, CpuWork::network);
    if (life != life_) co_return IoStatus::link_down;
    reception.arrival += reception.apart;
    --reception.slices;
  }
  co_return IoStatus::ok;
}

// The processor takes frames in at each interrupt; what came since the one before is left for the
// last, so it is done `last_work` after it.
TcpConnection::Reception TcpConnection::reception_of(const Stream& s, Bytes message,
                                                     const EthernetLink::Transit& transit,
                                                     SimTime noticed) const {
  const Duration span = transit.arrival - transit.first_arrival;
  const Bytes left = left_for_last_interrupt(s, message, transit.arrival, noticed);
  const Duration last_work = receive_work(s, left, Duration::zero());
  Reception result;
  if (s.receiver.cpu != nullptr) {
    result.slices = std::max<std::int64_t>(1, pieces(message, slice_frames * Framing::segment));
  }
  result.work = receive_work(s, message, span) / result.slices;
  result.takes = on(s.receiver, result.work);
  result.arrival = transit.first_arrival;
  result.apart = span / result.slices;
  result.end = noticed + on(s.receiver, last_work);
  return result;
}

// The instant of the interrupt that brings the last frame: the card raises one with the first
// frame, then not before a period is over (moderation).
SimTime TcpConnection::last_interrupt(Stream& s, const EthernetLink::Transit& transit) {
  const Duration period = s.interrupt_period;
  const SimTime first = std::max(transit.first_arrival, s.next_interrupt);
  const Duration span = std::max(Duration::zero(), transit.arrival - first);
  const auto periods = (span + period - Duration{1}) / period;
  const SimTime last = first + periods * period;
  s.next_interrupt = last + period;
  return last;
}

// What has come since the interrupt before the last one, full frames in a row at its end.
Bytes TcpConnection::left_for_last_interrupt(const Stream& s, Bytes message, SimTime arrival,
                                             SimTime noticed) const {
  const Duration period = s.interrupt_period;
  const Bandwidth rate = link_.slowest();
  const Bytes last = Framing::last_payload(message);
  if (rate <= Bandwidth{0}) return last;
  const Duration before_last = arrival - copy_time(rate, Framing::frame(last)) - (noticed - period);
  const Duration frame = copy_time(rate, Framing::full_frame);
  const std::int64_t full =
      before_last > Duration::zero() ? (before_last + frame - Duration{1}) / frame : 0;
  return std::min(message, last + full * Framing::segment);
}

TcpConnection::Schedule TcpConnection::schedule(Toward toward, const Offer& offer) {
  Stream& s = stream(toward);
  Stream& back = stream(toward == Toward::server ? Toward::client : Toward::server);
  ++counters_.messages;
  const std::int64_t frames = Framing::frames(offer.message);
  counters_.frames += frames;
  counters_.wire_bytes +=
      Framing::wire(offer.message) + (frames / s.receiver.tcp.ack_every) * Framing::least_frame;

  Schedule result;
  const SimTime busy_until = s.last_end;
  SimTime from = std::max(offer.first_frame_from, busy_until);
  const Bytes every = link_.config().delayed_ack_stall_every;
  if (every > 0_B) {
    s.since_stall += offer.message;
    for (; s.since_stall >= every; s.since_stall -= every) {
      result.delayed_ack += s.receiver.tcp.delayed_ack;
      ++counters_.delayed_acks;
    }
    from += result.delayed_ack;
  }

  // Planned ahead: what the message before will bring about is not known yet. Its receiver answers
  // it, as SMB does, so the ACK of an odd last segment rides on the answer.
  if (s.tail_segments > 0 && s.tail_arrival > simulation_.now()) {
    acknowledge_tail(s, s.tail_arrival, s.tail_arrival + link_.one_way(0_B));
  }
  if (s.sender.tcp.restart_after_idle && s.tail_segments == 0 &&
      from - s.last_end > s.round_trips.timeout()) {
    s.window.advance_to(from);
    if (s.window.in_flight() == 0_B) s.window.restart();
  }
  if (outgrown(s)) s.unlimited = true;
  if (s.unlimited) {
    result.transit = link_.carry(toward, {.payload = offer.message,
                                          .earliest = from,
                                          .last_frame_from = offer.last_frame_from,
                                          .yields = result.delayed_ack > Duration::zero(),
                                          .offered = offer.first_frame_from});
    result.queued = result.transit.start - from;
    note_sent(toward, offer.message, result.transit);
  } else {
    send_windowed(toward, offer, from, result);
  }
  s.last_end = result.transit.end;
  result.transit.arrival = std::max(result.transit.arrival, s.held_until);
  // Data that goes the other way carries the ACK of what has arrived by then.
  if (back.tail_segments > 0 && back.tail_arrival < busy_until) {
    acknowledge_tail(back, back.tail_arrival, back.tail_arrival + link_.one_way(0_B));
  } else if (back.tail_segments > 0 && back.tail_arrival <= result.transit.start) {
    acknowledge_tail(back, result.transit.start, result.transit.first_arrival);
  }
  return result;
}

Duration TcpConnection::transmit_work(const Stream& s, Bytes message) const {
  const NetworkCost& cost = s.sender.cost;
  const std::int64_t frames = Framing::frames(message);
  return cost.transmit(message) + (frames / s.receiver.tcp.ack_every) * cost.ack;
}

Duration TcpConnection::receive_work(const Stream& s, Bytes message, Duration span) const {
  const NetworkCost& cost = s.receiver.cost;
  const std::int64_t frames = Framing::frames(message);
  const auto moderated = static_cast<std::int64_t>(seconds(span) * cost.interrupt_rate) + 1;
  return std::min(frames, moderated) * cost.interrupt + frames * cost.receive_frame +
         (frames / s.receiver.tcp.ack_every) * cost.ack + copy_time(cost.copy, message);
}

}  // namespace copysim
