#include <copysim/models/smb/smb_client.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <copysim/models/smb/client_oplock.hpp>
#include <copysim/models/smb/remote_file.hpp>

namespace copysim {

namespace {

// Names travel as UTF-16 with a terminating zero (MS-CIFS 2.2.1.1).
Bytes name_bytes(const std::string& name) {
  return Bytes{2 * static_cast<std::int64_t>(name.size()) + 2};
}

// One entry of FIND_FILE_BOTH_DIRECTORY_INFO: 94 bytes and the name, on an 8-byte boundary
// (MS-FSCC 2.4.8).
Bytes entry_bytes(const FileStore::Entry& entry) {
  return align_up(94_B + Bytes{2 * static_cast<std::int64_t>(entry.name.size())}, 8_B);
}

}  // namespace

SmbClient::SmbClient(Simulation& simulation, Cpu& cpu, Transport& transport, SmbServer& server,
                     RedirectorConfig config, SmbMessageCost cost)
    : simulation_{simulation},
      cpu_{cpu},
      transport_{transport},
      config_{config},
      own_connection_{
          std::make_unique<SmbConnection>(simulation, cpu, transport, server, config_, cost)},
      connection_{*own_connection_},
      share_{this} {}

SmbClient::SmbClient(SmbClient& mounted, FileStore& directory, bool same_share)
    : simulation_{mounted.simulation_},
      cpu_{mounted.cpu_},
      transport_{mounted.transport_},
      config_{mounted.config_},
      connection_{mounted.connection_},
      directory_{&directory},
      share_{same_share ? mounted.share_ : this} {}

Task<IoStatus> SmbClient::connect() {
  IoStatus status = co_await transport_.connect();
  if (status != IoStatus::ok) co_return status;
  const bool offers = connection_.limits().compression != SmbCompression::none;
  const Bytes context = offers ? smb_compression_context : 0_B;
  status = co_await connection_.send(SmbOperation::negotiate, context);
  if (status != IoStatus::ok) co_return status;
  co_await connection_.server().answer();
  status = co_await connection_.receive(SmbOperation::negotiate, context);
  if (status != IoStatus::ok) co_return status;
  status = co_await connection_.ask(SmbOperation::session_setup, 0_B, 2);
  if (status != IoStatus::ok) co_return status;
  status = co_await connection_.ask(SmbOperation::tree_connect, 0_B);
  if (status != IoStatus::ok || connection_.channels().count() == 1) co_return status;
  status = co_await connection_.ask(SmbOperation::query_interfaces, 0_B);
  if (status != IoStatus::ok) co_return status;
  status = co_await bind_channels();
  co_return status;
}

Task<IoStatus> SmbClient::bind_channels() {
  constexpr std::array steps{SmbOperation::negotiate, SmbOperation::session_setup,
                             SmbOperation::session_setup};
  for (std::size_t i = 1; i < connection_.channels().count(); ++i) {
    Transport& transport = connection_.channels().at(i).transport;
    IoStatus status = co_await transport.connect();
    for (const SmbOperation step : steps) {
      if (status != IoStatus::ok) co_return status;
      const SmbMessage message = connection_.dialect().message(step);
      status = co_await transport.deliver(Toward::server, message.request);
      if (status != IoStatus::ok) co_return status;
      co_await connection_.server().answer();
      status = co_await transport.deliver(Toward::client, message.response);
    }
    if (status != IoStatus::ok) co_return status;
  }
  co_return IoStatus::ok;
}

Task<IoStatus> SmbClient::query_path(std::string name) {
  const SmbChain rest = connection_.dialect().after_query_path();
  const bool whole = connection_.chainable(rest.parts()) == rest.parts();
  const SmbChain chain = whole ? rest : SmbChain{};
  IoStatus status = co_await connection_.send(SmbOperation::query_path, name_bytes(name), chain);
  if (status != IoStatus::ok) co_return status;
  const IoStatus found = co_await connection_.server().query(std::move(name), directory_);
  status = co_await connection_.receive(SmbOperation::query_path, 0_B, chain);
  if (status != IoStatus::ok || found != IoStatus::ok)
    co_return status == IoStatus::ok ? found : status;
  if (!whole) {
    status = co_await connection_.ask(SmbOperation::query_file, 0_B, rest.queries);
    if (status != IoStatus::ok) co_return status;
    const int closes = rest.closes ? 1 : 0;
    status = co_await connection_.ask(SmbOperation::close, 0_B, closes);
  }
  co_return status;
}

Task<IoStatus> SmbClient::query(std::string name) {
  const IoStatus status = co_await query_path(std::move(name));
  co_return status;
}

Task<OpenResult> SmbClient::open(std::string name, OpenOptions options) {
  IoStatus status = IoStatus::ok;
  if (options.create) {
    status =
        co_await connection_.ask(SmbOperation::query_volume, 0_B, config_.create_volume_queries);
  } else {
    for (int i = 0; i < config_.open_path_queries && status == IoStatus::ok; ++i) {
      status = co_await query_path(name);
    }
  }
  if (status != IoStatus::ok) co_return OpenResult{status};

  const int queries = options.create ? config_.create_file_queries : config_.open_file_queries;
  const SmbChain chain{.queries = connection_.chainable(queries)};
  status = co_await connection_.send(SmbOperation::create, name_bytes(name), chain);
  if (status != IoStatus::ok) co_return OpenResult{status};
  const auto oplock = std::make_shared<ClientOplock>(connection_, &connection_);
  // Named: g++ 12 frees a conditional temporary of an await twice.
  std::shared_ptr<OplockHolder> asking;
  if (config_.oplocks) asking = oplock;
  OpenResult opened =
      co_await connection_.server().open(std::move(name), options, directory_, std::move(asking));
  status = co_await connection_.receive(SmbOperation::create, 0_B, chain);
  if (status == IoStatus::ok && opened.ok()) {
    status = co_await connection_.ask(SmbOperation::query_file, 0_B, queries - chain.queries);
  }
  if (status != IoStatus::ok) co_return OpenResult{status};
  if (!opened.ok()) co_return OpenResult{opened.status()};
  co_return OpenResult{std::make_unique<RemoteFile>(*this, opened.take(), options, oplock)};
}

Task<std::vector<FileStore::Entry>> SmbClient::list() {
  std::vector<Entry> entries;
  const bool handles =
      config_.smb2_list_handles && connection_.dialect().version() != SmbVersion::nt_lm_0_12;
  IoStatus status = IoStatus::ok;
  if (config_.list_looks_up) {
    status = co_await look_up(handles);
  }
  if (handles && status == IoStatus::ok) {
    status = co_await connection_.ask(SmbOperation::create, 0_B);
  }
  if (status != IoStatus::ok) co_return entries;
  status = co_await connection_.send(SmbOperation::find, 0_B);
  if (status != IoStatus::ok) co_return entries;
  entries = co_await connection_.server().list(directory_);
  Bytes rest;
  for (const Entry& entry : entries) rest += entry_bytes(entry);
  const Bytes most = connection_.limits().directory;
  status = co_await connection_.receive(SmbOperation::find, std::min(rest, most));
  for (rest -= most; rest > 0_B && status == IoStatus::ok; rest -= most) {
    status = co_await connection_.send(SmbOperation::find, 0_B);
    if (status != IoStatus::ok) break;
    co_await connection_.server().answer();
    status = co_await connection_.receive(SmbOperation::find, std::min(rest, most));
  }
  if (handles && status == IoStatus::ok) {
    status = co_await end_search();
  }
  co_return entries;
}

// What is left of the search: asked once more, the server says that there is nothing; close.
Task<IoStatus> SmbClient::end_search() {
  IoStatus status = co_await connection_.ask(SmbOperation::find, 0_B);
  if (status != IoStatus::ok) co_return status;
  status = co_await connection_.ask(SmbOperation::close, 0_B);
  co_return status;
}

Task<IoStatus> SmbClient::look_up(bool handles) {
  IoStatus status = IoStatus::ok;
  if (handles) {
    status = co_await connection_.ask(SmbOperation::create, 0_B);
  }
  if (status == IoStatus::ok) {
    status = co_await connection_.ask(SmbOperation::find, 0_B);
  }
  if (handles && status == IoStatus::ok) {
    status = co_await end_search();
  }
  co_return status;
}

Task<IoStatus> SmbClient::make_directory() {
  // Not there; make it. In SMB2 that opens it.
  IoStatus status = co_await connection_.ask(SmbOperation::create, 0_B, 2);
  if (status == IoStatus::ok && connection_.dialect().version() != SmbVersion::nt_lm_0_12) {
    status = co_await connection_.ask(SmbOperation::close, 0_B);
  }
  co_return status;
}

Task<IoStatus> SmbClient::settle() {
  const IoStatus status = co_await connection_.server().settle(directory_);
  co_return status;
}

StoreTraits SmbClient::traits() const {
  return {.protocol = connection_.dialect().protocol(),
          .most_read = connection_.most_read(),
          .most_written = connection_.most_written(),
          .holder = share_,
          .most_copied = connection_.limits().copied,
          .copies_on_server = config_.server_copy};
}

}  // namespace copysim
