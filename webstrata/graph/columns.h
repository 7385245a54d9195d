// SPDX-License-Identifier: Apache-2.0

// What a Snapshot knows about its nodes and links besides the links themselves.
//
// Every column is optional, and so is every value in it: missing is not zero. The loader of a
// Snapshot fills the requested columns; rank, seeds, liverank and explore read them.

#pragma once

#include <cassert>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/facts/link.h"
#include "webstrata/facts/outcome.h"

namespace webstrata {

// One value for each node or link. A column that was not requested has size 0.
template <typename Value>
class Column {
 public:
  Column() = default;
  // All values missing.
  explicit Column(std::size_t size) : values_(size), known_(size, 0) {}
  // All values known.
  explicit Column(std::vector<Value> values)
      : values_(std::move(values)), known_(values_.size(), 1) {}

  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  // Empty if this value, or the whole column, is missing.
  [[nodiscard]] std::optional<Value> operator[](std::size_t position) const noexcept {
    if (position >= known_.size() || known_[position] == 0) return std::nullopt;
    return values_[position];
  }
  // All values, for arrays of other programs; where known() has 0 the value has no meaning.
  [[nodiscard]] std::span<const Value> values() const noexcept { return values_; }
  [[nodiscard]] std::span<const std::uint8_t> known() const noexcept { return known_; }
  // Threads may set different positions at once.
  void set(std::size_t position, Value value) noexcept {
    assert(position < values_.size());
    values_[position] = value;
    known_[position] = 1;
  }
  void push_back(std::optional<Value> value) {
    values_.push_back(value.value_or(Value{}));
    known_.push_back(value ? 1 : 0);
  }
  void append(const Column& more) {
    values_.insert(values_.end(), more.values_.begin(), more.values_.end());
    known_.insert(known_.end(), more.known_.begin(), more.known_.end());
  }

  friend bool operator==(const Column&, const Column&) = default;

 private:
  std::vector<Value> values_;
  std::vector<std::uint8_t> known_;  // bytes, not bits: neighbours belong to different threads
};

struct NodeColumns {
  Column<Outcome> outcome;     // of the last deciding sighting
  Column<Time> first_capture;  // inside the time that the snapshot covers
  Column<Time> last_capture;
  Column<std::uint32_t> captures;
  Column<std::uint32_t> changes_seen;  // captures whose digest differs from the one before
  Column<Time> span;                   // seconds over which changes could be seen
  Column<std::uint64_t> digest;        // 64 bits of the last payload digest
  Column<std::uint64_t> text_digest;   // likewise, of the visible text
  Column<std::uint64_t> length;        // of the visible text
  Column<std::uint64_t> title;         // its hash
  std::map<std::string, Column<double>> scores;  // pagerank, topic-x, ...

  template <typename Function>
  void for_each(Function function) const {
    function(outcome), function(first_capture), function(last_capture), function(captures);
    function(changes_seen), function(span), function(digest), function(text_digest);
    function(length), function(title);
    for (const auto& [name, column] : scores) function(column);
  }

  friend bool operator==(const NodeColumns&, const NodeColumns&) = default;
};

// By position of the link: Snapshot::first_link(source) + its place among the successors.
struct LinkColumns {
  Column<LinkKinds> kinds;
  Column<std::uint32_t>
      count;  // how often the page contains it; for a folded link, the number of page links
  Column<Time> first_seen;
  Column<Time> last_seen;
  std::map<std::string, Column<double>> scores;

  template <typename Function>
  void for_each(Function function) const {
    function(kinds), function(count), function(first_seen), function(last_seen);
    for (const auto& [name, column] : scores) function(column);
  }
  void append(const LinkColumns& more) {
    kinds.append(more.kinds);
    count.append(more.count);
    first_seen.append(more.first_seen);
    last_seen.append(more.last_seen);
    for (const auto& [name, column] : more.scores) scores[name].append(column);
  }
  // Appends what `source` knows about one link.
  void append(const LinkColumns& source, std::size_t position) {
    if (!source.kinds.empty()) kinds.push_back(source.kinds[position]);
    if (!source.count.empty()) count.push_back(source.count[position]);
    if (!source.first_seen.empty()) first_seen.push_back(source.first_seen[position]);
    if (!source.last_seen.empty()) last_seen.push_back(source.last_seen[position]);
    for (const auto& [name, column] : source.scores) scores[name].push_back(column[position]);
  }

  friend bool operator==(const LinkColumns&, const LinkColumns&) = default;
};

}  // namespace webstrata
