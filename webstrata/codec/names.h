// SPDX-License-Identifier: Apache-2.0

// The keys of a chunk of nodes, strictly ascending in bytewise order: position ↔ key.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

// Keys one after the other.
struct KeyList {
  std::vector<std::uint32_t> ends;  // where each key ends in `bytes`
  std::string bytes;

  [[nodiscard]] std::size_t size() const noexcept { return ends.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t position) const noexcept {
    const std::size_t start = position == 0 ? 0 : ends[position - 1];
    return std::string_view(bytes).substr(start, ends[position] - start);
  }
  void add(std::string_view key) {
    bytes += key;
    ends.push_back(static_cast<std::uint32_t>(bytes.size()));
  }
  void clear() {
    ends.clear();
    bytes.clear();
  }
};

// A chunk of keys is closed at this number of keys or of bytes, whichever comes first.
inline constexpr std::uint32_t kChunkKeys = 1 << 16;
inline constexpr std::uint32_t kChunkKeyBytes = 1 << 23;

// `keys` strictly ascending; any bytes, also the empty key.
std::string encode_names(const KeyList& keys);

// An opened chunk. It never changes, so threads may share one.
class NamesChunk {
 public:
  // `bytes` outlive the chunk. Throws Error(Corrupt); so do the others.
  static NamesChunk open(std::string_view bytes);
  NamesChunk(NamesChunk&&) noexcept;
  NamesChunk& operator=(NamesChunk&&) noexcept;
  ~NamesChunk();

  [[nodiscard]] std::size_t size() const noexcept;
  // Replaces `out` by the key at `position`.
  void key(std::size_t position, std::string& out) const;
  // The number of keys smaller than `key`; `found` says whether the next one equals it.
  [[nodiscard]] std::size_t lower_bound(std::string_view key, bool& found) const;
  // All keys in order: the fastest way to read a chunk.
  void decode(KeyList& out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  struct State;
  explicit NamesChunk(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
