// SPDX-License-Identifier: Apache-2.0

// The rows of one node, decoded only as far as they are asked for.
//
// In the direction Out rows are captures and links are targets; in the direction In rows are
// numbers of time ranges and links are sources. A node may have several sections (see
// row_layers_writer.h), and several strata may have some; here they appear as one.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/archive/gather/page.h"
#include "webstrata/archive/read/answers.h"
#include "webstrata/archive/read/cached_stack.h"

namespace webstrata {

// Replaces `links` by all links of a node, ascending.
void read_links(const CachedStack& stack, Direction direction, Uid uid, std::vector<Uid>& links);

class PageRows {
 public:
  // Of no node; read() one.
  PageRows() = default;
  PageRows(const CachedStack& stack, Direction direction, Uid uid) { read(stack, direction, uid); }
  // Replaces the rows by those of another node, with the same memory.
  void read(const CachedStack& stack, Direction direction, Uid uid);

  // Of all rows, ascending.
  [[nodiscard]] std::span<const Time> times() const noexcept { return times_; }
  // Replaces `out` by the times of the rows that a stratum has.
  void read_times(std::size_t stratum, std::vector<Time>& out) const;
  // These append. Links and rows of a node with several sections come section by section: they are
  // not sorted, and may repeat.
  // Links that are in some row with a time inside the interval.
  void append_links(TimeInterval rows, std::vector<Uid>& out) const;
  void append_row(Time time, std::vector<LinkAt>& out) const;  // Out only
  void append_facts(PageFacts& out) const;                     // Out only; normalise() then joins
  // Sorted and joined.
  void append_history(Uid source, std::optional<TimeInterval> rows,
                      std::vector<LinkHistory>& out) const;  // Out only

  // Whether, and how, a link is in the row of that time. Out only.
  [[nodiscard]] std::optional<LinkAt> link_in_row(Time time, Uid target) const;
  // Whether a link is in some row with a time inside the interval.
  [[nodiscard]] bool has_link(TimeInterval rows, Uid target) const;
  [[nodiscard]] std::optional<LinkHistory> history(Uid source, Uid target,
                                                   std::optional<TimeInterval> rows) const;
  [[nodiscard]] bool is_cut() const noexcept { return sections_.size() > 1; }
  // Including the opened chunks that it keeps.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  // The times of section number `section`, ascending.
  [[nodiscard]] std::span<const Time> times_of(std::size_t section) const noexcept {
    return is_cut() ? std::span<const Time>(cut_times_[section]) : std::span<const Time>(times_);
  }

  // The section itself, with uids.
  void read_section(const Section& section, PageLayers& layers) const;
  // False: a higher stratum replaces what the section says about that source. In only.
  [[nodiscard]] bool counts(const Section& section, Uid link) const noexcept {
    return !drops_sources_ || !stack_->is_replaced(section.stratum, link);
  }
  [[nodiscard]] std::optional<std::uint32_t> find_column(const Section& section, Uid target) const;

  const StackReader* stack_ = nullptr;
  bool drops_sources_ = false;
  std::vector<Section> sections_;
  std::vector<Time> times_;
  std::vector<std::vector<Time>> cut_times_;  // of each section, where there are several
};

// Everything about one page but the texts of its links, as gather/page.h joins it, including
// derived rows.
void read_all(const CachedStack& stack, Uid uid, PageFacts& facts);

}  // namespace webstrata
