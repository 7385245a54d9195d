// SPDX-License-Identifier: Apache-2.0

// Three numberings meet here. The run of the update numbers its keys, and the strata below theirs;
// both become numbers of the new stack by looking up the keys of the run below (StackNumbers with
// the strata below as its base). In these numbers a page is read below, joined with its new facts,
// and what was known is subtracted. What is left goes to a scratch file; the keys that it mentions
// become the numbers of the stratum, which an ordinary merge of one run then encodes.
//
// Tested by tests/archive/stack_test.cpp.

#include "webstrata/archive/merge/stratum_writer.h"

#include <algorithm>
#include <optional>
#include <string>

#include "webstrata/archive/gather/page_delta.h"
#include "webstrata/archive/merge/merge.h"
#include "webstrata/archive/read/page_rows.h"
#include "webstrata/archive/read/stack_numbers.h"

namespace webstrata {
namespace {

constexpr std::size_t kRunBufferBytes = std::size_t{1} << 18;

// Calls `visit` with every number that a page mentions, by reference.
template <typename Page, typename Visit>
void each_number(Page& page, Visit visit) {
  for (auto& target : page.targets) visit(target);
  for (auto& sighting : page.sightings) {
    if (sighting.redirect) visit(*sighting.redirect);
    if (sighting.refers_to) visit(*sighting.refers_to);
  }
}

void renumber(PageFacts& page, const StratumNumbers& numbers) {
  if (numbers.is_identity()) return;
  each_number(page, [&](Uid& number) { number = numbers.uid(number); });
}

// A set of numbers that is filled in any order and read in ascending order.
class NumberSet {
 public:
  void add(Uid number) {
    numbers_.push_back(number);
    if (numbers_.size() >= limit_) shrink();
  }
  const std::vector<Uid>& sorted() {
    shrink();
    return numbers_;
  }
  // After sorted().
  [[nodiscard]] std::uint64_t rank(Uid number) const {
    return static_cast<std::uint64_t>(std::ranges::lower_bound(numbers_, number) -
                                      numbers_.begin());
  }

 private:
  void shrink() {
    std::ranges::sort(numbers_);
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    limit_ = std::max(limit_, 2 * numbers_.size());
  }

  std::vector<Uid> numbers_;
  std::size_t limit_ = std::size_t{1} << 20;
};

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

StratumPlaces look_up_keys(const RunFiles& run, const StratumRequest& request) {
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

class StratumWriter {
 public:
  explicit StratumWriter(const StratumRequest& request)
      : request_(request),
        run_(join_runs(request)),
        run_places_(look_up_keys(run_, request)),
        numbers_(request.below->reader().node_count(), {&run_places_}),
        changes_({request.scratch / "changes.keys", request.scratch / "changes.pages"}) {
    result_.counts = request.counts_below;
  }

  StratumResult write() {
    find_changes();
    if (!result_.is_changed) return std::move(result_);
    result_.counts.nodes = numbers_.uid_count();
    const RunFiles part = {request_.scratch / "part.keys", request_.scratch / "part.pages"};
    RunWriter writer(part);
    write_keys(writer);
    write_pages(writer);
    writer.finish();
    std::filesystem::create_directories(request_.folder);
    MergeRequest merge_request = merge_request_of(request_);
    merge_request.runs = {part};
    MergeResult merged = merge(merge_request);
    result_.stratum.layers = std::move(merged.layers);
    result_.stratum.counts = merged.counts;
    result_.stratum.facts_digest = std::move(merged.facts_digest);
    result_.stratum.places = write_places(request_.folder, places_);
    return std::move(result_);
  }

 private:
  static MergeRequest merge_request_of(const StratumRequest& request) {
    MergeRequest of;
    of.folder = request.folder;
    of.scratch = request.scratch;
    of.options = request.options;
    of.runs = request.runs;
    of.memory_bytes = request.memory_bytes;
    of.work = request.work;
    of.keeps_rows = true;
    return of;
  }
  static RunFiles join_runs(const StratumRequest& request) {
    return webstrata::join_runs(merge_request_of(request));
  }

  [[nodiscard]] const StratumNumbers& below() const { return numbers_.stratum(0); }
  [[nodiscard]] const StratumNumbers& added() const { return numbers_.stratum(1); }

  // The pages of the update without what is known, into a scratch file, in numbers of the stack.
  void find_changes() {
    RunWriter writer(changes_);
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
      used_.add(uid);
      each_number(delta, [&](Uid mentioned) { used_.add(mentioned); });
      writer.add_page(uid, delta);
    }
    writer.finish();
  }

  // `fresh` is used up.
  PageDelta change_page(const KeyPlace& place, PageFacts& fresh, PageFacts& delta) {
    before_.clear();
    if (place.is_known) read_all(*request_.below, place.position, before_);
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
  void write_keys(RunWriter& writer) {
    const auto input = open_run(run_, kRunBufferBytes);
    std::string key;
    std::uint64_t keys_read = 0;
    for (const Uid uid : used_.sorted()) {
      const auto known = below().number(uid);
      if (const auto number = added().number(uid)) {
        for (; keys_read <= *number; ++keys_read) input->next_key(key);
        writer.add_key(key);
      } else {
        std::string key_below;
        request_.below->key(known.value(), key_below);
        writer.add_key(key_below);
      }
      places_.keys.push_back({below().lower_bound(uid), known.has_value()});
    }
    for (const Uid page : whole_) places_.whole_pages.push_back(used_.rank(page));
  }

  void write_pages(RunWriter& writer) {
    const auto input = open_run(changes_, kRunBufferBytes);
    std::uint64_t uid = 0;
    PageFacts page;
    while (input->next_page(uid)) {
      input->read_page(page);
      each_number(page, [&](Uid& number) { number = used_.rank(number); });
      writer.add_page(used_.rank(uid), page);
    }
  }

  void tell(std::uint64_t pages) const {
    if (pages % 1024 != 0) return;
    request_.work.check_cancelled();
    if (request_.work.progress) request_.work.progress({"comparing pages", pages, 0, "pages"});
  }

  const StratumRequest& request_;
  RunFiles run_;
  StratumPlaces run_places_;  // of the keys of the run
  StackNumbers numbers_;
  RunFiles changes_;
  NumberSet used_;
  std::vector<Uid> whole_;
  StratumPlaces places_;
  PageFacts before_;
  PageFacts more_;
  StratumResult result_;
};

}  // namespace

StratumResult write_stratum(const StratumRequest& request) {
  return StratumWriter(request).write();
}

Stratum merge_strata(const StrataMergeRequest& request) {
  std::vector<const StratumPlaces*> pointers;
  for (const StratumPlaces& stratum : request.places) pointers.push_back(&stratum);
  const StackNumbers numbers(request.keys_below, pointers);
  NumberSet used;
  std::vector<Uid> whole;
  for (std::size_t i = 0; i < request.places.size(); ++i) {
    const StratumNumbers& stratum = numbers.stratum(i + 1);
    for (std::uint64_t key = 0; key < stratum.key_count(); ++key) used.add(stratum.uid(key));
    for (const std::uint64_t page : request.places[i].whole_pages) {
      whole.push_back(stratum.uid(page));
    }
  }
  StratumPlaces places;
  for (const Uid uid : used.sorted()) {
    const StratumNumbers& below = numbers.stratum(0);
    places.keys.push_back({below.lower_bound(uid), below.number(uid).has_value()});
  }
  std::ranges::sort(whole);
  whole.erase(std::unique(whole.begin(), whole.end()), whole.end());
  for (const Uid page : whole) places.whole_pages.push_back(used.rank(page));

  MergeRequest merge_request;
  merge_request.folder = request.folder;
  merge_request.scratch = request.scratch;
  merge_request.options = request.options;
  merge_request.strata = request.strata;
  merge_request.memory_bytes = request.memory_bytes;
  merge_request.work = request.work;
  merge_request.keeps_rows = true;
  for (const StratumPlaces& stratum : request.places) {
    merge_request.whole_pages.push_back(stratum.whole_pages);
  }
  std::filesystem::create_directories(request.folder);
  MergeResult merged = merge(merge_request);
  return {merged.counts, std::move(merged.facts_digest), std::move(merged.layers),
          write_places(request.folder, places)};
}

}  // namespace webstrata
