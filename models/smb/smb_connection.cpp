#include <copysim/models/smb/smb_connection.hpp>

#include <algorithm>

namespace copysim {

SmbConnection::SmbConnection(Simulation& simulation, Cpu& cpu, Transport& transport,
                             SmbServer& server, const RedirectorConfig& config)
    : cpu_{cpu},
      transport_{transport},
      server_{server},
      request_cpu_{config.request_cpu},
      dialect_{negotiate(config.version, server.config().version)},
      limits_{dialect_->limits(config, server.config())},
      slots_total_{limits_.slots},
      slots_{simulation, limits_.slots, simulation.constraint(dialect_->slot_name()),
             dialect_->slot_name()} {}

Bytes SmbConnection::chained_request(int chained) const {
  return chained * dialect_->message(SmbOperation::query_file).request;
}

Bytes SmbConnection::chained_response(int chained) const {
  return chained * dialect_->message(SmbOperation::query_file).response;
}

Task<IoStatus> SmbConnection::send(SmbOperation operation, Bytes payload, int chained) {
  if (slots_.available() == 0 || slots_.waiting() > 0) ++counters_.slot_stalls;
  co_await slots_.acquire();
  ++outstanding_;
  counters_.outstanding_peak = std::max(counters_.outstanding_peak, outstanding_);
  ++counters_.requests[static_cast<std::size_t>(operation)];
  counters_.requests[static_cast<std::size_t>(SmbOperation::query_file)] += chained;
  requested(operation, payload);

  co_await cpu_.run(request_cpu_, CpuWork::thread);
  const Bytes message = dialect_->message(operation).request + payload + chained_request(chained);
  const IoStatus status = co_await transport_.deliver(Toward::server, message);
  if (status != IoStatus::ok) give_back_slot(false);
  co_return status;
}

Task<IoStatus> SmbConnection::receive(SmbOperation operation, Bytes payload, int chained) {
  const Bytes message = dialect_->message(operation).response + payload + chained_response(chained);
  const IoStatus status = co_await transport_.deliver(Toward::client, message);
  give_back_slot(status == IoStatus::ok);
  co_return status;
}

void SmbConnection::give_back_slot(bool answered) {
  --outstanding_;
  int granted = 0;
  if (answered) {
    ++counters_.round_trips;
    granted = std::min(limits_.slots_growth, limits_.slots_maximum - slots_total_);
  }
  slots_total_ += granted;
  slots_.release(1 + granted);
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
