#pragma once

#include <algorithm>

#include <copysim/models/smb/smb_dialect.hpp>
#include <copysim/units.hpp>

namespace copysim {

struct SmbChannel;

/// A request that moves file data, from its making until its answer is dealt with.
struct SmbRequest {
  SmbOperation operation = SmbOperation::read;
  Bytes carries{};        ///< data in the request
  Bytes asks{};           ///< data in its answer, at most
  SmbChain chain{};       ///< what is compounded behind it
  bool compress = false;  ///< its data may travel compressed
  Bytes fresh{};  ///< of the data, what needs memory that was never used; set when it is sent

  // Set when it has got its slots.
  SmbChannel* channel = nullptr;
  int slots = 0;    ///< that it holds there
  Bytes message{};  ///< its length on the wire

  [[nodiscard]] Bytes data() const { return std::max(carries, asks); }
};

}  // namespace copysim
