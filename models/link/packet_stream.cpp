#include <copysim/models/link/packet_stream.hpp>

#include <cstdint>

#include <copysim/error.hpp>
#include <copysim/models/link/frames.hpp>

namespace copysim {

ConstantStream::ConstantStream(Simulation& simulation, Bandwidth wire, PacketCard& card,
                               PacketSink& protocol)
    : simulation_{simulation}, card_{card}, protocol_{protocol} {
  if (!(wire > Bandwidth{0})) throw ConfigError{"stream", "rate must be positive, got 0"};
  simulation.spawn(send(wire), "constant stream");
}

Task<> ConstantStream::send(Bandwidth wire) {
  const SimTime started = simulation_.now();
  for (std::int64_t i = 0;; ++i) {
    const SimTime due = started + (i + 1) * Framing::full_frame / wire;
    co_await simulation_.delay(due - simulation_.now());
    Packet packet;
    packet.position = i * Framing::segment;
    packet.payload = Framing::segment;
    card_.receive(packet, protocol_);
  }
}

}  // namespace copysim
