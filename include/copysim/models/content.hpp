#pragma once

#include <cstdint>
#include <map>

#include <boost/container/small_vector.hpp>

#include <copysim/units.hpp>

namespace copysim {

/// Names the origin of a byte: byte `offset` of version `version` of the file `file`.
///
/// Two files of a simulation never share an id. Ids below `first_file` are reserved.
struct Origin {
  static constexpr std::uint32_t nothing = 0;  ///< never written: what lay on the medium before
  static constexpr std::uint32_t zeros = 1;    ///< written as zeros, e.g. up to valid data length
  static constexpr std::uint32_t first_file = 2;

  std::uint32_t file = nothing;
  std::uint32_t version = 0;
  Bytes offset;  ///< always 0 for `nothing` and `zeros`

  constexpr bool operator==(const Origin&) const = default;

  /// The origin of the byte `by` further on.
  [[nodiscard]] constexpr Origin advanced(Bytes by) const {
    return file < first_file ? *this : Origin{file, version, offset + by};
  }
};

/// What a stretch of bytes holds, as pieces from known origins, in order.
///
/// It travels with each read and write instead of real data, so that a test can prove that every
/// byte arrived. It has no position of its own: a cache, a wire and a disk can all carry it.
/// Neighbouring pieces that continue each other are merged, so it costs what is in disorder, not
/// what is large.
class Content {
public:
  struct Piece {
    Origin origin;
    Bytes length;
    constexpr bool operator==(const Piece&) const = default;
  };

  Content() = default;
  Content(Origin origin, Bytes length) { append(origin, length); }
  [[nodiscard]] static Content zeros(Bytes length) {
    return {Origin{Origin::zeros, 0, {}}, length};
  }

  void append(Origin origin, Bytes length);
  void append(const Content& other);
  /// The part of it that starts at `range.offset`; \pre `range` lies inside.
  [[nodiscard]] Content slice(Extent range) const;

  [[nodiscard]] Bytes size() const { return size_; }
  [[nodiscard]] const auto& pieces() const { return pieces_; }
  bool operator==(const Content& other) const {
    return size_ == other.size_ && pieces_ == other.pieces_;
  }

private:
  boost::container::small_vector<Piece, 1> pieces_;
  Bytes size_;
};

/// The content of a medium or a file by position, as merged runs.
class ContentMap {
public:
  /// Puts `content` at `position`, over what was there.
  void write(Bytes position, const Content& content);
  /// Forgets a range: it holds `Origin::nothing` again.
  void erase(Extent range);
  [[nodiscard]] Content read(Extent range) const;

  /// The number of merged runs: what this map costs.
  [[nodiscard]] std::size_t runs() const { return runs_.size(); }

private:
  struct Run {
    Origin origin;
    Bytes length;
  };
  void put(Bytes position, Origin origin, Bytes length);

  std::map<std::int64_t, Run> runs_;
};

}  // namespace copysim
