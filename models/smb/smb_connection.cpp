#include <copysim/models/smb/smb_connection.hpp>

#include <algorithm>

namespace copysim {

namespace {

// A limit that no number of requests reaches.
constexpr int no_limit = 1 << 30;

}  // namespace

SmbConnection::SmbConnection(Simulation& simulation, Cpu& cpu, Transport& transport,
                             SmbServer& server, const RedirectorConfig& config, SmbMessageCost cost)
    : cpu_{cpu},
      server_{server},
      request_cpu_{config.request_cpu},
      cost_{cost},
      dialect_{negotiate(config.version, server.config().version)},
      limits_{dialect_->limits(config, server.config())},
      channels_{simulation, limits_, dialect_->slot_name(), transport},
      requests_{simulation, limits_.requests, simulation.constraint("MaxCmds"), "MaxCmds"},
      threads_{simulation, config.threads > 0 ? config.threads : no_limit,
               simulation.constraint("client threads"), "client threads"} {}

int SmbConnection::charge(Bytes data, SmbChain chain) const {
  return dialect_->charge(data) + chain.parts();
}

// MS-SMB2 3.2.4.1.8: neither negotiation nor session set-up is encrypted.
Bytes SmbConnection::envelope(SmbOperation operation) const {
  const bool plain =
      operation == SmbOperation::negotiate || operation == SmbOperation::session_setup;
  return encrypts(limits_.protection) && !plain ? smb_transform_header : 0_B;
}

SmbData SmbConnection::data_of(const SmbRequest& request, Bytes size) const {
  SmbData data{.size = size, .protection = limits_.protection, .left = size};
  if (size > 0_B) data.fresh = request.fresh;
  if (request.compress && size >= smb_compression_least) {
    data.compression = limits_.compression;
    if (data.compression != SmbCompression::none) data.left = compressed_size(size, compressed_to_);
  }
  return data;
}

void SmbConnection::note_compressed(const SmbData& data) {
  if (data.carried() >= data.size) return;
  counters_.compressed += data.size;
  counters_.saved += data.size - data.carried();
}

Bytes SmbConnection::affordable(Bytes limit) const {
  const int slots = channels_.fewest_slots();
  if (dialect_->charge(limit) <= slots) return limit;
  return limit / dialect_->charge(limit) * slots;
}

Task<> SmbConnection::work(Duration time) {
  if (time <= Duration::zero()) co_return;
  const Semaphore::Permit thread = co_await threads_.scoped();
  co_await cpu_.run(time, CpuWork::thread);
}

Task<> SmbConnection::take_slots(SmbChannel& channel, SmbRequest& request) {
  request.channel = &channel;
  request.slots = charge(request.data(), request.chain);
  const bool stalls = channel.slots.available() < request.slots || channel.slots.waiting() > 0 ||
                      requests_.available() == 0 || requests_.waiting() > 0;
  if (stalls) ++counters_.slot_stalls;
  co_await requests_.acquire();
  co_await channel.slots.acquire(request.slots);
  ++outstanding_;
  counters_.outstanding_peak = std::max(counters_.outstanding_peak, outstanding_);
  ++counters_.requests[static_cast<std::size_t>(request.operation)];
  counters_.requests[static_cast<std::size_t>(SmbOperation::query_file)] += request.chain.queries;
  if (request.chain.closes) ++counters_.requests[static_cast<std::size_t>(SmbOperation::close)];
  data_outstanding_ += request.data();
  request.fresh = std::clamp(data_outstanding_ - data_peak_, 0_B, request.data());
  data_peak_ = std::max(data_peak_, data_outstanding_);
}

Task<IoStatus> SmbConnection::send(SmbRequest& request) {
  co_await take_slots(channels_.next(), request);
  requested(request.operation, request.carries);
  SmbData data = data_of(request, request.carries);
  data.outgoing = true;
  note_compressed(data);
  co_await work(request_cpu_ + cost_.time(data));
  const Bytes message =
      dialect_->message(request.operation).request + data.carried() + envelope(request.operation);
  const IoStatus status = co_await channels_.carry(request, Toward::server, message);
  if (status != IoStatus::ok) {
    give_back_slots(*request.channel, request.slots, false, request.data());
  }
  co_return status;
}

Task<IoStatus> SmbConnection::receive(SmbRequest& request, Bytes data) {
  const SmbData carried = data_of(request, data);
  note_compressed(carried);
  const Bytes message = dialect_->message(request.operation).response + carried.carried() +
                        envelope(request.operation);
  const IoStatus status = co_await channels_.carry(request, Toward::client, message);
  if (status == IoStatus::ok) {
    co_await work(cost_.time(carried));
  }
  give_back_slots(*request.channel, request.slots, status == IoStatus::ok, request.data());
  co_return status;
}

Task<IoStatus> SmbConnection::send(SmbOperation operation, Bytes payload, SmbChain chain) {
  SmbRequest request{.operation = operation, .chain = chain};
  co_await take_slots(channels_.first(), request);
  requested(operation, payload);
  co_await work(request_cpu_);
  const Bytes message = dialect_->compound(operation, payload, chain).request + envelope(operation);
  const IoStatus status = co_await channels_.carry(Toward::server, message, 0_B);
  if (status != IoStatus::ok) give_back_slots(channels_.first(), request.slots, false, 0_B);
  co_return status;
}

Task<IoStatus> SmbConnection::receive(SmbOperation operation, Bytes payload, SmbChain chain) {
  const SmbMessage sizes = dialect_->compound(operation, 0_B, chain);
  const Bytes around = envelope(operation);
  const IoStatus status = co_await channels_.carry(
      Toward::client, sizes.response + payload + around, sizes.request + around);
  give_back_slots(channels_.first(), charge(0_B, chain), status == IoStatus::ok, 0_B);
  co_return status;
}

void SmbConnection::give_back_slots(SmbChannel& channel, int slots, bool answered, Bytes data) {
  --outstanding_;
  data_outstanding_ -= data;
  int granted = 0;
  if (answered) {
    ++counters_.round_trips;
    granted = std::min(limits_.slots_growth, limits_.slots_maximum - channel.slots_total);
  }
  channel.slots_total += granted;
  channel.slots.release(slots + granted);
  requests_.release();
}

Task<IoStatus> SmbConnection::tell(Toward toward, SmbOperation operation) {
  const SmbMessage message = dialect_->message(operation);
  if (toward == Toward::server) {
    co_await work(request_cpu_);
  }
  const Bytes body = toward == Toward::server ? message.request : message.response;
  const IoStatus status = co_await channels_.carry(toward, body + envelope(operation), 0_B);
  co_return status;
}

Task<IoStatus> SmbConnection::ask(SmbOperation operation, Bytes payload, int times) {
  IoStatus status = IoStatus::ok;
  for (int i = 0; i < times && status == IoStatus::ok; ++i) {
    status = co_await send(operation, payload);
    if (status != IoStatus::ok) break;
    co_await server_.answer();
    status = co_await receive(operation, 0_B);
  }
  co_return status;
}

}  // namespace copysim
