#pragma once

#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/smb/smb_compression.hpp>
#include <copysim/models/smb/smb_protection.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The data in one message, as the processor sees it.
struct SmbData {
  Bytes size;     ///< bytes of data, besides headers
  Bytes fresh{};  ///< of these, in memory that the program uses for the first time
  SmbProtection protection = SmbProtection::none;     ///< of the message
  SmbCompression compression = SmbCompression::none;  ///< tried on the data
  Bytes left{};                                       ///< of the data, after that
  bool outgoing = false;                              ///< this end sends it

  /// What the wire carries of the data.
  [[nodiscard]] Bytes carried() const { return compression == SmbCompression::none ? size : left; }
};

/// What the data in SMB messages costs a processor in the code of one system, be it client or
/// server: section `smb` of its sheet.
///
/// Each end moves a byte between its file and its socket. For n bytes in one message, f of them in
/// memory that the program has not used before, it works
///
///     n / copy + f / fresh_copy + n / sign [if it is signed] + n / rate of its algorithm
///
/// on the reference core, and to compress it or the other way round what `SmbCompressorCost` says;
/// a cipher has less to do then. A program's buffers grow while more data than ever is outstanding
/// on the connection; after that they are used again. A rate of zero costs nothing. Windows pays
/// for its copies elsewhere: in the file cache and in `NetworkCost`.
struct SmbMessageCost {
  Bandwidth copy{0};        ///< file, buffer and socket together
  Bandwidth fresh_copy{0};  ///< faulting in fresh memory, page by page, and clearing it
  Bandwidth sign{0};        ///< what making or checking a signature costs beside its algorithm
  SmbAlgorithmCost algorithms;
  SmbCompressorCost compressors{};

  static constexpr auto parameters = std::tuple{
      parameter("copy", &SmbMessageCost::copy, "moving data of a message; 0: no cost",
                at_least(Bandwidth{0})),
      parameter("fresh_copy", &SmbMessageCost::fresh_copy,
                "what data in memory used for the first time costs beyond that; 0: nothing",
                at_least(Bandwidth{0})),
      parameter("sign", &SmbMessageCost::sign, "signing, beside the algorithm; 0: no cost",
                at_least(Bandwidth{0})),
      section("algorithms", &SmbMessageCost::algorithms, "algorithms that sign or encrypt"),
      section("compressors", &SmbMessageCost::compressors, "algorithms that compress"),
  };

  /// Processor time for the data of one message at one end.
  [[nodiscard]] Duration time(const SmbData& data) const {
    Duration total{0};
    if (copy > Bandwidth{0}) total += data.size / copy;
    if (fresh_copy > Bandwidth{0}) total += data.fresh / fresh_copy;
    if (is_signed(data.protection) && sign > Bandwidth{0}) total += data.size / sign;
    const Bandwidth rate = algorithms.rate(data.protection);
    const Bytes covered = encrypts(data.protection) ? data.carried() : data.size;
    if (rate > Bandwidth{0}) total += covered / rate;
    if (data.outgoing) return total + compressors.compress(data.compression, data.size);
    if (data.carried() < data.size) {
      total += compressors.decompress(data.compression, data.size);
    }
    return total;
  }
};

}  // namespace copysim
