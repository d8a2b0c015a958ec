#pragma once

#include <memory>
#include <string>
#include <vector>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/models/smb/redirector_config.hpp>
#include <copysim/models/smb/smb_connection.hpp>
#include <copysim/models/smb/smb_server.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// A share of another machine, as the redirector of one mount shows it to programs.
///
/// Every call costs its round trips in the order in which the client system makes them, as
/// `RedirectorConfig` counts them. The dialect is negotiated when it is made; the share counts as
/// mounted then, and `connect` is for those who want to pay for mounting. A second directory of the
/// server is reached over the same connection.
class SmbClient final : public FileStore {
public:
  /// All references outlive the client, and it outlives the files that it opened.
  SmbClient(Simulation& simulation, Cpu& cpu, Transport& transport, SmbServer& server,
            RedirectorConfig config, SmbMessageCost cost = {});

  /// Another directory of the server, over the connection of `mounted`, which outlives it as does
  /// `directory`. It lies on the same share or on another one, which counts as mounted too.
  SmbClient(SmbClient& mounted, FileStore& directory, bool same_share);

  /// Handshake, negotiation, two rounds of session set-up, and the connection to the share; with
  /// further channels also the question for the server's network cards, and for one channel after
  /// the other a handshake, a negotiation and two rounds of session set-up that bind it (MS-SMB2
  /// 3.2.4.2.4, 4.8).
  [[nodiscard]] Task<IoStatus> connect();
  /// Says what compression leaves of each byte of the files there; 1: they do not get smaller.
  void contents_compress_to(double part) { connection_.contents_compress_to(part); }
  /// Adds a channel to the session, before `connect` if that is called.
  void bind(Transport& transport) { connection_.channels().bind(transport); }

  [[nodiscard]] Task<OpenResult> open(std::string name, OpenOptions options) override;
  [[nodiscard]] Task<IoStatus> query(std::string name) override;
  [[nodiscard]] Task<std::vector<Entry>> list() override;
  [[nodiscard]] Task<IoStatus> make_directory() override;
  [[nodiscard]] Task<IoStatus> settle() override;
  [[nodiscard]] StoreTraits traits() const override;

  [[nodiscard]] SmbConnection& connection() { return connection_; }
  [[nodiscard]] const SmbClientCounters& counters() const { return connection_.counters(); }
  [[nodiscard]] const RedirectorConfig& config() const { return config_; }
  [[nodiscard]] Cpu& cpu() { return cpu_; }
  [[nodiscard]] Simulation& simulation() { return simulation_; }

private:
  [[nodiscard]] Task<IoStatus> bind_channels();
  [[nodiscard]] Task<IoStatus> query_path(std::string name);
  [[nodiscard]] Task<IoStatus> look_up(bool handles);
  [[nodiscard]] Task<IoStatus> end_search();

  Simulation& simulation_;
  Cpu& cpu_;
  Transport& transport_;
  RedirectorConfig config_;
  std::unique_ptr<SmbConnection> own_connection_;  // none if it uses that of another directory
  SmbConnection& connection_;
  FileStore* directory_ = nullptr;  // of the server; none: its first
  const void* share_;               // to tell shares apart
};

}  // namespace copysim
