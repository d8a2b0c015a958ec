#pragma once

#include <copysim/models/link/frames.hpp>
#include <copysim/models/link/link_config.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The air between two Wi-Fi cards: one of them sends at a time, many frames per access.
///
/// An access takes `wifi_access` (waiting, preamble, and the block acknowledgement) and the frames'
/// bytes at `rate`. What is ready when a card's access begins goes with it, up to
/// `wifi_aggregate` bytes (an A-MPDU of 802.11n; one frame makes it 802.11g). Cards take turns, so
/// full frames are followed by the access of the other card that acknowledges them: time for an ACK
/// of two frames each, and for one access (half of one for a single frame). Bare ACKs go then and
/// book nothing themselves. Left out: collisions, other stations, a rate that changes, repeats of
/// single frames (set `loss`).
class RadioChannel {
public:
  explicit RadioChannel(const LinkConfig& config);

  /// Books one frame that is ready at `ready`; returns when it is over.
  SimTime send(Toward toward, SimTime ready, Bytes payload);

  struct Passage {
    SimTime start;
    SimTime first_out;  ///< the first access is over
    SimTime last_out;
  };
  /// Books a whole message, with the acknowledgements that it calls for: for each access one the
  /// other way, with an ACK for two segments.
  Passage send_message(SimTime ready, Bytes payload);

private:
  [[nodiscard]] Duration air(Bytes wire) const;
  [[nodiscard]] Duration turn_of_other(Bytes wire) const;

  LinkConfig config_;
  SimTime free_{};
  SimTime over_{};    // the frames of the last access are through
  SimTime access_{};  // the last access begins to carry frames
  Toward sender_ = Toward::server;
  Bytes filled_;
  int full_frames_ = 0;  // of this access
};

}  // namespace copysim
