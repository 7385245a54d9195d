// SPDX-License-Identifier: Apache-2.0

// Which columns are wanted decides how much of the sightings has to be decoded: nothing, outcomes
// only, or all fields. All values look only at the time that the graph covers. The outcome is that
// of the sighting that decides the page's state; content is that of the latest sighting that has
// it.
// Tested by tests/graph/archive_snapshot_test.cpp.

#include "webstrata/graph/page_columns.h"

#include <algorithm>
#include <limits>

#include "webstrata/archive/read/page_verdict.h"
#include "webstrata/base/checksum.h"

namespace webstrata {
namespace {

// It cannot be longer than all of time.
Time seconds_between(Time first, Time last) {
  Time span = 0;
  return __builtin_sub_overflow(last, first, &span) ? kAllTime.last : span;
}

template <typename Value>
void carry(const Column<Value>& from, std::size_t place, Column<Value>& to, std::size_t node) {
  if (const auto value = from[place]) to.set(node, *value);
}

}  // namespace

PageColumns::PageColumns(const SnapshotRequest& request)
    : wanted_(request.node_columns), covered_(request.time.covered()) {}

SightingDepth PageColumns::depth() const noexcept {
  if (wanted_.changes || wanted_.content) return SightingDepth::Full;
  return wanted_.outcome ? SightingDepth::Outcomes : SightingDepth::None;
}

NodeColumns PageColumns::make(std::size_t size) const {
  NodeColumns columns;
  if (wanted_.outcome) columns.outcome = Column<Outcome>(size);
  if (wanted_.captures) {
    columns.first_capture = Column<Time>(size);
    columns.last_capture = Column<Time>(size);
    // An archive knows for every node how often it was captured.
    columns.captures = Column<std::uint32_t>(std::vector<std::uint32_t>(size, 0));
  }
  if (wanted_.changes) {
    columns.changes_seen = Column<std::uint32_t>(size);
    columns.span = Column<Time>(size);
  }
  if (wanted_.content) {
    columns.digest = Column<std::uint64_t>(size);
    columns.text_digest = Column<std::uint64_t>(size);
    columns.length = Column<std::uint64_t>(size);
    columns.title = Column<std::uint64_t>(size);
  }
  return columns;
}

void PageColumns::append(const PageScan& page, NodeColumns& columns) const {
  if (wanted_.outcome) append_outcome(page, columns);
  if (wanted_.captures) append_captures(page, columns);
  if (wanted_.changes) append_changes(page, columns);
  if (wanted_.content) append_content(page, columns);
}

void PageColumns::append_outcome(const PageScan& page, NodeColumns& columns) const {
  const auto time_of = &SightingOutcome::time;
  const auto first = std::ranges::lower_bound(page.outcomes(), covered_.first, {}, time_of);
  const std::span<const SightingOutcome> covered(first, page.outcomes().end());
  const PageVerdict verdict = verdict_at(covered, {}, covered_.last);
  std::optional<Outcome> found;
  for (const SightingOutcome& sighting : covered) {
    const Outcome outcome = effective_outcome(sighting);
    const bool decides = verdict.state != PageState::Unknown && sighting.time == verdict.since &&
                         decided_by(outcome) == verdict.state;
    if (decides && !found) found = outcome;
  }
  columns.outcome.push_back(found);
}

void PageColumns::append_captures(const PageScan& page, NodeColumns& columns) const {
  std::optional<Time> first;
  std::optional<Time> last;
  std::uint32_t captures = 0;
  for (const Time time : page.times()) {
    if (!covers(time)) continue;
    if (!first) first = time;
    last = time;
    ++captures;
  }
  columns.first_capture.push_back(first);
  columns.last_capture.push_back(last);
  columns.captures.push_back(captures);
}

void PageColumns::append_changes(const PageScan& page, NodeColumns& columns) const {
  const std::string* before = nullptr;
  Time first = 0;
  Time last = 0;
  std::uint32_t changes = 0;
  for (std::size_t i = 0; i < page.sightings().size(); ++i) {
    const SightingRecord& sighting = page.sightings()[i];
    const bool counts = covers(sighting.time) && !sighting.digest.empty() &&
                        effective_outcome(page.outcomes()[i]) == Outcome::Alive;
    if (!counts) continue;
    if (before == nullptr) first = sighting.time;
    if (before != nullptr && *before != sighting.digest) ++changes;
    before = &sighting.digest;
    last = sighting.time;
  }
  const bool is_known = before != nullptr;
  columns.changes_seen.push_back(is_known ? std::optional(changes) : std::nullopt);
  columns.span.push_back(is_known ? std::optional(seconds_between(first, last)) : std::nullopt);
}

void PageColumns::append_content(const PageScan& page, NodeColumns& columns) const {
  std::optional<std::uint64_t> digest;
  std::optional<std::uint64_t> text_digest;
  std::optional<std::uint64_t> length;
  std::optional<std::uint64_t> title;
  for (const SightingRecord& sighting : page.sightings()) {
    if (!covers(sighting.time)) continue;
    if (!sighting.digest.empty()) digest = checksum64(sighting.digest);
    if (!sighting.text_digest.empty()) text_digest = checksum64(sighting.text_digest);
    if (sighting.text_length) length = sighting.text_length;
    if (sighting.title_hash) title = sighting.title_hash;
  }
  columns.digest.push_back(digest);
  columns.text_digest.push_back(text_digest);
  columns.length.push_back(length);
  columns.title.push_back(title);
}

void PageColumns::copy(const NodeColumns& from, std::size_t place, NodeColumns& to,
                       std::size_t node) {
  carry(from.outcome, place, to.outcome, node);
  carry(from.first_capture, place, to.first_capture, node);
  carry(from.last_capture, place, to.last_capture, node);
  carry(from.captures, place, to.captures, node);
  carry(from.changes_seen, place, to.changes_seen, node);
  carry(from.span, place, to.span, node);
  carry(from.digest, place, to.digest, node);
  carry(from.text_digest, place, to.text_digest, node);
  carry(from.length, place, to.length, node);
  carry(from.title, place, to.title, node);
}

}  // namespace webstrata
