// SPDX-License-Identifier: Apache-2.0

// Both scan block by block and skip the blocks outside their range. Links into a host are found in
// two steps: the lists of in-links say which pages have them, and then each of these pages is read
// once. Asking for the history of each link by itself would read a page as often as it has links
// into the host. Names of the other ends are remembered within a block, since the pages of a site
// share most of their targets.
// Tested by tests/serve/wide_scans_test.cpp.

#include "webstrata/serve/ask/wide_scans.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "webstrata/archive/ask/block_scan.h"
#include "webstrata/serve/ask/years.h"
#include "webstrata/url/host.h"
#include "webstrata/url/url.h"

namespace webstrata::serve {
namespace {

std::string group_name(const std::string& href, bool by_domain) {
  Url url;
  if (!parse_url(href, url) || url.host().empty()) return "";
  const std::string_view domain = by_domain ? registered_domain(url.host()) : std::string_view();
  return std::string(domain.empty() ? url.host() : domain);
}

// How the count of links changes from year to year (modulo 2^64): a life costs the same however
// long it is.
using YearChanges = std::map<int, std::uint64_t>;

YearChanges counts_of(const YearChanges& changes) {
  YearChanges counts;
  std::uint64_t count = 0;
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    count += change->second;
    if (count == 0) continue;
    const int end = std::next(change)->first;  // there is one: every life ends
    for (int year = change->first; year < end; ++year) counts.emplace_hint(counts.end(), year, count);
  }
  return counts;
}

// In `years` it counts the changes.
void add_life(LinkGroup& group, const LinkHistory& life) {
  ++group.links;
  group.first = std::min(group.first, life.first);
  group.last = std::max(group.last, life.last);
  ++group.years[year_of_time(life.first)];
  --group.years[year_of_time(life.last) + 1];
}

void add_groups(LinkGroups& into, const LinkGroups& more) {
  for (const auto& [name, group] : more) {
    LinkGroup& sum = into[name];
    sum.links += group.links;
    sum.first = std::min(sum.first, group.first);
    sum.last = std::max(sum.last, group.last);
    for (const auto& [year, count] : group.years) sum.years[year] += count;
  }
}

// Adds lives to the groups of their other ends.
class GroupCounter {
 public:
  GroupCounter(const Archive& archive, const GroupQuestion& question)
      : archive_(archive), question_(question) {}

  void add(Uid other, const LinkHistory& life) {
    if (!life.kinds.intersects(question_.kinds)) return;
    const auto [known, is_new] = groups_of_nodes_.try_emplace(other, nullptr);
    if (is_new) {
      const std::string name = group_name(archive_.url(other), question_.by_domain);
      if (!name.empty()) known->second = &groups_[name];
    }
    if (known->second) add_life(*known->second, life);
  }

  LinkGroups take() {
    for (auto& [name, group] : groups_) group.years = counts_of(group.years);
    return std::move(groups_);
  }

 private:
  const Archive& archive_;
  const GroupQuestion& question_;
  LinkGroups groups_;
  std::unordered_map<Uid, LinkGroup*> groups_of_nodes_;  // null: its URL has no host
};

UidRange common_part(const UidRange& a, const UidRange& b) {
  return {std::max(a.first, b.first), std::min(a.end, b.end)};
}

LinkGroups groups_from(const Archive& archive, const GroupQuestion& question,
                       const UidRange& sources) {
  GroupCounter counter(archive, question);
  for (Uid source = sources.first; source < sources.end; ++source) {
    for (const LinkHistory& life : archive.history(source, Direction::Out, question.during)) {
      counter.add(life.target, life);
    }
  }
  return counter.take();
}

// Which nodes link to one of a range.
std::vector<bool> sources_of_links(const Archive& archive, const GroupQuestion& question,
                                   const WorkOptions& work) {
  constexpr Uid kNodesPerCheck = 1024;
  std::vector<bool> found(archive.node_count());
  for (Uid node = question.nodes.first; node < question.nodes.end; ++node) {
    if (node % kNodesPerCheck == 0) work.check_cancelled();
    const auto some = question.during ? archive.links(node, *question.during, Direction::In)
                                      : archive.links(node, Direction::In);
    for (const Uid source : some) found[source] = true;
  }
  return found;
}

LinkGroups groups_into(const Archive& archive, const GroupQuestion& question,
                       const std::vector<bool>& is_source, const UidRange& sources) {
  GroupCounter counter(archive, question);
  for (Uid source = sources.first; source < sources.end; ++source) {
    if (!is_source[source]) continue;
    for (const LinkHistory& life : archive.history(source, Direction::Out, question.during)) {
      const bool is_inside =
          life.target >= question.nodes.first && life.target < question.nodes.end;
      if (is_inside) counter.add(source, life);
    }
  }
  return counter.take();
}

}  // namespace

LinkGroups link_groups(const Archive& archive, const GroupQuestion& question,
                       const WorkOptions& work) {
  const bool is_out = question.direction == Direction::Out;
  const std::vector<bool> is_source =
      is_out ? std::vector<bool>() : sources_of_links(archive, question, work);
  LinkGroups groups;
  scan_blocks<LinkGroups>(
      archive, {.work = work}, "counting links",
      [&](std::uint64_t block) {
        const UidRange nodes = archive.stack().nodes_of(block);
        return is_out ? groups_from(archive, question, common_part(nodes, question.nodes))
                      : groups_into(archive, question, is_source, nodes);
      },
      [&](const LinkGroups& found) { add_groups(groups, found); });
  return groups;
}

LinkGroups link_groups(const Archive& archive, std::span<const Uid> nodes,
                       const GroupQuestion& question) {
  GroupCounter counter(archive, question);
  for (const Uid node : nodes) {
    for (const LinkHistory& life : archive.history(node, question.direction, question.during)) {
      counter.add(question.direction == Direction::In ? life.source : life.target, life);
    }
  }
  return counter.take();
}

ChurnSums churn_sums(const Archive& archive, UidRange nodes, const WorkOptions& work) {
  ChurnSums sums;
  scan_blocks<LinkChurn>(
      archive, {.work = work}, "counting births and deaths",
      [&](std::uint64_t block) {
        const UidRange some = common_part(archive.stack().nodes_of(block), nodes);
        std::vector<Uid> uids(some.empty() ? 0 : some.end - some.first);
        std::iota(uids.begin(), uids.end(), some.first);
        return link_churn(archive, uids);
      },
      [&](const LinkChurn& found) {
        sums.pages += found.pages.size();
        for (const auto& [name, month] : found.months) {
          LinkChurn::Month& sum = sums.months[name];
          sum.captures += month.captures;
          sum.new_pages += month.new_pages;
          sum.births += month.births;
          sum.deaths += month.deaths;
        }
      });
  return sums;
}

}  // namespace webstrata::serve
