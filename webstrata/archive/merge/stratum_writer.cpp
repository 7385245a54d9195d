// SPDX-License-Identifier: Apache-2.0

// Three numberings meet here. The run of the update numbers its keys, and the strata below theirs;
// both become numbers of the new stack by looking up the keys of the run below (StackNumbers with
// the strata below as its base). In these numbers a page is read below, joined with its new facts,
// and what was known is subtracted. What is left goes to a scratch file; the keys that it mentions
// become the numbers of the stratum. That is a run, which an ordinary merge then encodes, together
// with the strata that it is merged with.
//
// Tested by tests/archive/stack_test.cpp.

#include "webstrata/archive/merge/stratum_writer.h"

#include <algorithm>
#include <optional>
#include <string>

#include "webstrata/archive/gather/page_delta.h"
#include "webstrata/archive/merge/merge.h"
#include "webstrata/archive/merge/stratum_pages.h"
#include "webstrata/archive/read/page_rows.h"
#include "webstrata/archive/read/page_texts_reader.h"
#include "webstrata/archive/read/stack_numbers.h"

namespace webstrata {
namespace {

constexpr std::size_t kRunBufferBytes = std::size_t{1} << 18;

void renumber(PageFacts& page, const StratumNumbers& numbers) {
  if (numbers.is_identity()) return;
  each_number(page, [&](Uid& number) { number = numbers.uid(number); });
}

std::uint64_t distinct_links(const PageFacts& page) {
  std::vector<Uid> targets = page.targets;
  std::ranges::sort(targets);
  return static_cast<std::uint64_t>(std::unique(targets.begin(), targets.end()) - targets.begin());
}

// What a page adds to the counts of an archive.
ArchiveCounts counts_of(const PageFacts& page) {
  ArchiveCounts counts;
  counts.pages = page.row_count() > 0 ? 1 : 0;
  counts.captures = page.row_count();
  counts.sightings = page.sightings.size();
  counts.links = distinct_links(page);
  counts.link_facts = page.targets.size();
  return counts;
}

// Replaces what `before` gave by what `now` gives.
void change(ArchiveCounts& counts, const PageFacts& before, const PageFacts& now) {
  const ArchiveCounts old = counts_of(before);
  const ArchiveCounts fresh = counts_of(now);
  counts.pages += fresh.pages - old.pages;
  counts.captures += fresh.captures - old.captures;
  counts.sightings += fresh.sightings - old.sightings;
  counts.links += fresh.links - old.links;
  counts.link_facts += fresh.link_facts - old.link_facts;
  if (now.sightings.empty()) return;
  const TimeInterval seen = {now.sightings.front().time, now.sightings.back().time};
  if (!counts.span) counts.span = seen;
  counts.span->first = std::min(counts.span->first, seen.first);
  counts.span->last = std::max(counts.span->last, seen.last);
}

// Where a key of the whole stack is among those of the strata below.
KeyPlace place_of(Uid uid, const StratumNumbers& below) {
  return {below.lower_bound(uid), below.number(uid).has_value()};
}

StratumPlaces look_up_keys(const RunFiles& run, const NewFactsRequest& request) {
  StratumPlaces places;
  const auto input = open_run(run, kRunBufferBytes);
  std::string key;
  while (input->next_key(key)) {
    bool is_known = false;
    const Uid position = request.below->lower_bound(key, is_known);
    places.keys.push_back({position, is_known});
    if (places.keys.size() % 1024 == 0) request.work.check_cancelled();
  }
  return places;
}

class NewFactsFinder {
 public:
  explicit NewFactsFinder(const NewFactsRequest& request)
      : request_(request),
        run_(join_runs(request)),
        run_places_(look_up_keys(run_, request)),
        numbers_(request.below->reader().node_count(), {&run_places_}),
        pages_(request.scratch, "part") {
    result_.counts = request.counts_below;
    result_.given = run_;
  }

  NewFacts find() {
    find_changes();
    if (result_.is_changed) {
      result_.counts.nodes = numbers_.uid_count();
      write_facts();
      result_.size += result_.places.keys.size();
    }
    result_.uids = std::move(numbers_);
    return std::move(result_);
  }

 private:
  static RunFiles join_runs(const NewFactsRequest& request) {
    MergeRequest of;
    of.scratch = request.scratch;
    of.options = request.options;
    of.runs = request.runs;
    of.memory_bytes = request.memory_bytes;
    of.work = request.work;
    return webstrata::join_runs(of);
  }

  [[nodiscard]] const StratumNumbers& below() const { return numbers_.stratum(0); }
  [[nodiscard]] const StratumNumbers& added() const { return numbers_.stratum(1); }

  // The pages of the update without what is known, in numbers of the stack.
  void find_changes() {
    const auto input = open_run(run_, kRunBufferBytes);
    std::uint64_t number = 0;
    std::uint64_t done = 0;
    PageFacts fresh;
    PageFacts delta;
    while (input->next_page(number)) {
      input->read_page(fresh);
      renumber(fresh, added());
      const Uid uid = added().uid(number);
      const PageDelta kind = change_page(run_places_.keys[number], fresh, delta);
      tell(++done);
      if (kind == PageDelta::Nothing) continue;
      result_.is_changed = true;
      if (kind == PageDelta::Whole) whole_.push_back(uid);
      result_.size += delta.sightings.size() + delta.targets.size();
      pages_.add(uid, delta);
    }
  }

  // `fresh` is used up.
  PageDelta change_page(const KeyPlace& place, PageFacts& fresh, PageFacts& delta) {
    before_.clear();
    if (place.is_known) {
      read_all(*request_.below, place.position, before_);
      read_texts(*request_.below, place.position, nullptr, before_.texts);
    }
    renumber(before_, below());
    PageFacts& now = fresh;
    if (!before_.empty()) {
      more_ = before_;
      drop_derived_rows(more_);
      append(now, more_);
    }
    normalise(now);
    derive_rows(now);
    change(result_.counts, before_, now);
    if (!before_.empty()) return subtract(now, before_, delta);
    delta = now;
    return PageDelta::Part;
  }

  // The keys that the stratum mentions: those of the run, and for whole pages others from below.
  void write_facts() {
    const auto input = open_run(run_, kRunBufferBytes);
    std::string last;
    std::uint64_t keys_read = 0;
    result_.facts = pages_.write([&](Uid uid, std::string& key) {
      if (const auto number = added().number(uid)) {
        for (; keys_read <= *number; ++keys_read) input->next_key(last);
        key = last;
      } else {
        request_.below->key(below().number(uid).value(), key);
      }
      result_.places.keys.push_back(place_of(uid, below()));
    });
    for (const Uid page : whole_) result_.places.whole_pages.push_back(pages_.number(page));
  }

  void tell(std::uint64_t pages) const {
    if (pages % 1024 != 0) return;
    request_.work.check_cancelled();
    if (request_.work.progress) request_.work.progress({"comparing pages", pages, 0, "pages"});
  }

  const NewFactsRequest& request_;
  RunFiles run_;
  StratumPlaces run_places_;  // of the keys of the run
  StackNumbers numbers_;
  StratumPages pages_;
  std::vector<Uid> whole_;
  PageFacts before_;
  PageFacts more_;
  NewFacts result_;
};

}  // namespace

NewFacts find_new_facts(const NewFactsRequest& request) { return NewFactsFinder(request).find(); }

std::uint64_t size_of(const ArchiveCounts& counts) {
  return counts.nodes + counts.sightings + counts.link_facts;
}

namespace {

// The places of what several strata that lie on each other become.
StratumPlaces merged_places(const std::vector<const StratumPlaces*>& parts,
                            std::uint64_t keys_below) {
  const StackNumbers numbers(keys_below, parts);
  NumberSet used;
  std::vector<Uid> whole;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const StratumNumbers& stratum = numbers.stratum(i + 1);
    for (std::uint64_t key = 0; key < stratum.key_count(); ++key) used.add(stratum.uid(key));
    for (const std::uint64_t page : parts[i]->whole_pages) whole.push_back(stratum.uid(page));
  }
  StratumPlaces places;
  for (const Uid uid : used.sorted()) places.keys.push_back(place_of(uid, numbers.stratum(0)));
  std::ranges::sort(whole);
  whole.erase(std::unique(whole.begin(), whole.end()), whole.end());
  for (const Uid page : whole) places.whole_pages.push_back(used.rank(page));
  return places;
}

}  // namespace

Stratum merge_strata(const StrataMergeRequest& request) {
  MergeRequest merge_request;
  merge_request.folder = request.folder;
  merge_request.scratch = request.scratch;
  merge_request.options = request.options;
  merge_request.strata = request.strata;
  merge_request.memory_bytes = request.memory_bytes;
  merge_request.work = request.work;
  merge_request.keeps_rows = true;
  std::vector<const StratumPlaces*> parts;
  for (const StratumPlaces& stratum : request.places) parts.push_back(&stratum);
  if (request.fresh != nullptr) {
    parts.push_back(&request.fresh->places);
    merge_request.runs = {request.fresh->facts};
  }
  for (const StratumPlaces* part : parts) merge_request.whole_pages.push_back(part->whole_pages);
  std::filesystem::create_directories(request.folder);
  const StratumPlaces places = merged_places(parts, request.keys_below);
  MergeResult merged = merge(merge_request);
  return {merged.counts, std::move(merged.facts_digest), std::move(merged.layers),
          write_places(request.folder, places)};
}

}  // namespace webstrata
