#include <copysim/models/smb/oplock_table.hpp>

#include <algorithm>

namespace copysim {

namespace {

// The simulation's own, so that it may go on when the request that caused it is done. It holds the
// holder as long as that takes.
Task<> tell(std::shared_ptr<OplockHolder> holder) {
  co_await holder->broken(Oplock::none);
}

}  // namespace

std::string_view to_string(Oplock level) {
  switch (level) {
    case Oplock::none:
      return "none";
    case Oplock::level_2:
      return "level-2";
    case Oplock::exclusive:
      return "exclusive";
  }
  return "unknown";
}

bool OplockTable::same_client(const Open& one, const Open& other) {
  return &one == &other || (one.holder != nullptr && other.holder != nullptr &&
                            one.holder->client() == other.holder->client());
}

Task<> OplockTable::take_back(std::shared_ptr<Open> open) {
  if (open->breaking != nullptr) {
    const std::shared_ptr<Event> others = open->breaking;
    co_await others->wait();
    co_return;
  }
  ++breaks_;
  open->breaking = std::make_shared<Event>(simulation_, "oplock break");
  co_await open->holder->broken(Oplock::level_2);
  open->level = Oplock::level_2;
  open->breaking->set();
  open->breaking.reset();
}

void OplockTable::break_readers(const Open& by) {
  for (const std::shared_ptr<Open>& other : files_.at(by.name)) {
    if (same_client(*other, by) || other->level != Oplock::level_2) continue;
    ++breaks_;
    other->level = Oplock::none;
    simulation_.spawn(tell(other->holder), "oplock break");
  }
}

Task<OplockTable::OpenId> OplockTable::opening(FileName name, std::shared_ptr<OplockHolder> holder,
                                               bool empties) {
  const auto open = std::make_shared<Open>();
  open->id = ++last_;
  open->name = std::move(name);
  open->holder = std::move(holder);
  names_[open->id] = open->name;
  files_[open->name].push_back(open);
  // From here on nobody else is alone, so that no exclusive oplock is granted behind this scan.
  const Opens present = files_.at(open->name);
  for (const std::shared_ptr<Open>& other : present) {
    if (same_client(*other, *open) || other->level != Oplock::exclusive) continue;
    co_await take_back(other);
  }
  if (empties) break_readers(*open);
  co_return open->id;
}

void OplockTable::opened(OpenId id, const File& handle) {
  const Opens& all = files_.at(names_.at(id));
  const auto self = std::ranges::find(all, id, [](const auto& open) { return open->id; });
  Open& open = **self;
  open.handle = &handle;
  handles_[&handle] = id;
  if (open.holder == nullptr) return;
  const bool alone =
      std::ranges::all_of(all, [&](const auto& other) { return same_client(*other, open); });
  open.level = alone ? Oplock::exclusive : Oplock::level_2;
  ++granted_;
  open.holder->granted(open.level);
}

void OplockTable::closed(const File& handle) {
  const auto found = handles_.find(&handle);
  if (found == handles_.end()) return;
  const OpenId id = found->second;
  handles_.erase(found);
  remove(id);
}

void OplockTable::changed(const File& handle) {
  const auto found = handles_.find(&handle);
  if (found == handles_.end()) return;
  const Opens& all = files_.at(names_.at(found->second));
  if (all.size() == 1) return;
  const auto self =
      std::ranges::find(all, found->second, [](const auto& open) { return open->id; });
  break_readers(**self);
}

void OplockTable::remove(OpenId id) {
  const auto name = names_.find(id);
  if (name == names_.end()) return;
  Opens& all = files_.at(name->second);
  std::erase_if(all, [id](const auto& open) { return open->id == id; });
  if (all.empty()) files_.erase(name->second);
  names_.erase(name);
}

}  // namespace copysim
