#include <copysim/models/smb/smb_server.hpp>

#include <algorithm>
#include <utility>

#include <copysim/error.hpp>

namespace copysim {

SmbServer::SmbServer(Simulation& simulation, std::string_view name, Cpu& cpu, FileStore& store,
                     SmbServerConfig config, SmbMessageCost cost)
    : cpu_{cpu},
      store_{store},
      config_{config},
      cost_{cost},
      workers_{simulation, std::max(config.worker_threads, 1),
               simulation.constraint("server threads"), name},
      oplocks_{simulation} {
  if (config.worker_threads < 1) {
    throw ConfigError{
        name, "worker_threads must be at least 1, got " + std::to_string(config.worker_threads)};
  }
}

Semaphore::Scoped SmbServer::worker() {
  ++counters_.requests;
  if (workers_.available() == 0) {
    counters_.queue_peak =
        std::max(counters_.queue_peak, static_cast<std::int64_t>(workers_.waiting()) + 1);
  }
  return workers_.scoped();
}

Duration SmbServer::work(Bytes size, SmbData data) const {
  const Duration time = config_.request_cpu + cost_.time(data);
  if (config_.copy <= Bandwidth{0}) return time;
  return time + size / config_.copy;
}

Task<> SmbServer::answer() {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
}

Task<IoStatus> SmbServer::query(std::string name, FileStore* directory) {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
  const IoStatus status = co_await in(directory).query(std::move(name));
  co_return status;
}

Task<std::vector<FileStore::Entry>> SmbServer::list(FileStore* directory) {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
  std::vector<FileStore::Entry> entries = co_await in(directory).list();
  co_return entries;
}

Task<OpenResult> SmbServer::open(std::string name, OpenOptions options, FileStore* directory,
                                 std::shared_ptr<OplockHolder> client) {
  const Duration creation = options.create ? config_.create_cpu : Duration::zero();
  options.for_remote_client = true;
  options.local_buffering = true;  // says nothing about this machine
  if (!options.cached) {
    options.cached = true;
    if (config_.non_cached_open == NonCachedOpen::write_through) {
      options.write_through = true;
      ++counters_.write_through_opens;
    }
  }
  OplockTable::OpenId entry = 0;
  if (config_.oplocks) {
    OplockTable::FileName file{&in(directory), name};
    entry = co_await oplocks_.opening(std::move(file), std::move(client), options.create);
  }
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B) + creation, CpuWork::thread);
  OpenResult result = co_await in(directory).open(std::move(name), options);
  if (!config_.oplocks) co_return result;
  if (result.ok()) {
    oplocks_.opened(entry, result.file());
  } else {
    oplocks_.failed(entry);
  }
  co_return result;
}

Task<ReadResult> SmbServer::read(File& file, Extent extent, SmbData data) {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(extent.length, data), CpuWork::thread);
  ReadResult result = co_await file.read(extent);
  counters_.read += result.content().size();
  co_return result;
}

Task<IoStatus> SmbServer::write(File& file, Bytes offset, Content content, SmbVersion version,
                                SmbData data) {
  const Semaphore::Permit permit = co_await worker();
  const Bytes length = content.size();
  const Duration more =
      version == SmbVersion::nt_lm_0_12 ? config_.smb1_write_cpu : Duration::zero();
  co_await cpu_.run(work(length, data) + more, CpuWork::thread);
  oplocks_.changed(file);
  const IoStatus status = co_await file.write(offset, std::move(content));
  if (status == IoStatus::ok) counters_.written += length;
  co_return status;
}

Task<IoStatus> SmbServer::set_size(File& file, Bytes size) {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
  oplocks_.changed(file);
  const IoStatus status = co_await file.set_size(size);
  co_return status;
}

Task<IoStatus> SmbServer::set_times(File& file) {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
  const IoStatus status = co_await file.set_times();
  co_return status;
}

Task<IoStatus> SmbServer::flush(File& file) {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
  const IoStatus status = co_await file.flush();
  co_return status;
}

Task<IoStatus> SmbServer::close(File& file) {
  std::erase_if(keyed_, [&file](const auto& entry) { return entry.second == &file; });
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
  const IoStatus status = co_await file.close();
  oplocks_.closed(file);
  co_return status;
}

Task<CopyKey> SmbServer::resume_key(File& file) {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
  ++last_key_;
  keyed_[last_key_] = &file;
  co_return CopyKey{IoStatus::ok, last_key_};
}

Task<IoStatus> SmbServer::copy(CopyKey source, File& target, Extent extent) {
  const Semaphore::Permit permit = co_await worker();
  co_await cpu_.run(work(0_B), CpuWork::thread);
  const auto from = keyed_.find(source.value);
  if (from == keyed_.end()) co_return IoStatus::not_found;
  oplocks_.changed(target);
  for (Bytes at = extent.offset; at < extent.end();) {
    const Extent chunk{at, std::min(config_.copy_chunk, extent.end() - at)};
    const ReadResult content = co_await from->second->read(chunk);
    if (!content.ok()) co_return content.status();
    // A chunk beyond the end of the source is an error of the request (STATUS_INVALID_VIEW_SIZE).
    if (content.content().size() != chunk.length) co_return IoStatus::end_of_file;
    const IoStatus written = co_await target.write(at, content.content());
    if (written != IoStatus::ok) co_return written;
    counters_.copied += chunk.length;
    at = chunk.end();
  }
  co_return IoStatus::ok;
}

Task<IoStatus> SmbServer::settle(FileStore* directory) {
  const IoStatus status = co_await in(directory).settle();
  co_return status;
}

}  // namespace copysim
