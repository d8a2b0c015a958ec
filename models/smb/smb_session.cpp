#include <copysim/models/smb/smb_session.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <copysim/sim/combine.hpp>

namespace copysim {

SmbSession::SmbSession(Simulation& simulation, Transport& transport, const RedirectorConfig& client,
                       SmbVersion server)
    : simulation_{simulation},
      transport_{transport},
      request_timeout_{client.request_timeout},
      reconnect_for_{client.reconnect_for},
      dialect_{negotiate(client.version, server)},
      durable_{client.durable_handles && dialect_->version() != SmbVersion::nt_lm_0_12} {}

Task<IoStatus> SmbSession::connect() {
  const IoStatus status = co_await transport_.connect();
  dead_ = status != IoStatus::ok;
  unanswered_.clear();
  co_return status;
}

Task<IoStatus> SmbSession::carry(Toward toward, Bytes message) {
  const std::optional<IoStatus> status =
      co_await with_timeout(simulation_, transport_.deliver(toward, message), request_timeout_);
  if (status) co_return *status;
  ++timeouts_;
  transport_.disconnect();
  co_return IoStatus::link_down;
}

Task<IoStatus> SmbSession::deliver(Toward toward, Bytes message) {
  std::int64_t life = reconnects_;
  IoStatus status = co_await carry(toward, message);
  // Requests are answered in about the order in which they came; all that matters is their sum.
  Bytes request;
  if (toward == Toward::client && !unanswered_.empty()) {
    request = unanswered_.front();
    unanswered_.pop_front();
  }
  while (status == IoStatus::link_down && durable_) {
    status = co_await restore(life);
    if (status != IoStatus::ok) break;
    life = reconnects_;
    if (toward == Toward::client) {
      status = co_await carry(Toward::server, request);
    }
    if (status == IoStatus::ok) {
      status = co_await carry(toward, message);
    }
  }
  if (toward == Toward::server && status == IoStatus::ok) unanswered_.push_back(message);
  co_return status;
}

// Makes the connection again, unless that has been done since `life`, or waits for who does it.
Task<IoStatus> SmbSession::restore(std::int64_t life) {
  if (dead_) co_return IoStatus::link_down;
  if (life != reconnects_) co_return IoStatus::ok;
  if (restored_) {
    const std::shared_ptr<Event> others = restored_;
    co_await others->wait();
    co_return dead_ ? IoStatus::link_down : IoStatus::ok;
  }
  restored_ = std::make_shared<Event>(simulation_, "SMB reconnect");
  const SimTime until = simulation_.now() + reconnect_for_;
  IoStatus status = IoStatus::link_down;
  while (status != IoStatus::ok && simulation_.now() < until) {
    status = co_await transport_.connect();
    if (status == IoStatus::ok) {
      status = co_await introduce();
    }
  }
  dead_ = status != IoStatus::ok;
  if (!dead_) ++reconnects_;
  restored_->set();
  restored_.reset();
  co_return status;
}

// Negotiation, two rounds of session set-up, the share, and the file by its durable handle.
Task<IoStatus> SmbSession::introduce() {
  constexpr std::array steps{SmbOperation::negotiate, SmbOperation::session_setup,
                             SmbOperation::session_setup, SmbOperation::tree_connect,
                             SmbOperation::create};
  for (const SmbOperation step : steps) {
    const SmbMessage message = dialect_->message(step);
    IoStatus status = co_await carry(Toward::server, message.request);
    if (status != IoStatus::ok) co_return status;
    status = co_await carry(Toward::client, message.response);
    if (status != IoStatus::ok) co_return status;
  }
  co_return IoStatus::ok;
}

}  // namespace copysim
