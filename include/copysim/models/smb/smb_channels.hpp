#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <copysim/models/link/transport.hpp>
#include <copysim/models/smb/smb_dialect.hpp>
#include <copysim/models/smb/smb_request.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// One TCP connection of a session, with slots of its own: credits belong to a connection (MS-SMB2
/// 3.2.1.2).
struct SmbChannel {
  SmbChannel(Simulation& simulation, Transport& carrier, int first_slots,
             std::string_view slot_name);

  Transport& transport;
  int slots_total;  ///< MaxMpx, or all credits, used or not
  Semaphore slots;
  bool works = true;
};

/// The TCP connections of one SMB session: one, or from SMB 3.0 on several (multichannel, MS-SMB2
/// 3.2.4.1.7 and 4.8).
///
/// Requests for file data go round robin over the channels that work, all others over the first of
/// them. When a channel fails, each request that it carried is sent again on another one
/// (3.2.6.1); the server has kept what it did (ChannelSequence, 3.2.4.1.5). When the last one
/// fails, requests end with `link_down`.
///
/// Useful where one connection's window, or the core that one connection's packets go to, is the
/// limit. Left out: cards of their own for the channels; making a failed channel again.
class SmbChannels {
public:
  /// All arguments outlive the channels.
  SmbChannels(Simulation& simulation, const SmbLimits& limits, std::string_view slot_name,
              Transport& first);

  /// Adds a channel, which starts with the credits of a new connection.
  void bind(Transport& transport);

  [[nodiscard]] std::size_t count() const { return channels_.size(); }
  [[nodiscard]] SmbChannel& at(std::size_t index) { return *channels_[index]; }
  /// The channel for the next request that moves file data.
  [[nodiscard]] SmbChannel& next();
  /// The channel whose slots requests without file data take.
  [[nodiscard]] SmbChannel& first() { return *channels_.front(); }
  /// Slots of all channels, and of the one that has fewest.
  [[nodiscard]] int slots() const;
  [[nodiscard]] int fewest_slots() const;

  /// Brings the message of a request to its end, over another channel where its own fails; the
  /// request then holds slots there.
  [[nodiscard]] Task<IoStatus> carry(SmbRequest& request, Toward toward, Bytes message);
  /// The same for a request without file data; an answer says how long its request was
  /// (zero for what the server says unasked, which it may do over any channel: 3.3.4.6).
  [[nodiscard]] Task<IoStatus> carry(Toward toward, Bytes message, Bytes request);

private:
  [[nodiscard]] SmbChannel* working();
  [[nodiscard]] bool give_up(SmbChannel& channel);

  Simulation& simulation_;
  const SmbLimits& limits_;
  std::string_view slot_name_;
  std::vector<std::unique_ptr<SmbChannel>> channels_;
  std::size_t turn_ = 0;
};

}  // namespace copysim
