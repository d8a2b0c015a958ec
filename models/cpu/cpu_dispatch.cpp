// Who runs on which core, and when: the dispatcher of SharedCpu.
#include <algorithm>
#include <deque>

#include <copysim/models/cpu/shared_cpu.hpp>

namespace copysim {

namespace {

constexpr std::size_t thread_level = 0;

constexpr std::size_t index(CpuLevel level) {
  return static_cast<std::size_t>(level);
}

}  // namespace

// How long a job that started its present stretch at `since` may run from then on.
Duration SharedCpu::until_due(const Job& job) {
  if (job.thread == nullptr) return job.remaining;
  return std::min(job.remaining, std::max(job.thread->state_.quantum_left, Duration{1}));
}

void SharedCpu::submit(Job& job, std::optional<int> core) {
  if (job.level == CpuLevel::thread) {
    make_ready(job);
    return;
  }
  if (!core) {
    submit_unbound(job);
    return;
  }
  Core& here = *cores_[static_cast<std::size_t>(*core)];
  if (here.job[index(job.level)] != nullptr) {
    here.queue[index(job.level)].push_back(&job);
  } else {
    interrupt_with(job, here);
  }
}

void SharedCpu::submit_unbound(Job& job) {
  Core* chosen = nullptr;
  for (const auto& core : cores_) {
    if (core->interrupted()) continue;
    if (chosen == nullptr || (core->idle() && !chosen->idle())) chosen = core.get();
  }
  if (chosen == nullptr) {
    unbound_.push_back(&job);
  } else {
    interrupt_with(job, *chosen);
  }
}

// Gives an interrupt or a deferred call its place on the core.
void SharedCpu::interrupt_with(Job& job, Core& core) {
  const std::size_t level = index(job.level);
  // It stops what is below; while something above runs it has its place but waits.
  for (std::size_t lower = 0; lower < level; ++lower) {
    if (core.job[lower] != nullptr && core.job[lower]->running) stop(*core.job[lower]);
  }
  job.core = &core;
  core.job[level] = &job;
  const bool held_up = job.level == CpuLevel::deferred_call && core.job[2] != nullptr;
  if (!held_up) begin(job, core);
}

void SharedCpu::make_ready(Job& job) {
  Core* core = core_for(job);
  if (core == nullptr) {
    ready_.push_back(&job);
    return;
  }
  if (Job* loser = core->job[thread_level]) {
    stop(*loser);
    requeue(*loser, true);
  }
  begin(job, *core);
}

SharedCpu::Core* SharedCpu::core_for(const Job& job) {
  if (job.thread->ideal_) {
    Core& ideal = *cores_[static_cast<std::size_t>(*job.thread->ideal_)];
    if (ideal.idle() && allowed(job, ideal)) return &ideal;
  }
  Core* lowest = nullptr;
  for (const auto& core : cores_) {
    if (core->interrupted() || !allowed(job, *core)) continue;
    if (core->idle()) return core.get();
    Job& there = *core->job[thread_level];
    // A policy that counts ticks decides by what is left now.
    if (there.running && simulation_.now() - there.since < until_due(there)) account(there);
    const ThreadState& running = there.thread->state_;
    if (!policy_->preempts(job.thread->state_, running)) continue;
    if (lowest == nullptr ||
        policy_->rank(running) < policy_->rank(lowest->job[thread_level]->thread->state_)) {
      lowest = core.get();
    }
  }
  return lowest;
}

bool SharedCpu::allowed(const Job& job, const Core& core) const {
  return !job.thread->core_ || *job.thread->core_ == core.number;
}

SharedCpu::Job* SharedCpu::best_ready(const Core& core) {
  Job* best = nullptr;
  for (Job* job : ready_) {
    if (!allowed(*job, core)) continue;
    if (best == nullptr ||
        policy_->rank(job->thread->state_) > policy_->rank(best->thread->state_)) {
      best = job;
    }
  }
  return best;
}

void SharedCpu::begin(Job& job, Core& core) {
  job.core = &core;
  core.job[index(job.level)] = &job;
  job.running = true;
  job.since = simulation_.now();
  if (job.sleeps && !job.wait->empty()) job.wait->wake_front();
}

// Adds what a running job has done in its present stretch.
void SharedCpu::account(Job& job) {
  const Duration done = simulation_.now() - job.since;
  job.core->used[index(job.level)] += done;
  used_[static_cast<std::size_t>(job.kind)] += done;
  job.remaining -= done;
  job.since = simulation_.now();
  if (job.thread != nullptr) job.thread->state_.quantum_left -= done;
}

void SharedCpu::stop(Job& job) {
  account(job);
  job.running = false;
}

// Takes the place of a thread on its core away.
void SharedCpu::requeue(Job& job, bool at_front) {
  job.core->job[thread_level] = nullptr;
  job.core = nullptr;
  if (at_front) {
    ready_.push_front(&job);
  } else {
    ready_.push_back(&job);
  }
}

void SharedCpu::end(Job& job) {
  Core& core = *job.core;
  stop(job);
  job.done = true;
  core.job[index(job.level)] = nullptr;
  job.core = nullptr;
  go_on(core);
}

void SharedCpu::give_up(Job& job) {
  if (job.core == nullptr) {
    leave_queues(job);
  } else if (job.running) {
    end(job);
  } else {
    job.core->job[index(job.level)] = nullptr;
  }
  job.done = true;
}

// Takes a job that has no place yet out of the queue that it waits in.
void SharedCpu::leave_queues(const Job& job) {
  if (job.level == CpuLevel::thread) {
    std::erase(ready_, &job);
    return;
  }
  std::erase(unbound_, &job);
  for (const auto& core : cores_) std::erase(core->queue[index(job.level)], &job);
}

// The core has lost what ran: the highest level that has something goes on.
void SharedCpu::go_on(Core& core) {
  for (std::size_t level = 2; level > 0; --level) {
    if (core.job[level] != nullptr) {
      if (!core.job[level]->running) begin(*core.job[level], core);
      return;
    }
    if (!core.queue[level].empty()) {
      Job& first = *core.queue[level].front();
      core.queue[level].pop_front();
      begin(first, core);
      return;
    }
  }
  if (!unbound_.empty()) {
    Job& first = *unbound_.front();
    unbound_.pop_front();
    begin(first, core);
    return;
  }
  Job* here = core.job[thread_level];
  Job* next = ready_.empty() ? nullptr : best_ready(core);
  if (here != nullptr && next != nullptr &&
      policy_->preempts(next->thread->state_, here->thread->state_)) {
    requeue(*here, true);
    here = nullptr;
  }
  if (here == nullptr && next != nullptr) {
    leave_queues(*next);
    here = next;
  }
  if (here != nullptr && !here->running) begin(*here, core);
}

void SharedCpu::quantum_over(Job& job) {
  Core& core = *job.core;
  stop(job);
  policy_->quantum_over(job.thread->state_);
  const Job* next = best_ready(core);
  const bool gives_way =
      next != nullptr && policy_->rank(next->thread->state_) >= policy_->rank(job.thread->state_);
  if (gives_way) {
    requeue(job, false);
    go_on(core);
  } else {
    begin(job, core);
  }
}

void SharedCpu::priority_changed(CpuThread& thread) {
  for (Job* job : ready_) {
    if (job->thread != &thread) continue;
    leave_queues(*job);
    make_ready(*job);
    return;
  }
  for (const auto& core : cores_) {
    Job* job = core->job[thread_level];
    if (job == nullptr || job->thread != &thread || !job->running) continue;
    stop(*job);
    go_on(*core);
    return;
  }
}

}  // namespace copysim
