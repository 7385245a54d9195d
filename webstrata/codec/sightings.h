// SPDX-License-Identifier: Apache-2.0

// The sightings of a chunk of nodes: for each node a list of dated records of many fields.
//
// The codec knows fields as numbers and texts; what they mean is facts/sighting.h. Unknown is not
// zero: a field that is not known is an empty optional or an empty text.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/base/time.h"
#include "webstrata/codec/times.h"

namespace webstrata {

// Where a chunk is closed: before it would hold more records than that.
inline constexpr std::uint32_t kChunkSightings = 1 << 16;

struct SightingRecord {
  Time time = 0;
  std::uint8_t kind = 0;
  std::uint8_t outcome = 0;
  std::uint8_t revisit_profile = 0;
  bool has_links = false;  // it is a capture: the node has a row at this time
  bool truncated = false;
  std::optional<std::int16_t> status;
  std::optional<std::uint64_t> text_length;
  std::optional<std::uint64_t> title_hash;
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> length;
  std::optional<Time> refers_to_time;
  std::optional<Uid> redirect;   // node of the redirect target
  std::optional<Uid> refers_to;  // node of another URL that a revisit refers to
  std::string digest;
  std::string text_digest;
  std::string mime;
  std::string spelling;
  std::string file;
  std::string crawl;

  // The order in which an archive keeps the sightings of a node: by time, then by every field.
  friend auto operator<=>(const SightingRecord&, const SightingRecord&) = default;
};

// The fields of a sighting that decide the state of its page.
struct SightingOutcome {
  Time time = 0;
  std::uint8_t kind = 0;
  std::uint8_t outcome = 0;
  bool has_links = false;
  std::optional<Uid> redirect;
};

// Sightings of consecutive nodes, one after the other. Any 64-bit number and any bytes may occur.
struct SightingLists {
  Uid first = 0;                        // the first node
  std::vector<std::uint32_t> ends;      // where each node's list ends in `records`
  std::vector<SightingRecord> records;  // by time inside a list

  [[nodiscard]] std::size_t node_count() const noexcept { return ends.size(); }
  void clear(Uid first_node) {
    first = first_node;
    ends.clear();
    records.clear();
  }
};

// `row_times` has the same nodes: the times of their captures, as the layer `times` holds them.
// With them the times of captures cost almost nothing here; decoding needs the same times. Where
// the node is cut into segments, they are the times of the whole node.
std::string encode_sightings(const SightingLists& lists, const TimeLists& row_times);

// An opened chunk. It never changes, so threads may share one.
class SightingsChunk {
 public:
  // `bytes` outlive the chunk; `first` is the number of its first node. Throws Error(Corrupt); so
  // do the others.
  static SightingsChunk open(std::string_view bytes, Uid first);
  SightingsChunk(SightingsChunk&&) noexcept;
  SightingsChunk& operator=(SightingsChunk&&) noexcept;
  ~SightingsChunk();

  [[nodiscard]] std::size_t node_count() const noexcept;
  [[nodiscard]] std::uint64_t sighting_count() const noexcept;
  [[nodiscard]] std::size_t count(std::size_t node) const;
  // Replaces `out` by the sightings of `node`.
  void sightings(std::size_t node, std::span<const Time> row_times,
                 std::vector<SightingRecord>& out) const;
  // Likewise, but only the fields that decide states: several times as fast.
  void outcomes(std::size_t node, std::span<const Time> row_times,
                std::vector<SightingOutcome>& out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend class SightingsReader;
  struct State;
  explicit SightingsChunk(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Reads node after node of a chunk: nodes that ascend are read in one pass, where the chunk itself
// would begin at an entry of its index each time. Belongs to one thread.
class SightingsReader {
 public:
  // The chunk lives longer.
  explicit SightingsReader(const SightingsChunk& chunk);
  SightingsReader(SightingsReader&&) noexcept;
  SightingsReader& operator=(SightingsReader&&) noexcept;
  ~SightingsReader();

  // As those of the chunk.
  void sightings(std::size_t node, std::span<const Time> row_times,
                 std::vector<SightingRecord>& out);
  void outcomes(std::size_t node, std::span<const Time> row_times,
                std::vector<SightingOutcome>& out);

 private:
  friend class SightingsChunk;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
