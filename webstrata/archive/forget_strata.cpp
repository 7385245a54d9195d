// SPDX-License-Identifier: Apache-2.0

// A base is merged with a filter, as an archive of one stratum is. Of the others, what is left
// becomes a run and is encoded again. All places above a stratum that lost keys change with it:
// they follow from the keys that the strata keep, in uids of the stack before.
// Tested by tests/archive/stack_test.cpp.

#include "webstrata/archive/forget_strata.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/disk/places.h"
#include "webstrata/archive/disk/take_over.h"
#include "webstrata/archive/gather/translation.h"
#include "webstrata/archive/merge/score_carry.h"
#include "webstrata/archive/merge/stratum_pages.h"
#include "webstrata/archive/read/page_rows.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAfterCacheBytes = std::size_t{64} << 20;
constexpr std::size_t kUidsShare = 4;

class StackWithout {
 public:
  StackWithout(const ForgetPlan& plan, const CachedStack& stack, const Manifest& before,
               fs::path generation, const StackResources& resources, fs::path folder)
      : plan_(plan),
        stack_(stack),
        before_(before),
        generation_(std::move(generation)),
        resources_(resources),
        folder_(std::move(folder)),
        left_(stack.reader().node_count()),
        manifest_(before) {}

  Manifest write() {
    Stratum base = write_base();
    add_keys(0);
    std::vector<Stratum> above;
    for (std::size_t i = 1; i < stack_.reader().size(); ++i) {
      if (auto stratum = write_stratum(i, above.size() + 1)) above.push_back(std::move(*stratum));
    }
    list(std::move(base), std::move(above));
    carry_columns();
    return std::move(manifest_);
  }

 private:
  // Its layers go to the manifest.
  Stratum write_base() {
    const Manifest was = before_.of_stratum(0);
    if (!plan_.is_affected(0)) {
      take_over_layers(generation_, folder_, was.layers);
      return {was.counts, was.facts_digest, {}, {}};
    }
    MergeRequest request = merge_request_of(resources_, folder_, before_.options);
    request.before = &stack_.reader().stratum(0);
    request.filter = &plan_.base_filter();
    MergeResult merged = merge(request);
    manifest_.layers = std::move(merged.layers);
    return {merged.counts, std::move(merged.facts_digest), {}, {}};
  }

  // Stratum number `number` as number `place`; empty if nothing of it is left.
  std::optional<Stratum> write_stratum(std::size_t number, std::size_t place) {
    const fs::path to = stratum_folder(folder_, place);
    Stratum stratum = before_.strata[number];
    if (plan_.is_affected(number)) {
      StratumPages pages(resources_.scratch, fmt::format("left{}", number));
      plan_.visit_pages(number, [&](Uid uid, const PageFacts& page) { pages.add(uid, page); });
      if (pages.keys().empty()) return std::nullopt;
      fs::create_directories(to);
      MergeRequest request = merge_request_of(resources_, to, before_.options);
      request.runs = {pages.write([&](Uid uid, std::string& key) { stack_.key(uid, key); })};
      request.keeps_rows = true;
      MergeResult merged = merge(request);
      stratum = {merged.counts, std::move(merged.facts_digest), std::move(merged.layers), {}};
    } else {
      take_over_layers(stratum_folder(generation_, number), to, stratum.layers);
    }
    stratum.places = write_places(to, places_of(number));
    sync_folder(to);
    add_keys(number);
    return stratum;
  }

  // Among the keys that the strata below keep.
  StratumPlaces places_of(std::size_t number) const {
    StratumPlaces places;
    std::vector<Uid> keys;
    std::uint64_t position = 0;
    Uid last = 0;
    plan_.visit_keys(number, [&](Uid uid) {
      position += left_.count(last, uid);
      last = uid;
      places.keys.push_back({position, left_.has(uid)});
      keys.push_back(uid);
    });
    const StratumPlaces was =
        read_places(stratum_folder(generation_, number), before_.strata[number].places.value());
    for (const std::uint64_t page : was.whole_pages) {
      const Uid uid = stack_.reader().numbers(number).uid(page);
      const auto key = std::ranges::lower_bound(keys, uid);
      if (plan_.is_touched(uid) || key == keys.end() || *key != uid) continue;
      places.whole_pages.push_back(static_cast<std::uint64_t>(key - keys.begin()));
    }
    return places;
  }

  void add_keys(std::size_t number) {
    plan_.visit_keys(number, [&](Uid uid) { left_.add(uid); });
  }

  void list(Stratum base, std::vector<Stratum> above) {
    manifest_.strata.clear();
    if (above.empty()) {
      manifest_.format_version = kFormatVersion;
      manifest_.counts = base.counts;
      manifest_.facts_digest = std::move(base.facts_digest);
      return;
    }
    manifest_.counts = plan_.counts_left();
    manifest_.counts.span.reset();
    manifest_.strata.push_back(std::move(base));
    std::ranges::move(above, std::back_inserter(manifest_.strata));
    for (const Stratum& stratum : manifest_.strata) add_span(stratum.counts.span);
  }

  void add_span(const std::optional<TimeInterval>& more) {
    std::optional<TimeInterval>& span = manifest_.counts.span;
    if (!more) return;
    if (!span) span = more;
    span->first = std::min(span->first, more->first);
    span->last = std::max(span->last, more->last);
  }

  void carry_columns() {
    if (before_.scores.empty() && before_.link_scores.empty()) return;
    Translation translation(resources_.scratch / "columns", resources_.memory_bytes / kUidsShare);
    Uid next = 0;
    for (Uid uid = 0; uid < stack_.reader().node_count(); ++uid) {
      if (left_.has(uid)) {
        translation.add(next++);
      } else {
        translation.add_dropped();
      }
    }
    translation.finish();
    const CachedStack after(folder_, manifest_, kAfterCacheBytes);
    CapturesLeft captures;
    captures.is_touched = [&](Uid uid) { return plan_.is_touched(uid); };
    captures.read_times = [&](Uid uid, std::vector<Time>& times) {
      const PageRows rows(after, Direction::Out, uid);
      times.assign(rows.times().begin(), rows.times().end());
    };
    CarriedLinkScores links =
        carry_link_scores(generation_, before_.link_scores, translation, next, &captures, folder_);
    manifest_.link_scores = std::move(links.files);
    manifest_.scores =
        carry_scores(generation_, before_.scores, translation, next, links.lapsed, folder_);
  }

  const ForgetPlan& plan_;
  const CachedStack& stack_;
  const Manifest& before_;
  fs::path generation_;
  const StackResources& resources_;
  fs::path folder_;
  NodeSet left_;  // of the strata written so far, by the uids of before
  Manifest manifest_;
};

}  // namespace

Manifest write_without(const ForgetPlan& plan, const CachedStack& stack, const Manifest& before,
                       const fs::path& generation, const StackResources& resources,
                       const fs::path& folder) {
  return StackWithout(plan, stack, before, generation, resources, folder).write();
}

}  // namespace webstrata
