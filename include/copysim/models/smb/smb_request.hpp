#pragma once

#include <algorithm>

#include <copysim/models/smb/smb_dialect.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// A request that moves file data, from its making until its answer is dealt with.
struct SmbRequest {
  SmbOperation operation = SmbOperation::read;
  Bytes carries{};   ///< data in the request
  Bytes asks{};      ///< data in its answer, at most
  SmbChain chain{};  ///< what is compounded behind it
  Bytes fresh{};     ///< of the data, what needs memory that was never used; set when it is sent

  [[nodiscard]] Bytes data() const { return std::max(carries, asks); }
};

}  // namespace copysim
