// SPDX-License-Identifier: Apache-2.0

// A node is looked for in every stratum, from the top down, until one of them replaces what lies
// below. With one stratum nothing is translated, and every question goes straight to it.
// Tested by tests/archive/stack_test.cpp and tests/archive/archive_test.cpp.

#include "webstrata/archive/read/cached_stack.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

void translate_record(SightingRecord& record, const StratumNumbers& numbers) {
  if (record.redirect) record.redirect = numbers.uid(*record.redirect);
  if (record.refers_to) record.refers_to = numbers.uid(*record.refers_to);
}

void translate_record(SightingOutcome& outcome, const StratumNumbers& numbers) {
  if (outcome.redirect) outcome.redirect = numbers.uid(*outcome.redirect);
}

void sort_records(std::vector<SightingRecord>& records) { std::ranges::sort(records); }

// As far as it matters, the order of the records.
void sort_records(std::vector<SightingOutcome>& outcomes) {
  std::ranges::stable_sort(outcomes, {}, [](const SightingOutcome& outcome) {
    return std::tuple(outcome.time, outcome.kind, outcome.outcome);
  });
}

}  // namespace

CachedStack::CachedStack(const std::filesystem::path& folder, const Manifest& manifest,
                         std::size_t cache_bytes)
    : reader_(folder, manifest), cache_(cache_bytes) {
  for (std::size_t i = 0; i < reader_.size(); ++i) {
    strata_.push_back(std::make_unique<CachedGeneration>(reader_.stratum(i), i, cache_));
  }
}

void CachedStack::check(Uid uid) const {
  if (uid < reader_.node_count()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("uid {}: the archive has {} nodes", uid, reader_.node_count()));
}

std::vector<Section> CachedStack::sections(Direction direction, Uid uid) const {
  check(uid);
  std::vector<Section> sections;
  if (reader_.is_single()) {
    strata_.front()->sections(direction, uid, sections);
    return sections;
  }
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    if (direction == Direction::Out && reader_.is_replaced(i, uid)) continue;
    const auto number = reader_.numbers(i).number(uid);
    if (!number) continue;
    const std::size_t before = sections.size();
    strata_[i]->sections(direction, *number, sections);
    // Most strata only mention a node, as the target of a link.
    const bool is_empty = sections.size() == before + 1 &&
                          sections.back().chunk->times().count(sections.back().node) == 0;
    if (is_empty) sections.pop_back();
  }
  return sections;
}

std::vector<Time> CachedStack::row_times_of(std::size_t stratum, std::uint64_t number) const {
  std::vector<Section> sections;
  strata_[stratum]->sections(Direction::Out, number, sections);
  std::vector<Time> all;
  std::vector<Time> times;
  for (const Section& section : sections) {
    section.chunk->times().times(section.node, times);
    all.insert(all.end(), times.begin(), times.end());
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <typename Record, typename Read>
void CachedStack::read_sightings(Uid uid, std::span<const Time> row_times, std::vector<Record>& out,
                                 Read read) const {
  check(uid);
  if (reader_.is_single()) {
    read(*strata_.front(), uid, row_times, out);
    return;
  }
  out.clear();
  std::vector<Record> part;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    const StratumNumbers& numbers = reader_.numbers(i);
    const auto number = numbers.number(uid);
    if (!number || reader_.is_replaced(i, uid)) continue;
    read(*strata_[i], *number, row_times_of(i, *number), part);
    if (part.empty()) continue;
    for (Record& record : part) translate_record(record, numbers);
    out.insert(out.end(), std::make_move_iterator(part.begin()),
               std::make_move_iterator(part.end()));
    ++parts;
  }
  if (parts > 1) sort_records(out);
}

void CachedStack::sightings(Uid uid, std::span<const Time> row_times,
                            std::vector<SightingRecord>& out) const {
  read_sightings(uid, row_times, out,
                 [](const CachedGeneration& stratum, Uid number, std::span<const Time> times,
                    auto& records) { stratum.sightings(number, times, records); });
}

void CachedStack::outcomes(Uid uid, std::span<const Time> row_times,
                           std::vector<SightingOutcome>& out) const {
  read_sightings(uid, row_times, out,
                 [](const CachedGeneration& stratum, Uid number, std::span<const Time> times,
                    auto& outcomes) { stratum.outcomes(number, times, outcomes); });
}

void CachedStack::key(Uid uid, std::string& out) const {
  check(uid);
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    const auto number = reader_.numbers(i).number(uid);
    if (!number) continue;
    strata_[i]->key(*number, out);
    return;
  }
  throw Error(ErrorKind::Corrupt,
              fmt::format("no stratum has the name of node {}; restore the archive", uid));
}

Uid CachedStack::lower_bound(std::string_view key, bool& found) const {
  found = false;
  if (reader_.is_single()) return strata_.front()->lower_bound(key, found);
  Uid smallest = reader_.node_count();
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    bool is_here = false;
    const Uid uid = reader_.numbers(i).uid(strata_[i]->lower_bound(key, is_here));
    if (is_here) {  // the others cannot have a smaller one
      found = true;
      return uid;
    }
    smallest = std::min(smallest, uid);
  }
  return smallest;
}

}  // namespace webstrata
