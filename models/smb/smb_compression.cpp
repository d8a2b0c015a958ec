#include <copysim/models/smb/smb_compression.hpp>

namespace copysim {

namespace {

struct Rates {
  Bandwidth there{0};
  Bandwidth back{0};
};

Rates rates(const SmbCompressorCost& cost, SmbCompression algorithm) {
  switch (algorithm) {
    case SmbCompression::none:
      break;
    case SmbCompression::lznt1:
      return {cost.lznt1, cost.lznt1_back};
    case SmbCompression::lz77:
      return {cost.lz77, cost.lz77_back};
    case SmbCompression::lz77_huffman:
      return {cost.lz77_huffman, cost.lz77_huffman_back};
    case SmbCompression::lz4:
      return {cost.lz4, cost.lz4_back};
  }
  return {};
}

Duration time_at(Bandwidth rate, Bytes data) {
  return rate > Bandwidth{0} ? data / rate : Duration::zero();
}

}  // namespace

std::string_view to_string(SmbCompression algorithm) {
  switch (algorithm) {
    case SmbCompression::none:
      return "none";
    case SmbCompression::lznt1:
      return "lznt1";
    case SmbCompression::lz77:
      return "lz77";
    case SmbCompression::lz77_huffman:
      return "lz77-huffman";
    case SmbCompression::lz4:
      return "lz4";
  }
  return "unknown";
}

Duration SmbCompressorCost::compress(SmbCompression algorithm, Bytes data) const {
  return time_at(rates(*this, algorithm).there, data);
}

Duration SmbCompressorCost::decompress(SmbCompression algorithm, Bytes data) const {
  return time_at(rates(*this, algorithm).back, data);
}

}  // namespace copysim
