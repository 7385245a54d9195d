// SPDX-License-Identifier: Apache-2.0

// Names are read once, in all strata; facts only in the strata that have a name that is meant. What
// changes for the whole archive is then counted on the pages that lose something, joined over all
// strata.
// Tested by tests/archive/forget_test.cpp and tests/archive/stack_test.cpp.

#include "webstrata/archive/forget_plan.h"

#include <algorithm>
#include <bit>

#include "webstrata/archive/merge/generation_input.h"
#include "webstrata/archive/read/page_rows.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

std::string url_of_node(const CachedStack& stack, Uid uid) {
  std::string key;
  stack.key(uid, key);
  return url_of_key(key).value_or(key);
}

// What a page adds to the counts of its archive.
ArchiveCounts page_counts(const PageFacts& page) {
  ArchiveCounts counts;
  counts.pages = page.row_count() > 0 ? 1 : 0;
  counts.captures = page.row_count();
  counts.sightings = page.sightings.size();
  counts.link_facts = page.targets.size();
  std::vector<Uid> targets = page.targets;
  std::ranges::sort(targets);
  counts.links =
      static_cast<std::uint64_t>(std::unique(targets.begin(), targets.end()) - targets.begin());
  return counts;
}

void subtract_counts(ArchiveCounts& counts, const ArchiveCounts& was, const ArchiveCounts& is) {
  counts.pages -= was.pages - is.pages;
  counts.captures -= was.captures - is.captures;
  counts.sightings -= was.sightings - is.sightings;
  counts.link_facts -= was.link_facts - is.link_facts;
  counts.links -= was.links - is.links;
}

template <typename IsGone>
void erase_links(PageFacts& page, IsGone is_gone) {
  std::size_t kept = 0;
  std::size_t place = 0;
  for (std::uint32_t& end : page.row_ends) {
    for (; place < end; ++place) {
      if (is_gone(page.targets[place])) continue;
      page.targets[kept] = page.targets[place];
      page.values[kept++] = page.values[place];
    }
    end = static_cast<std::uint32_t>(kept);
  }
  page.targets.resize(kept);
  page.values.resize(kept);
}

}  // namespace

Meaning meaning_of(const Selection& selection) {
  return {
      [&selection](std::string_view key, std::optional<Time> time) {
        return selection.covers(key, time);
      },
      [&selection](std::string_view key) { return selection.touches(key); },
      [&selection](std::string_view key) { return selection.contains_embedded(key); },
  };
}

Meaning meaning_of(const Tombstones& tombstones) {
  return {
      [&tombstones](std::string_view key, std::optional<Time> time) {
        return tombstones.covers(key, time);
      },
      [&tombstones](std::string_view key) { return tombstones.touches(key); },
      [](std::string_view) { return false; },
  };
}

std::uint64_t NodeSet::count(Uid first, Uid end) const noexcept {
  std::uint64_t total = 0;
  for (; first < end && first % 64 != 0; ++first) total += has(first) ? 1 : 0;
  for (; first + 64 <= end; first += 64) {
    total += static_cast<std::uint64_t>(std::popcount(words_[first / 64]));
  }
  for (; first < end; ++first) total += has(first) ? 1 : 0;
  return total;
}

bool ForgetPlan::BaseFilter::drops(Uid number) const {
  return plan_.meant_.has(plan_.stack_.reader().numbers(0).uid(number)) ||
         !plan_.base_mentioned_.has(number);
}

bool ForgetPlan::BaseFilter::touches(Uid number) const {
  return plan_.touched_.has(plan_.stack_.reader().numbers(0).uid(number));
}

bool ForgetPlan::BaseFilter::drops_sighting(Uid number, const SightingRecord& sighting) const {
  const Uid uid = plan_.stack_.reader().numbers(0).uid(number);
  const auto key = plan_.touched_keys_.find(uid);
  if (key == plan_.touched_keys_.end()) return false;
  return plan_.highest_with(uid) > 0 || plan_.meaning_.covers(key->second, sighting.time);
}

ForgetPlan::ForgetPlan(const CachedStack& stack, const ArchiveCounts& counts, Meaning meaning,
                       ForgetPlanOptions options)
    : stack_(stack),
      meaning_(std::move(meaning)),
      options_(std::move(options)),
      base_filter_(*this),
      meant_(stack.reader().node_count()),
      touched_(stack.reader().node_count()),
      base_mentioned_(stack.reader().stratum(0).node_count()),
      strata_(stack.reader().size()),
      counts_(counts) {
  find_names();
  if (names_ == 0) return;
  find_strata();
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    if (strata_[i].is_affected) read_stratum(i);
  }
  count_losses();
  count_names();
}

void ForgetPlan::find_names() {
  const StackReader& reader = stack_.reader();
  KeyList keys;
  for (std::uint64_t block = 0; block < reader.block_count(); ++block) {
    options_.work.check_cancelled();
    read_keys(reader, block, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Uid uid = reader.first_node(block) + i;
      const std::string_view key = keys[i];
      if (meaning_.covers(key, std::nullopt)) {
        meant_.add(uid);
        meant_uids_.push_back(uid);
      } else if (meaning_.touches(key)) {
        touched_.add(uid);
        touched_keys_.emplace(uid, key);
      } else if (meaning_.contains_embedded(key)) {
        find_embedded(uid, key);
        continue;
      } else {
        continue;
      }
      ++names_;
    }
    reader.release(block);
  }
}

void ForgetPlan::find_embedded(Uid uid, std::string_view key) {
  std::string url = url_of_key(key).value_or(std::string(key));
  ++embedded_;
  if (options_.on_embedded) options_.on_embedded(url);
  if (!options_.embedded) return;
  meant_.add(uid);
  meant_uids_.push_back(uid);
  ++names_;
  embedded_urls_.push_back(std::move(url));
}

void ForgetPlan::find_strata() {
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    const StratumNumbers& numbers = stack_.reader().numbers(i);
    const auto has = [&](Uid uid) { return numbers.number(uid).has_value(); };
    strata_[i].is_affected =
        std::ranges::any_of(meant_uids_, has) ||
        std::ranges::any_of(touched_keys_, [&](const auto& entry) { return has(entry.first); });
  }
}

std::size_t ForgetPlan::highest_with(Uid uid) const {
  std::size_t stratum = strata_.size() - 1;
  while (stratum > 0 && !stack_.reader().numbers(stratum).number(uid)) --stratum;
  return stratum;
}

bool ForgetPlan::mentions_meant(const PageFacts& page) const {
  bool does = false;
  each_number(page, [&](Uid number) { does = does || meant_.has(number); });
  return does;
}

bool ForgetPlan::goes(Uid uid, const SightingRecord& sighting) const {
  if (meant_.has(uid)) return true;
  if (sighting.refers_to && meant_.has(*sighting.refers_to)) return true;
  const auto key = touched_keys_.find(uid);
  return key != touched_keys_.end() && meaning_.covers(key->second, sighting.time);
}

void ForgetPlan::reduce(Uid uid, PageFacts& page) const {
  if (meant_.has(uid)) {
    page.clear();
    return;
  }
  std::erase_if(page.sightings,
                [&](const SightingRecord& sighting) { return goes(uid, sighting); });
  for (SightingRecord& sighting : page.sightings) {
    if (sighting.redirect && meant_.has(*sighting.redirect)) sighting.redirect.reset();
  }
  erase_links(page, [&](Uid target) { return meant_.has(target); });
  if (!touched_.has(uid)) return;
  drop_derived_rows(page);
  normalise(page);
  derive_rows(page);
}

void ForgetPlan::walk(std::size_t stratum, const std::function<void(Uid)>& on_changed,
                      const std::function<void(Uid, const PageFacts&)>& visit) const {
  const StratumNumbers& numbers = stack_.reader().numbers(stratum);
  PageFacts page;
  auto touched = touched_keys_.begin();
  // The pages that are here from now on, up to `end`.
  const auto visit_touched = [&](Uid end) {
    for (; touched != touched_keys_.end() && touched->first < end; ++touched) {
      if (highest_with(touched->first) != stratum || !numbers.number(touched->first)) continue;
      read_all(stack_, touched->first, page);
      reduce(touched->first, page);
      if (!page.empty()) visit(touched->first, page);
    }
  };
  const auto input = open_generation(stack_.reader().stratum(stratum));
  std::uint64_t number = 0;
  while (input->next_page(number)) {
    options_.work.check_cancelled();
    const Uid uid = numbers.uid(number);
    visit_touched(uid);
    input->read_page(page);
    each_number(page, [&](Uid& mentioned) { mentioned = numbers.uid(mentioned); });
    const bool is_changed = meant_.has(uid) || touched_.has(uid) || mentions_meant(page);
    if (is_changed && on_changed) on_changed(uid);
    if (touched_.has(uid)) continue;
    reduce(uid, page);
    if (!page.empty()) visit(uid, page);
  }
  visit_touched(~Uid{0});
}

void ForgetPlan::visit_pages(std::size_t stratum,
                             const std::function<void(Uid, const PageFacts&)>& visit) const {
  walk(stratum, {}, visit);
}

// Which names the stratum still mentions, and which of its pages lose something.
void ForgetPlan::read_stratum(std::size_t stratum) {
  const StratumNumbers& base = stack_.reader().numbers(0);
  const auto note = [&](Uid uid) {
    if (stratum > 0) {
      strata_[stratum].keys.add(uid);
    } else {
      base_mentioned_.add(base.number(uid).value());
    }
  };
  walk(
      stratum, [&](Uid uid) { changed_.add(uid); },
      [&](Uid uid, const PageFacts& page) {
        note(uid);
        each_number(page, note);
      });
  strata_[stratum].keys.sorted();
}

void ForgetPlan::count_losses() {
  PageFacts page;
  for (const Uid uid : changed_.sorted()) {
    read_all(stack_, uid, page);
    const ArchiveCounts was = page_counts(page);
    std::string url;
    for (const SightingRecord& sighting : page.sightings) {
      if (!goes(uid, sighting)) continue;
      ++sightings_;
      if (!options_.on_sighting) continue;
      if (url.empty()) url = url_of_node(stack_, uid);
      options_.on_sighting(url, sighting);
    }
    reduce(uid, page);
    subtract_counts(counts_, was, page_counts(page));
  }
}

void ForgetPlan::visit_keys(std::size_t stratum, const std::function<void(Uid)>& visit) const {
  const StratumNumbers& numbers = stack_.reader().numbers(stratum);
  if (strata_[stratum].is_affected && stratum > 0) {
    for (const Uid uid : strata_[stratum].keys.numbers()) visit(uid);
    return;
  }
  const bool is_filtered = strata_[stratum].is_affected;
  for (std::uint64_t number = 0; number < numbers.key_count(); ++number) {
    if (!is_filtered || !base_filter_.drops(number)) visit(numbers.uid(number));
  }
}

void ForgetPlan::count_names() {
  NodeSet left(stack_.reader().node_count());
  counts_.nodes = 0;
  for (std::size_t i = 0; i < strata_.size(); ++i) {
    visit_keys(i, [&](Uid uid) {
      if (!left.has(uid)) ++counts_.nodes;
      left.add(uid);
    });
  }
}

}  // namespace webstrata
