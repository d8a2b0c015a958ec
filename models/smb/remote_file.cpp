#include <copysim/models/smb/remote_file.hpp>

#include <algorithm>
#include <utility>

namespace copysim {

namespace {

Duration copy_time(Bandwidth rate, Bytes amount) {
  return rate > Bandwidth{0} ? amount / rate : Duration::zero();
}

}  // namespace

RemoteFile::RemoteFile(SmbClient& client, std::unique_ptr<File> opened, OpenOptions options,
                       std::shared_ptr<ClientOplock> oplock)
    : client_{client},
      connection_{client.connection()},
      opened_{std::move(opened)},
      options_{options},
      oplock_{std::move(oplock)},
      size_{opened_->size()},
      behind_{client.simulation(), client.config().write_behind.count(),
              client.simulation().constraint("write-behind")},
      sample_{client.config().compression_sample, client.config().compression_threshold},
      background_{client.simulation()} {
  oplock_->belongs_to(this);
}

RemoteFile::~RemoteFile() {
  oplock_->belongs_to(nullptr);
}

bool RemoteFile::compresses() const {
  return (options_.compressed || connection_.limits().compresses_all) && sample_.goes_on();
}

Task<ReadResult> RemoteFile::read_piece(Extent piece) {
  SmbRequest request{
      .operation = SmbOperation::read, .asks = piece.length, .compress = compresses()};
  IoStatus status = co_await connection_.send(request);
  if (status != IoStatus::ok) co_return ReadResult{status};
  SmbData answer = connection_.data_of(request, piece.length);
  answer.outgoing = true;
  sample_.note(answer.size, answer.carried());
  ReadResult result = co_await connection_.server().read(*opened_, piece, answer);
  const Bytes length = result.content().size();
  status = co_await connection_.receive(request, length);
  if (status != IoStatus::ok) co_return ReadResult{status};
  connection_.counters().read += length;
  co_return result;
}

Task<ReadResult> RemoteFile::read_through(Extent extent) {
  const Bytes most = connection_.most_read();
  if (extent.length > most && connection_.limits().concurrent_pieces) {
    ReadResult result = co_await read_side_by_side(extent);
    co_return result;
  }
  Content content;
  for (Bytes at = extent.offset; at < extent.end();) {
    const Extent piece{at, std::min(most, extent.end() - at)};
    const ReadResult part = co_await read_piece(piece);
    if (!part.ok()) co_return ReadResult{part.status(), std::move(content)};
    content.append(part.content());
    if (part.content().size() < piece.length) break;
    at = piece.end();
  }
  co_return ReadResult{IoStatus::ok, std::move(content)};
}

// `result` lives in the caller, which joins.
Task<> RemoteFile::fetch(Extent piece, std::optional<ReadResult>& result) {
  ReadResult part = co_await read_piece(piece);
  result = std::move(part);
}

Task<ReadResult> RemoteFile::read_side_by_side(Extent extent) {
  const Bytes most = connection_.most_read();
  std::vector<std::optional<ReadResult>> parts(
      static_cast<std::size_t>(pieces(extent.length, most)));
  TaskGroup requests{client_.simulation()};
  Bytes at = extent.offset;
  for (std::optional<ReadResult>& part : parts) {
    const Extent piece{at, std::min(most, extent.end() - at)};
    requests.spawn(fetch(piece, part), "SMB read");
    at = piece.end();
  }
  co_await requests.join();
  Content content;
  for (const std::optional<ReadResult>& part : parts) {
    if (!part->ok()) co_return ReadResult{part->status(), std::move(content)};
    content.append(part->content());
  }
  co_return ReadResult{IoStatus::ok, std::move(content)};
}

Task<ReadResult> RemoteFile::read(Extent extent) {
  if (extent.offset >= size_) co_return ReadResult{IoStatus::end_of_file};
  extent.length = std::min(extent.length, size_ - extent.offset);
  const bool buffered = may_cache(Oplock::level_2) && client_.config().read_ahead > 0_B;
  if (buffered) {
    ReadResult result = co_await read_buffered(extent);
    co_return result;
  }
  ReadResult result = co_await read_through(extent);
  co_return result;
}

Task<ReadResult> RemoteFile::read_buffered(Extent extent) {
  const bool sequential = extent.offset == expected_;
  expected_ = extent.end();
  if (!sequential) ahead_.clear();
  Content content;
  if (find_prefetch(extent.offset) == nullptr) {
    next_ahead_ = extent.end();
    if (sequential) read_ahead_of(extent.end());
    ReadResult first = co_await read_through(extent);
    if (!first.ok()) co_return first;
    content = first.content();
  } else {
    read_ahead_of(extent.end());
  }
  for (Bytes at = extent.offset + content.size(); at < extent.end();) {
    const std::shared_ptr<Prefetch> piece = find_prefetch(at);
    if (piece == nullptr) {
      const ReadResult rest = co_await read_through(Extent{at, extent.end() - at});
      if (!rest.ok()) co_return ReadResult{rest.status(), std::move(content)};
      content.append(rest.content());
      break;
    }
    co_await piece->done.wait();
    ++connection_.counters().read_ahead_hits;
    if (!piece->result->ok()) co_return ReadResult{piece->result->status(), std::move(content)};
    const Bytes end = std::min(piece->extent.end(), extent.end());
    content.append(piece->result->content().slice({at - piece->extent.offset, end - at}));
    if (end == piece->extent.end()) std::erase(ahead_, piece);
    at = end;
  }
  co_await client_.cpu().run(copy_time(client_.config().copy, content.size()), CpuWork::thread);
  co_return ReadResult{IoStatus::ok, std::move(content)};
}

std::shared_ptr<RemoteFile::Prefetch> RemoteFile::find_prefetch(Bytes position) {
  for (const auto& piece : ahead_) {
    if (piece->extent.offset <= position && position < piece->extent.end()) return piece;
  }
  return nullptr;
}

void RemoteFile::read_ahead_of(Bytes position) {
  const Bytes until = std::min(size_, position + client_.config().read_ahead);
  while (next_ahead_ < until) {
    const Bytes length = std::min(connection_.most_read(), size_ - next_ahead_);
    ahead_.push_back(std::make_shared<Prefetch>(client_.simulation(), Extent{next_ahead_, length}));
    background_.spawn(prefetch(ahead_.back()), "SMB read-ahead");
    next_ahead_ += length;
  }
}

Task<> RemoteFile::prefetch(std::shared_ptr<Prefetch> piece) {
  ReadResult result = co_await read_piece(piece->extent);
  piece->result = std::move(result);
  piece->done.set();
}

Task<IoStatus> RemoteFile::write_piece(Bytes offset, Content content) {
  const Bytes length = content.size();
  SmbRequest request{.operation = SmbOperation::write, .carries = length, .compress = compresses()};
  IoStatus status = co_await connection_.send(request);
  if (status != IoStatus::ok) co_return status;
  const SmbData data = connection_.data_of(request, length);
  sample_.note(data.size, data.carried());
  const IoStatus written = co_await connection_.server().write(
      *opened_, offset, std::move(content), connection_.dialect().version(), data);
  status = co_await connection_.receive(request, 0_B);
  if (status != IoStatus::ok) co_return status;
  if (written == IoStatus::ok) connection_.counters().written += length;
  co_return written;
}

// `status` lives in the caller, which joins.
Task<> RemoteFile::store(Bytes offset, Content content, IoStatus& status) {
  const IoStatus written = co_await write_piece(offset, std::move(content));
  if (written != IoStatus::ok) status = written;
}

Task<IoStatus> RemoteFile::write_through(Bytes offset, Content content) {
  const Bytes most = connection_.most_written();
  IoStatus status = IoStatus::ok;
  if (content.size() <= most) {
    status = co_await write_piece(offset, std::move(content));
    co_return status;
  }
  const bool side_by_side = connection_.limits().concurrent_pieces;
  TaskGroup requests{client_.simulation()};
  for (Bytes at; at < content.size() && status == IoStatus::ok;) {
    const Extent part{at, std::min(most, content.size() - at)};
    Content piece = content.slice(part);
    if (side_by_side) {
      requests.spawn(store(offset + at, std::move(piece), status), "SMB write");
    } else {
      status = co_await write_piece(offset + at, std::move(piece));
    }
    at = part.end();
  }
  co_await requests.join();
  co_return status;
}

Task<> RemoteFile::write_behind(Bytes offset, Content content, Bytes held) {
  const IoStatus status = co_await write_through(offset, std::move(content));
  if (status != IoStatus::ok) behind_status_ = status;
  behind_.release(held.count());
}

Task<IoStatus> RemoteFile::write(Bytes offset, Content content) {
  const Bytes length = content.size();
  const Bytes most_behind = client_.config().write_behind;
  const bool buffered =
      may_cache(Oplock::exclusive) && !options_.write_through && most_behind > 0_B && length > 0_B;
  const Bytes held = buffered ? std::min(length, most_behind) : 0_B;
  if (buffered) {
    co_await client_.cpu().run(copy_time(client_.config().copy, length), CpuWork::thread);
    co_await behind_.acquire(held.count());
  }
  if (!may_cache(Oplock::exclusive) && buffered) behind_.release(held.count());  // broken meanwhile
  if (!buffered || !may_cache(Oplock::exclusive)) {
    const IoStatus status = co_await write_through(offset, std::move(content));
    if (status == IoStatus::ok) size_ = std::max(size_, offset + length);
    co_return status;
  }
  connection_.counters().written_behind += length;
  size_ = std::max(size_, offset + length);
  background_.spawn(write_behind(offset, std::move(content), held), "SMB write-behind");
  co_return behind_status_;
}

// All the room behind is free when all that was in it has arrived.
Task<> RemoteFile::write_back() {
  const std::int64_t room = client_.config().write_behind.count();
  if (room <= 0) co_return;
  co_await behind_.acquire(room);
  behind_.release(room);
}

Task<IoStatus> RemoteFile::set_size(Bytes size) {
  IoStatus status = co_await connection_.send(SmbOperation::set_file, 0_B);
  if (status != IoStatus::ok) co_return status;
  const IoStatus done = co_await connection_.server().set_size(*opened_, size);
  status = co_await connection_.receive(SmbOperation::set_file, 0_B);
  if (status == IoStatus::ok) status = done;
  if (status == IoStatus::ok) size_ = size;
  co_return status;
}

Task<IoStatus> RemoteFile::set_times() {
  IoStatus status = co_await connection_.send(SmbOperation::set_file, 0_B);
  if (status != IoStatus::ok) co_return status;
  const IoStatus done = co_await connection_.server().set_times(*opened_);
  status = co_await connection_.receive(SmbOperation::set_file, 0_B);
  co_return status == IoStatus::ok ? done : status;
}

Task<IoStatus> RemoteFile::flush() {
  co_await background_.join();
  if (behind_status_ != IoStatus::ok) co_return behind_status_;
  IoStatus status = co_await connection_.send(SmbOperation::flush, 0_B);
  if (status != IoStatus::ok) co_return status;
  const IoStatus done = co_await connection_.server().flush(*opened_);
  status = co_await connection_.receive(SmbOperation::flush, 0_B);
  co_return status == IoStatus::ok ? done : status;
}

Task<IoStatus> RemoteFile::close() {
  co_await background_.join();
  oplock_->belongs_to(nullptr);
  IoStatus status = co_await connection_.send(SmbOperation::close, 0_B);
  if (status != IoStatus::ok) co_return status;
  const IoStatus done = co_await connection_.server().close(*opened_);
  status = co_await connection_.receive(SmbOperation::close, 0_B);
  if (status == IoStatus::ok) status = done;
  if (status == IoStatus::ok && options_.create) {
    status = co_await connection_.ask(SmbOperation::find, 0_B, client_.config().close_find_queries);
  }
  co_return behind_status_ != IoStatus::ok ? behind_status_ : status;
}

}  // namespace copysim
