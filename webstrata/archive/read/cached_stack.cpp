// SPDX-License-Identifier: Apache-2.0

// A node is looked for in every stratum, from the top down, until one of them replaces what lies
// below. With one stratum nothing is translated, and every question goes straight to it.
// Tested by tests/archive/stack_test.cpp and tests/archive/archive_test.cpp.

#include "webstrata/archive/read/cached_stack.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "webstrata/archive/read/page_rows.h"
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

void CachedStack::sections(Direction direction, Uid uid, std::vector<Section>& out) const {
  check(uid);
  out.clear();
  if (reader_.is_single()) {
    strata_.front()->sections(direction, uid, out);
    return;
  }
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    if (direction == Direction::Out && reader_.is_replaced(i, uid)) continue;
    const auto number = reader_.numbers(i).number(uid);
    if (!number) continue;
    const std::size_t before = out.size();
    strata_[i]->sections(direction, *number, out);
    // Most strata only mention a node, as the target of a link.
    const bool is_empty =
        out.size() == before + 1 && !out.back().chunk->times().has_times(out.back().node);
    if (is_empty) out.pop_back();
  }
}

template <typename Record, typename Read>
void CachedStack::read_sightings(Uid uid, const PageRows& rows, std::vector<Record>& out,
                                 Read read) const {
  check(uid);
  if (reader_.is_single()) {
    read(0, uid, rows.times(), out);
    return;
  }
  out.clear();
  std::vector<Record> part;
  std::vector<Time> times;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    const StratumNumbers& numbers = reader_.numbers(i);
    const auto number = numbers.number(uid);
    if (!number || reader_.is_replaced(i, uid)) continue;
    rows.read_times(i, times);
    read(i, *number, times, part);
    if (part.empty()) continue;
    for (Record& record : part) translate_record(record, numbers);
    out.insert(out.end(), std::make_move_iterator(part.begin()),
               std::make_move_iterator(part.end()));
    ++parts;
  }
  if (parts > 1) sort_records(out);
}

void CachedStack::sightings(Uid uid, const PageRows& rows, std::vector<SightingRecord>& out) const {
  read_sightings(uid, rows, out,
                 [&](std::size_t stratum, Uid number, std::span<const Time> times, auto& records) {
                   strata_[stratum]->sightings(number, times, records);
                 });
}

void CachedStack::outcomes(Uid uid, const PageRows& rows, std::vector<SightingOutcome>& out,
                           std::vector<SightingsHold>* holds) const {
  if (holds != nullptr) holds->resize(strata_.size());
  read_sightings(uid, rows, out,
                 [&](std::size_t stratum, Uid number, std::span<const Time> times, auto& outcomes) {
                   strata_[stratum]->outcomes(number, times, outcomes,
                                              holds == nullptr ? nullptr : &(*holds)[stratum]);
                 });
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

// What the base says bounds the answer; the keys of another stratum between these bounds are few,
// so that most strata need not be read.
Uid CachedStack::lower_bound(std::string_view key, bool& found) const {
  found = false;
  if (reader_.is_single()) return strata_.front()->lower_bound(key, found);
  Uid least = 0;
  Uid most = reader_.node_count();
  for (std::size_t i = 0; i < strata_.size() && least < most; ++i) {
    const StratumNumbers& numbers = reader_.numbers(i);
    const Uid first = numbers.lower_bound(least);
    const Uid end = numbers.lower_bound(most);
    if (first == end) continue;
    const Uid number = strata_[i]->lower_bound(key, first, end, found);
    if (found) return numbers.uid(number);
    if (number > first) least = numbers.uid(number - 1) + 1;
    if (number < end) most = numbers.uid(number);
  }
  return most;
}

}  // namespace webstrata
