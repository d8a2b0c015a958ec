// How paths are kept: the part of Simulation that follows causes. The rules are in path.hpp.

#include <map>

#include <copysim/sim/path.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

void Simulation::Delay::record() {
  if (parts_.empty()) simulation_.record(label_, duration_);
  for (const LabelledPart& part : parts_) simulation_.record(part.label, part.duration);
}

void Simulation::record(Label label, Duration d) {
  current_->path->append(label, d, cuts_);
}

void Simulation::begin_constrained(Process& process) {
  process.waiting_since = now_;
  cuts_.add(now_);
}

void Simulation::end_constrained(Process& process) {
  cuts_.remove(process.waiting_since);
}

void Simulation::take_path(Process& process, Constraint constraint, SimTime since) {
  if (current_ != nullptr) {
    process.path->take_over(*current_->path, constraint, since, cuts_);
    return;
  }
  process.path->append({}, now_ - process.path->end(), cuts_);
  if (constraint.value != 0) process.path->mark(constraint, since);
}

void Simulation::take_path_of_wait(Process& process, Constraint constraint) {
  take_path(process, constraint, process.waiting_since);
  if (constraint.value != 0) end_constrained(process);
}

// The start of the run is a cut, so no piece lies on both sides of it.
std::vector<detail::Path::Piece> Simulation::pieces_of_run(detail::Path path) const {
  path.merge(cuts_);
  std::vector<detail::Path::Piece> pieces = path.pieces();
  std::erase_if(pieces, [&](const auto& piece) { return piece.after < run_started_; });
  return pieces;
}

std::vector<PathRow> Simulation::path() const {
  const bool asked_by_task = current_ != nullptr && current_->path;
  std::map<detail::Path::Key, Duration> sums;
  for (const auto& piece : asked_by_task ? pieces_of_run(*current_->path) : last_path_)
    sums[piece.key] += piece.duration;
  std::vector<PathRow> rows;
  rows.reserve(sums.size());
  for (const auto& [key, duration] : sums) {
    rows.push_back({components_.name(key.label.component.value),
                    activities_.name(key.label.activity.value),
                    constraints_.name(key.constraint.value), duration});
  }
  return rows;
}

}  // namespace copysim
