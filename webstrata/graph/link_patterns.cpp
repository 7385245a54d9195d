// SPDX-License-Identifier: Apache-2.0

// Two targets are in the same captures if the sets of those captures are equal. A set is compared
// by its size and two sums of hashes of its members, so a host needs a few words for each target,
// and every link fact is looked at once. Pages of a host are adjacent in the order of keys.
// Tested by tests/cli/ask_test.py.

#include "webstrata/graph/link_patterns.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr std::uint64_t kPagesBetweenChecks = 1024;

// The finaliser of SplitMix64: a bijection that spreads bits.
std::uint64_t spread(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

// The part of a key that identifies its host: "org,example,www)".
std::string_view host_part(std::string_view key) { return key.substr(0, key.find(')') + 1); }

// In which captures of a host a target is.
struct Occurrences {
  std::uint64_t captures = 0;
  std::uint64_t sum_a = 0;
  std::uint64_t sum_b = 0;
  std::uint64_t pages = 0;
  std::uint64_t pages_last = 0;
  Uid last_page = UINT64_MAX;
  TimeInterval seen = {};

  void add(Uid page, Time time, bool is_last) {
    const std::uint64_t capture =
        spread(page * 0x9e3779b97f4a7c15 + 1) + static_cast<std::uint64_t>(time);
    if (captures == 0) seen = {time, time};
    seen = {std::min(seen.first, time), std::max(seen.last, time)};
    ++captures;
    sum_a += spread(capture);
    sum_b += spread(capture ^ 0xd6e8feb86659fd93);
    if (page != last_page) ++pages;
    last_page = page;
    if (is_last) ++pages_last;
  }
  [[nodiscard]] auto set() const { return std::tuple(captures, sum_a, sum_b); }
};

std::uint64_t size_of(const LinkPattern& pattern) {
  return pattern.targets.size() * pattern.captures;
}

bool is_larger(const LinkPattern& a, const LinkPattern& b) {
  return std::tuple(size_of(b), std::string_view(a.host), a.targets.front()) <
         std::tuple(size_of(a), std::string_view(b.host), b.targets.front());
}

class PatternFinder {
 public:
  explicit PatternFinder(const PatternOptions& options) : options_(options) {}

  void take(Uid page, std::string_view key, const PageFacts& facts) {
    if (host_part(key) != host_key_) {
      finish_host();
      host_key_ = host_part(key);
      const auto text = url_of_key(key);
      Url url;
      host_ = text && parse_url(*text, url) ? std::string(url.host()) : std::string(key);
    }
    for (std::size_t row = 0; row < facts.row_count(); ++row) {
      const bool is_last = row + 1 == facts.row_count();
      for (std::size_t i = facts.row_start(row); i < facts.row_ends[row]; ++i) {
        const auto kinds = LinkKinds::from_bits(facts.values[i].kinds);
        if (!kinds.intersects(options_.scan.kinds)) continue;
        targets_[facts.targets[i]].add(page, facts.times[row], is_last);
      }
    }
  }

  void finish_host() {
    using Set = decltype(Occurrences().set());
    std::map<Set, std::vector<Uid>> groups;
    for (const auto& [target, found] : targets_) {
      if (found.pages >= options_.pages_min) groups[found.set()].push_back(target);
    }
    for (auto& [set, targets] : groups) {
      if (targets.size() < options_.links_min) continue;
      std::ranges::sort(targets);
      const Occurrences& found = targets_.at(targets.front());
      patterns_.push_back(
          {host_, std::move(targets), found.pages, found.pages_last, found.captures, found.seen});
    }
    targets_.clear();
    keep_largest();
  }

  std::vector<LinkPattern> finish() {
    finish_host();
    return std::move(patterns_);
  }

 private:
  void keep_largest() {
    std::ranges::sort(patterns_, is_larger);
    if (patterns_.size() > options_.patterns_max) patterns_.resize(options_.patterns_max);
  }

  const PatternOptions& options_;
  std::string host_key_;
  std::string host_;
  std::unordered_map<Uid, Occurrences> targets_;
  std::vector<LinkPattern> patterns_;
};

}  // namespace

std::vector<LinkPattern> link_patterns(const Archive& archive, const PatternOptions& options) {
  PatternFinder finder(options);
  PageFacts facts;
  std::uint64_t pages = 0;
  archive.pages([&](Uid uid) {
    if (pages++ % kPagesBetweenChecks == 0) {
      options.scan.work.check_cancelled();
      if (options.scan.work.progress) {
        options.scan.work.progress({"comparing links", uid, archive.node_count(), "urls"});
      }
    }
    archive.page(uid, facts);
    finder.take(uid, archive.key(uid), facts);
    return true;
  });
  return finder.finish();
}

}  // namespace webstrata
