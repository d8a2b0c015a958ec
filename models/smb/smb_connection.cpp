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
      transport_{transport},
      server_{server},
      request_cpu_{config.request_cpu},
      cost_{cost},
      dialect_{negotiate(config.version, server.config().version)},
      limits_{dialect_->limits(config, server.config())},
      slots_total_{limits_.slots},
      slots_{simulation, limits_.slots, simulation.constraint(dialect_->slot_name()),
             dialect_->slot_name()},
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

Bytes SmbConnection::affordable(Bytes limit) const {
  if (dialect_->charge(limit) <= slots_total_) return limit;
  return limit / dialect_->charge(limit) * slots_total_;
}

Task<> SmbConnection::work(Duration time) {
  if (time <= Duration::zero()) co_return;
  const Semaphore::Permit thread = co_await threads_.scoped();
  co_await cpu_.run(time, CpuWork::thread);
}

Task<> SmbConnection::take_slots(SmbRequest& request) {
  const int cost = charge(request.data(), request.chain);
  const bool stalls = slots_.available() < cost || slots_.waiting() > 0 ||
                      requests_.available() == 0 || requests_.waiting() > 0;
  if (stalls) ++counters_.slot_stalls;
  co_await requests_.acquire();
  co_await slots_.acquire(cost);
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
  co_await take_slots(request);
  requested(request.operation, request.carries);
  const SmbData data{request.carries, request.carries > 0_B ? request.fresh : 0_B,
                     limits_.protection};
  co_await work(request_cpu_ + cost_.time(data));
  const Bytes message =
      dialect_->message(request.operation).request + request.carries + envelope(request.operation);
  const IoStatus status = co_await transport_.deliver(Toward::server, message);
  if (status != IoStatus::ok) give_back_slots(false, request.data());
  co_return status;
}

Task<IoStatus> SmbConnection::receive(const SmbRequest& request, Bytes data) {
  const Bytes message =
      dialect_->message(request.operation).response + data + envelope(request.operation);
  const IoStatus status = co_await transport_.deliver(Toward::client, message);
  if (status == IoStatus::ok) {
    co_await work(cost_.time({data, data > 0_B ? request.fresh : 0_B, limits_.protection}));
  }
  give_back_slots(status == IoStatus::ok, request.data());
  co_return status;
}

Task<IoStatus> SmbConnection::send(SmbOperation operation, Bytes payload, SmbChain chain) {
  SmbRequest request{.operation = operation, .chain = chain};
  co_await take_slots(request);
  requested(operation, payload);
  co_await work(request_cpu_);
  const Bytes message = dialect_->compound(operation, payload, chain).request + envelope(operation);
  const IoStatus status = co_await transport_.deliver(Toward::server, message);
  if (status != IoStatus::ok) give_back_slots(false, 0_B, chain);
  co_return status;
}

Task<IoStatus> SmbConnection::receive(SmbOperation operation, Bytes payload, SmbChain chain) {
  const Bytes message =
      dialect_->compound(operation, 0_B, chain).response + payload + envelope(operation);
  const IoStatus status = co_await transport_.deliver(Toward::client, message);
  give_back_slots(status == IoStatus::ok, 0_B, chain);
  co_return status;
}

void SmbConnection::give_back_slots(bool answered, Bytes data, SmbChain chain) {
  --outstanding_;
  data_outstanding_ -= data;
  int granted = 0;
  if (answered) {
    ++counters_.round_trips;
    granted = std::min(limits_.slots_growth, limits_.slots_maximum - slots_total_);
  }
  slots_total_ += granted;
  slots_.release(charge(data, chain) + granted);
  requests_.release();
}

Task<IoStatus> SmbConnection::tell(Toward toward, SmbOperation operation) {
  const SmbMessage message = dialect_->message(operation);
  if (toward == Toward::server) {
    co_await work(request_cpu_);
  }
  const Bytes body = toward == Toward::server ? message.request : message.response;
  const IoStatus status = co_await transport_.deliver(toward, body + envelope(operation));
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
