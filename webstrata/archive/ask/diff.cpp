// SPDX-License-Identifier: Apache-2.0

// Compares two times, block by block on all threads. Every node with sightings is looked up at both
// times with Archive::links_at; since links are ascending, one walk over both lists finds what
// appeared and what vanished. A page or link that exists at both times counts as kept only if it
// was seen again after the earlier time. Blocks are joined in order, so a host that spans two
// blocks gets one row.
// Tested by tests/archive/comparison_test.cpp.

#include <algorithm>
#include <array>

#include "webstrata/archive/ask/block_scan.h"
#include "webstrata/archive/ask/comparison.h"
#include "webstrata/archive/ask/page_changes.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

// The result of a block: counts by host in order, and the differences themselves if requested.
struct BlockDiff {
  struct Host {
    std::string key;  // "org,example)"
    HostDifference counts;
  };
  std::vector<Host> hosts;
  std::vector<Difference> differences;
};

void add(HostDifference& sum, const HostDifference& more) {
  sum.pages_kept += more.pages_kept;
  sum.pages_appeared += more.pages_appeared;
  sum.pages_vanished += more.pages_vanished;
  sum.pages_not_seen += more.pages_not_seen;
  sum.links_kept += more.links_kept;
  sum.links_appeared += more.links_appeared;
  sum.links_vanished += more.links_vanished;
  sum.links_not_seen += more.links_not_seen;
}

bool is_page(const PageAt& page) {
  return page.state == PageState::Present || page.state == PageState::Moved;
}

// What became of a page; empty if it is one at neither time.
std::optional<Change> change_of_page(const PageAt& before, const PageAt& after, Time t0, Time t1) {
  if (!is_page(before)) return is_page(after) ? std::optional(Change::Appeared) : std::nullopt;
  if (!is_page(after)) return Change::Vanished;
  // What decided the later state may be from long before.
  const PageAt& later = t0 <= t1 ? after : before;
  return later.since > std::min(t0, t1) ? Change::Kept : Change::NotSeen;
}

void count_page(Change change, HostDifference& counts) {
  switch (change) {
    case Change::Appeared:
      ++counts.pages_appeared;
      return;
    case Change::Vanished:
      ++counts.pages_vanished;
      return;
    case Change::Kept:
      ++counts.pages_kept;
      return;
    case Change::NotSeen:
      ++counts.pages_not_seen;
      return;
  }
}

std::string host_text(std::string_view key) {
  const auto url = url_of_key(key);
  Url parsed;
  if (!url || !parse_url(*url, parsed)) return {};
  return std::string(parsed.host());
}

class BlockDiffer {
 public:
  BlockDiffer(const Archive& archive, Time t0, Time t1, LinkKinds kinds, bool wants_differences)
      : archive_(archive), t0_(t0), t1_(t1), kinds_(kinds), wants_differences_(wants_differences) {}

  BlockDiff run(std::uint64_t block) {
    const std::vector<Uid> nodes = filled_nodes(archive_.stack(), Layer::Sightings, block);
    if (nodes.empty()) return std::move(diff_);
    read_keys(archive_.stack(), block, keys_);
    const Uid first = archive_.stack().first_node(block);
    for (const Uid node : nodes) compare(node, keys_[node - first]);
    return std::move(diff_);
  }

 private:
  void compare(Uid node, std::string_view key) {
    PageAt before = archive_.links_at(node, t0_);
    PageAt after = archive_.links_at(node, t1_);
    const auto change = change_of_page(before, after, t0_, t1_);
    if (!change) return;
    HostDifference& counts = host(key).counts;
    count_page(*change, counts);
    if (*change != Change::Kept) tell(*change, node, std::nullopt);
    // When its links were captured: that, too, may be long before.
    const PageAt& later = t0_ <= t1_ ? after : before;
    const bool links_seen_again = later.captured && *later.captured > std::min(t0_, t1_);
    compare_links(node, before.links, after.links, counts,
                  links_seen_again ? counts.links_kept : counts.links_not_seen);
  }

  // `in_both` counts the links that exist at both times.
  void compare_links(Uid node, std::vector<LinkAt>& before, std::vector<LinkAt>& after,
                     HostDifference& counts, std::uint64_t& in_both) {
    const auto is_other = [&](const LinkAt& link) { return !link.kinds.intersects(kinds_); };
    std::erase_if(before, is_other);
    std::erase_if(after, is_other);
    auto old_link = before.begin();
    auto new_link = after.begin();
    while (old_link != before.end() || new_link != after.end()) {
      if (new_link == after.end() ||
          (old_link != before.end() && old_link->node < new_link->node)) {
        ++counts.links_vanished;
        tell(Change::Vanished, node, (old_link++)->node);
      } else if (old_link == before.end() || new_link->node < old_link->node) {
        ++counts.links_appeared;
        tell(Change::Appeared, node, (new_link++)->node);
      } else {
        ++in_both;
        ++old_link;
        ++new_link;
      }
    }
  }

  void tell(Change change, Uid source, std::optional<Uid> target) {
    if (wants_differences_) diff_.differences.push_back({change, source, target});
  }

  BlockDiff::Host& host(std::string_view key) {
    const std::string_view host_key = host_of_key(key);
    if (diff_.hosts.empty() || diff_.hosts.back().key != host_key) {
      BlockDiff::Host& host = diff_.hosts.emplace_back();
      host.key = host_key;
      host.counts.host = host_text(key);
    }
    return diff_.hosts.back();
  }

  const Archive& archive_;
  Time t0_;
  Time t1_;
  LinkKinds kinds_;
  bool wants_differences_;
  KeyList keys_;
  BlockDiff diff_;
};

}  // namespace

std::string_view to_string(Change change) noexcept {
  constexpr std::array<std::string_view, 4> kNames = {"appeared", "vanished", "kept", "not_seen"};
  return kNames[static_cast<std::size_t>(change)];
}

DiffResult diff(const Archive& archive, Time t0, Time t1, const ScanOptions& options,
                const std::function<void(const Difference&)>& visit) {
  DiffResult result;
  std::string last_key;  // of the last host, which may continue in the next block
  const auto work = [&](std::uint64_t block) {
    return BlockDiffer(archive, t0, t1, options.kinds, static_cast<bool>(visit)).run(block);
  };
  const auto take = [&](BlockDiff&& block) {
    for (BlockDiff::Host& host : block.hosts) {
      add(result.total, host.counts);
      if (!result.hosts.empty() && host.key == last_key) {
        add(result.hosts.back(), host.counts);
      } else {
        last_key = host.key;
        result.hosts.push_back(std::move(host.counts));
      }
    }
    for (const Difference& difference : block.differences) visit(difference);
  };
  scan_blocks<BlockDiff>(archive, options, "comparing", work, take);
  return result;
}

std::vector<PageChange> page_changes(const Archive& archive, UidRange nodes, Time t0, Time t1,
                                     const WorkOptions& work) {
  std::vector<PageChange> all;
  const auto changes_in_block = [&](std::uint64_t block) {
    std::vector<PageChange> found;
    const UidRange own = archive.stack().nodes_of(block);
    if (own.end <= nodes.first || own.first >= nodes.end) return found;
    for (const Uid node : filled_nodes(archive.stack(), Layer::Sightings, block)) {
      if (node < nodes.first || node >= nodes.end) continue;
      const auto change =
          change_of_page(archive.links_at(node, t0), archive.links_at(node, t1), t0, t1);
      if (change) found.push_back({node, *change});
    }
    return found;
  };
  scan_blocks<std::vector<PageChange>>(
      archive, {.work = work}, "comparing", changes_in_block,
      [&](const auto& found) { all.insert(all.end(), found.begin(), found.end()); });
  return all;
}

}  // namespace webstrata
