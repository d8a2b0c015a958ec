#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How the data of reads and writes is compressed on the wire, from SMB 3.1.1 on.
///
/// The client names an algorithm in its negotiation, the server takes it or not
/// (MS-SMB2 2.2.3.1.3). Then a write is compressed by the client where the program or the share
/// asks for it (3.2.4.1.9), and the answer to a read by the server where the request says so
/// (2.2.19, SMB2_READFLAG_REQUEST_COMPRESSED). A server that knows nothing of it ignores the wish.
///
/// The data alone is compressed, behind the headers, and sent as it is if that saves nothing
/// (3.1.4.4). Signatures are those of the uncompressed message; encryption comes last (3.2.5.1.1).
/// Left out: chained payloads with their Pattern_V1, which shortens runs of one byte.
enum class SmbCompression : std::uint8_t { none, lznt1, lz77, lz77_huffman, lz4 };
[[nodiscard]] std::string_view to_string(SmbCompression algorithm);
[[nodiscard]] constexpr std::array<SmbCompression, 5> all_values(SmbCompression) {
  return {SmbCompression::none, SmbCompression::lznt1, SmbCompression::lz77,
          SmbCompression::lz77_huffman, SmbCompression::lz4};
}

/// SMB2_COMPRESSION_TRANSFORM_HEADER_UNCHAINED in front of a compressed message (2.2.42.1):
/// protocol id 4, size 4, algorithm 2, flags 2, offset 4.
inline constexpr Bytes smb_compression_header{16};
/// SMB2_COMPRESSION_CAPABILITIES with one algorithm (2.2.3.1, 2.2.3.1.3): 8 of the context; count
/// 2, padding 2, flags 4, algorithm 2; filled up to 8.
inline constexpr Bytes smb_compression_context{24};
/// Less data is not worth it: a page in the Linux client (fs/smb/client/compress.h,
/// SMB_COMPRESS_MIN_LEN); for Windows inferred from it.
inline constexpr Bytes smb_compression_least{4096};

/// What is left of `data` where a byte is left of each 1 / `compressed_to`: all of it,
/// uncompressed, if with the header it would not be less.
[[nodiscard]] inline Bytes compressed_size(Bytes data, double compressed_to) {
  const Bytes left{
      static_cast<std::int64_t>(std::ceil(static_cast<double>(data.count()) * compressed_to))};
  return std::min(data, std::max(left, Bytes{1}) + smb_compression_header);
}

/// What each algorithm takes of a processor: section `smb.compressors` of a system's sheet.
///
/// n bytes before compression take n / rate at the end that compresses, whatever comes of it, and
/// n / rate at the other if it was less. Inferred for the reference core, a Core 2 of 2.4 GHz: half
/// of what LZ4's README (r101) measured on a Core i5-3340M with the Silesia corpus: LZ4 422 and
/// 1,820 MB/s, LZF 270 and 570 for the byte-wise formats (LZ77, LZNT1), zlib -1 65 and 280 for
/// LZ77+Huffman. Zero costs nothing.
struct SmbCompressorCost {
  Bandwidth lznt1{135e6};
  Bandwidth lznt1_back{285e6};
  Bandwidth lz77{135e6};
  Bandwidth lz77_back{285e6};
  Bandwidth lz77_huffman{33e6};
  Bandwidth lz77_huffman_back{140e6};
  Bandwidth lz4{211e6};
  Bandwidth lz4_back{910e6};

  static constexpr auto parameters = std::tuple{
      parameter("lznt1", &SmbCompressorCost::lznt1, "compressing with LZNT1; 0: no cost",
                at_least(Bandwidth{0})),
      parameter("lznt1_back", &SmbCompressorCost::lznt1_back,
                "decompressing with LZNT1; 0: no cost", at_least(Bandwidth{0})),
      parameter("lz77", &SmbCompressorCost::lz77, "compressing with LZ77 (XPRESS); 0: no cost",
                at_least(Bandwidth{0})),
      parameter("lz77_back", &SmbCompressorCost::lz77_back,
                "decompressing with LZ77 (XPRESS); 0: no cost", at_least(Bandwidth{0})),
      parameter("lz77_huffman", &SmbCompressorCost::lz77_huffman,
                "compressing with LZ77+Huffman; 0: no cost", at_least(Bandwidth{0})),
      parameter("lz77_huffman_back", &SmbCompressorCost::lz77_huffman_back,
                "decompressing with LZ77+Huffman; 0: no cost", at_least(Bandwidth{0})),
      parameter("lz4", &SmbCompressorCost::lz4, "compressing with LZ4; 0: no cost",
                at_least(Bandwidth{0})),
      parameter("lz4_back", &SmbCompressorCost::lz4_back, "decompressing with LZ4; 0: no cost",
                at_least(Bandwidth{0})),
  };

  /// The time for `data` at the end that compresses, and at the other.
  [[nodiscard]] Duration compress(SmbCompression algorithm, Bytes data) const;
  [[nodiscard]] Duration decompress(SmbCompression algorithm, Bytes data) const;
};

/// Whether a client goes on compressing a file, as Windows 11 and Server 2022 decided before August
/// 2022: if of the first `sample` bytes fewer than `threshold` became smaller, it gives up for the
/// rest (documented: Neowin 2022 after Microsoft, 100 MiB of 500 MiB; Set-SmbClientConfiguration
/// has CompressibilitySamplingSize and CompressibleThreshold). With no sample it always goes on.
class CompressionSample {
public:
  CompressionSample(Bytes sample, Bytes threshold) : sample_{sample}, threshold_{threshold} {}

  [[nodiscard]] bool goes_on() const {
    return sample_ <= Bytes{0} || tried_ < sample_ || smaller_ >= threshold_;
  }
  /// Notes a message: its data, and what was left of it.
  void note(Bytes data, Bytes left) {
    if (tried_ >= sample_) return;
    tried_ += data;
    if (left < data) smaller_ += data;
  }

private:
  Bytes sample_;
  Bytes threshold_;
  Bytes tried_;
  Bytes smaller_;
};

}  // namespace copysim
