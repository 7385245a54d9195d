// SPDX-License-Identifier: Apache-2.0

// What a forget deletes from the strata of an archive, found before anything is written.
//
// These names go: those that are meant as a whole, and in each stratum those that none of its
// remaining facts mentions, since a stratum without the forgotten facts would not have them either.
// A stratum without a name that is meant stays as it is, to the byte.
//
// A page of which some times are forgotten may have lost the original of a revisit in another
// stratum. Its remaining facts are therefore joined and go into the highest stratum that has its
// name; the others lose theirs.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/page.h"
#include "webstrata/archive/merge/merge.h"
#include "webstrata/archive/merge/stratum_pages.h"
#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/base/work.h"
#include "webstrata/facts/forget.h"
#include "webstrata/facts/tombstones.h"

namespace webstrata {

// What is to be deleted: requests in plain text, or tombstones of another archive.
struct Meaning {
  std::function<bool(std::string_view key, std::optional<Time> time)> covers;
  std::function<bool(std::string_view key)> touches;
  std::function<bool(std::string_view key)> contains_embedded;
};
// Both keep what they are made from by reference.
Meaning meaning_of(const Selection& selection);
Meaning meaning_of(const Tombstones& tombstones);

// One bit for each node.
class NodeSet {
 public:
  explicit NodeSet(std::uint64_t size) : words_(size / 64 + 1) {}
  void add(Uid node) noexcept { words_[node / 64] |= std::uint64_t{1} << (node % 64); }
  [[nodiscard]] bool has(Uid node) const noexcept {
    return (words_[node / 64] >> (node % 64) & 1) != 0;
  }
  // How many there are in [first, end).
  [[nodiscard]] std::uint64_t count(Uid first, Uid end) const noexcept;

 private:
  std::vector<std::uint64_t> words_;
};

struct ForgetPlanOptions {
  bool embedded = false;  // names that contain a forgotten one go too
  std::function<void(const std::string& url)> on_embedded = {};  // called with each of them
  // Called with each sighting that is deleted, in order of URL.
  std::function<void(const std::string& url, const SightingRecord&)> on_sighting = {};
  WorkOptions work = {};
};

class ForgetPlan {
 public:
  // `stack` outlives it.
  ForgetPlan(const CachedStack& stack, const ArchiveCounts& counts, Meaning meaning,
             ForgetPlanOptions options);

  [[nodiscard]] std::uint64_t names() const noexcept { return names_; }          // that are meant
  [[nodiscard]] std::uint64_t sightings() const noexcept { return sightings_; }  // deleted
  [[nodiscard]] std::uint64_t embedded() const noexcept { return embedded_; }
  // URLs that only contain a forgotten one and are deleted with it.
  [[nodiscard]] const std::vector<std::string>& embedded_urls() const noexcept {
    return embedded_urls_;
  }
  // Of what is left, all but the span, as one build would count.
  [[nodiscard]] const ArchiveCounts& counts_left() const noexcept { return counts_; }

  // Whether the stratum has a name that is meant, whole or for some time.
  [[nodiscard]] bool is_affected(std::size_t stratum) const { return strata_[stratum].is_affected; }
  [[nodiscard]] bool is_touched(Uid uid) const noexcept { return touched_.has(uid); }
  // For a merge of the base alone, in its own numbers.
  [[nodiscard]] const MergeFilter& base_filter() const noexcept { return base_filter_; }
  // The uids of the keys that a stratum keeps, ascending; not for a base that stays.
  void visit_keys(std::size_t stratum, const std::function<void(Uid)>& visit) const;
  // What an affected stratum keeps, page by page, in uids of the stack.
  void visit_pages(std::size_t stratum,
                   const std::function<void(Uid, const PageFacts&)>& visit) const;

 private:
  struct StratumLeft {
    bool is_affected = false;
    NumberSet keys;  // of an affected stratum above the base, sorted
  };
  class BaseFilter : public MergeFilter {
   public:
    explicit BaseFilter(const ForgetPlan& plan) : plan_(plan) {}
    [[nodiscard]] bool drops(Uid number) const override;
    [[nodiscard]] bool touches(Uid number) const override;
    [[nodiscard]] bool drops_sighting(Uid number, const SightingRecord& sighting) const override;

   private:
    const ForgetPlan& plan_;
  };

  void find_names();
  void find_embedded(Uid uid, std::string_view key);
  void find_strata();
  void read_stratum(std::size_t stratum);
  void count_losses();
  void count_names();
  [[nodiscard]] std::size_t highest_with(Uid uid) const;
  [[nodiscard]] bool mentions_meant(const PageFacts& page) const;
  [[nodiscard]] bool goes(Uid uid, const SightingRecord& sighting) const;
  // Removes what is meant from all that is known about a page.
  void reduce(Uid uid, PageFacts& page) const;
  // visit_pages(), which also calls `on_changed` with the pages that lose something, if it is set.
  void walk(std::size_t stratum, const std::function<void(Uid)>& on_changed,
            const std::function<void(Uid, const PageFacts&)>& visit) const;

  const CachedStack& stack_;
  Meaning meaning_;
  ForgetPlanOptions options_;
  BaseFilter base_filter_;
  NodeSet meant_;           // the name is deleted
  NodeSet touched_;         // some times of it are deleted
  NodeSet base_mentioned_;  // in numbers of the base, by a fact that stays in it
  std::map<Uid, std::string> touched_keys_;
  std::vector<Uid> meant_uids_;  // ascending
  std::vector<StratumLeft> strata_;
  NumberSet changed_;  // pages that lose something
  std::vector<std::string> embedded_urls_;
  ArchiveCounts counts_;
  std::uint64_t names_ = 0;
  std::uint64_t sightings_ = 0;
  std::uint64_t embedded_ = 0;
};

}  // namespace webstrata
