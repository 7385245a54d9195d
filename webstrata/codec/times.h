// SPDX-License-Identifier: Apache-2.0

// The times of a chunk of nodes: for each node an ascending list of moments.
//
// Used by `times` (when a page was captured) and `ranges` (numbers of time ranges).

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/time.h"

namespace webstrata {

struct TimeLists {
  std::vector<std::uint32_t> ends;  // where each node's list ends in `times`
  std::vector<Time> times;          // strictly ascending inside a list; any 64-bit value

  [[nodiscard]] std::size_t node_count() const noexcept { return ends.size(); }
  [[nodiscard]] std::span<const Time> list(std::size_t node) const noexcept {
    const std::size_t start = node == 0 ? 0 : ends[node - 1];
    return std::span(times).subspan(start, ends[node] - start);
  }
  void add(std::span<const Time> list) {
    times.insert(times.end(), list.begin(), list.end());
    ends.push_back(static_cast<std::uint32_t>(times.size()));
  }
  void clear() {
    ends.clear();
    times.clear();
  }
};

std::string encode_times(const TimeLists& lists);

// An opened chunk. It never changes, so threads may share one.
class TimesChunk {
 public:
  // `bytes` outlive the chunk. Throws Error(Corrupt); so do the others.
  static TimesChunk open(std::string_view bytes);
  TimesChunk(TimesChunk&&) noexcept;
  TimesChunk& operator=(TimesChunk&&) noexcept;
  ~TimesChunk();

  [[nodiscard]] std::size_t node_count() const noexcept;
  [[nodiscard]] std::uint64_t time_count() const noexcept;
  [[nodiscard]] std::size_t count(std::size_t node) const;
  // Whether it has times, without decoding any.
  [[nodiscard]] bool has_times(std::size_t node) const;
  // Replaces `out` by the times of `node`, ascending.
  void times(std::size_t node, std::vector<Time>& out) const;
  void decode(TimeLists& out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  struct State;
  explicit TimesChunk(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
