#pragma once

#include <cstdint>
#include <string_view>

#include <copysim/sim/task.hpp>

namespace copysim {

/// What a server lets a client keep of an open file on its own machine, least first.
///
/// | here        | SMB1, SMB 2.002    | lease, from 2.1 on | the client may | | ----------- |
/// ------------------ | ------------------ | -------------------------------------- | | `none` |
/// none               | none               | keep nothing: all goes to the server   | | `level_2`
/// | level II           | R, RH              | read ahead and keep what it read       | |
/// `exclusive` | exclusive or batch | RW, RWH            | write behind too: the server waits for |
/// |             |                    |                    | it before it lets another client in |
///
/// Source: MS-CIFS 3.2.4.18, MS-SMB2 2.2.13, 3.3.1.4. What batch oplocks and handle leases add, a
/// close that is put off in case the file is opened again, is left out: a copy opens each file
/// once.
enum class Oplock : std::uint8_t { none, level_2, exclusive };
[[nodiscard]] std::string_view to_string(Oplock level);

/// A client that has a file open and asked for an oplock, as the server knows it.
class OplockHolder {
public:
  virtual ~OplockHolder() = default;
  /// Who holds it: opens of one client share what it caches and break nothing of each other.
  [[nodiscard]] virtual const void* client() const = 0;
  /// The oplock that the answer to the open brings.
  virtual void granted(Oplock level) = 0;
  /// The server takes the oplock back to `level`. It ends when the client has been told, has
  /// written back what it must, and its acknowledgement has come to the server; from `level_2`,
  /// when it has been told: there is no acknowledgement then (MS-SMB2 2.2.24.1).
  [[nodiscard]] virtual Task<> broken(Oplock level) = 0;
};

}  // namespace copysim
