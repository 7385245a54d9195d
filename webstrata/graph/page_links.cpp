// SPDX-License-Identifier: Apache-2.0

// Which rows count is decided as Archive::links_at() and Archive::links() do:
// archive/read/page_verdict.h finds the row that has the links of a state at a time.
//
// Tested by tests/graph/archive_snapshot_test.cpp.

#include "webstrata/graph/page_links.h"

#include <algorithm>

#include "webstrata/archive/read/page_verdict.h"

namespace webstrata {
namespace {

struct RowRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

RowRange rows_inside(std::span<const Time> times, TimeInterval interval) {
  if (interval.first > interval.last) return {};
  const auto first = std::ranges::lower_bound(times, interval.first) - times.begin();
  const auto end = std::ranges::upper_bound(times, interval.last) - times.begin();
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(end)};
}

void join(LinkFacts& link, const LinkFacts& more) {
  link.kinds = link.kinds | more.kinds;
  link.count = std::max(link.count, more.count);
  link.first = std::min(link.first, more.first);
  link.last = std::max(link.last, more.last);
}

}  // namespace

PageLinks::PageLinks(const SnapshotRequest& request, LinkKinds archive_kinds)
    : time_(request.time),
      kinds_(request.kinds),
      takes_all_(request.kinds == kAllKinds || (request.kinds | archive_kinds) == request.kinds),
      wants_facts_(request.link_columns != WantedLinkColumns{}),
      wants_first_(request.link_columns.seen) {}

SightingDepth PageLinks::depth(const SnapshotRequest& request) noexcept {
  const bool needs_state = request.time.form == GraphTime::Form::At ||
                           (request.time.form == GraphTime::Form::During && request.time.carry);
  return needs_state ? SightingDepth::Outcomes : SightingDepth::None;
}

void PageLinks::read(PageScan& page) {
  is_page_ = false;
  targets_ = {};
  facts_.clear();
  switch (time_.form) {
    case GraphTime::Form::Ever:
      read_captures(page, kAllTime);
      break;
    case GraphTime::Form::During:
      read_captures(page, time_.interval);
      if (time_.carry) read_state(page, time_.interval.first);
      break;
    case GraphTime::Form::At:
      read_state(page, time_.interval.last);
      break;
  }
  if (!targets_.empty()) return;
  sort_and_join();
  target_list_.clear();
  for (const LinkFacts& link : facts_) target_list_.push_back(link.target);
  targets_ = target_list_;
  if (!wants_facts_) facts_.clear();
}

void PageLinks::read_captures(PageScan& page, TimeInterval during) {
  const RowRange range = rows_inside(page.times(), during);
  if (range.first >= range.end) return;
  is_page_ = true;
  const bool are_all_rows = range.end - range.first == page.times().size();
  // Every link of the union is in some row.
  if (are_all_rows && takes_all_ && !wants_facts_ && !time_.carry) {
    targets_ = page.links();
    return;
  }
  const PageLayers& rows = page.rows();
  const std::span<const Uid> links = page.links();
  is_seen_.assign(links.size(), false);
  by_column_.resize(links.size());
  for (std::size_t row = range.first; row < range.end; ++row) {
    const Time time = page.times()[row];
    for (std::size_t i = row == 0 ? 0 : rows.one_ends[row - 1]; i < rows.one_ends[row]; ++i) {
      const std::uint32_t column = rows.ones[i];
      const LinkKinds kinds = LinkKinds::from_bits(rows.values[i].kinds);
      if (!is_wanted(kinds)) continue;
      const LinkFacts seen{links[column], kinds, rows.values[i].count, time, time};
      if (is_seen_[column]) {
        join(by_column_[column], seen);
      } else {
        by_column_[column] = seen;
        is_seen_[column] = true;
      }
    }
  }
  for (std::size_t column = 0; column < by_column_.size(); ++column) {
    if (is_seen_[column]) facts_.push_back(by_column_[column]);
  }
}

void PageLinks::read_state(PageScan& page, Time time) {
  const PageVerdict verdict = verdict_at(page.outcomes(), page.times(), time);
  const bool is_moved = verdict.state == PageState::Moved;
  if (!is_moved && verdict.state != PageState::Present) return;
  is_page_ = true;
  if (verdict.row) {
    add_state_row(page, *verdict.row, is_moved);
  } else if (is_moved && is_wanted(LinkKind::Redirect)) {
    add_moves(page, verdict.since);
  }
  if (wants_first_ && time_.form == GraphTime::Form::At) look_back(page, time);
}

void PageLinks::add_state_row(PageScan& page, std::size_t row, bool is_moved) {
  const Time time = page.times()[row];
  const PageScan::Row ones = page.row(row);
  for (std::size_t i = 0; i < ones.targets.size(); ++i) {
    const Uid target = ones.targets[i];
    const LinkKinds kinds = LinkKinds::from_bits(ones.values[i].kinds);
    // The only link of a page that moved; one that moved to itself has none.
    const bool belongs = !is_moved || (kinds.has(LinkKind::Redirect) && target != page.uid());
    if (belongs && is_wanted(kinds)) {
      facts_.push_back({target, kinds, ones.values[i].count, time, time});
    }
  }
}

// A move without a capture: the target comes from the sightings that decided it.
void PageLinks::add_moves(const PageScan& page, Time time) {
  for (const SightingOutcome& sighting : page.outcomes()) {
    const bool decides = sighting.time == time && effective_outcome(sighting) == Outcome::Moved;
    if (!decides || !sighting.redirect || *sighting.redirect == page.uid()) continue;
    facts_.push_back({*sighting.redirect, LinkKind::Redirect, 1, time, time});
  }
}

// The links of a state may have been seen before the capture that has them, and also in later ones.
void PageLinks::look_back(PageScan& page, Time time) {
  sort_and_join();
  const PageLayers& rows = page.rows();
  const std::span<const Uid> links = page.links();
  const std::size_t end = rows_inside(page.times(), {kAllTime.first, time}).end;
  for (std::size_t row = 0; row < end; ++row) {
    auto link = facts_.begin();
    for (std::size_t i = row == 0 ? 0 : rows.one_ends[row - 1]; i < rows.one_ends[row]; ++i) {
      const Uid target = links[rows.ones[i]];
      while (link != facts_.end() && link->target < target) ++link;
      if (link == facts_.end()) break;
      if (link->target != target || !is_wanted(LinkKinds::from_bits(rows.values[i].kinds)))
        continue;
      link->first = std::min(link->first, page.times()[row]);
      link->last = std::max(link->last, page.times()[row]);
    }
  }
}

void PageLinks::sort_and_join() {
  const auto ascends = [](const LinkFacts& a, const LinkFacts& b) { return a.target < b.target; };
  const auto is_joined = [&] {
    for (std::size_t i = 1; i < facts_.size(); ++i) {
      if (!ascends(facts_[i - 1], facts_[i])) return false;
    }
    return true;
  };
  if (is_joined()) return;
  std::stable_sort(facts_.begin(), facts_.end(), ascends);
  std::size_t size = 0;
  for (const LinkFacts& link : facts_) {
    if (size > 0 && facts_[size - 1].target == link.target) {
      join(facts_[size - 1], link);
    } else {
      facts_[size++] = link;
    }
  }
  facts_.resize(size);
}

}  // namespace webstrata
