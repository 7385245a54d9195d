// SPDX-License-Identifier: Apache-2.0

// Candidates come from lookups, never from comparing all pairs: the redirects of the page in the
// newer graph, tables of digests and titles in the newer graph (ignored if too many pages share
// one), and the sources of the page's targets that still exist. A page is used as a replacement
// only once.
// Tested by tests/seeds/replacement_test.cpp.

#include "webstrata/seeds/replacement.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "webstrata/base/error.h"
#include "webstrata/seeds/survival.h"

namespace webstrata {
namespace {

constexpr int kRedirectsMax = 5;  // of one page to the next

// The similarity of two ascending lists.
struct Overlap {
  std::size_t shared = 0;
  double similarity = 0;  // Jaccard's: shared / all
};

Overlap overlap(std::span<const Node> a, std::span<const Node> b) {
  Overlap found;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) ++found.shared;
    const bool steps_a = a[i] <= b[j];
    const bool steps_b = b[j] <= a[i];
    i += steps_a ? 1 : 0;
    j += steps_b ? 1 : 0;
  }
  const std::size_t all = a.size() + b.size() - found.shared;
  if (all > 0) found.similarity = static_cast<double>(found.shared) / static_cast<double>(all);
  return found;
}

using Fingerprints = Column<std::uint64_t>;

// Pages of one graph by content or title.
class Twins {
 public:
  Twins(const Snapshot& graph, const Fingerprints& column) {
    if (column.empty()) return;
    for (const Node node : pages_of(graph)) {
      if (const auto value = column[node]) by_value_[*value].push_back(node);
    }
  }
  [[nodiscard]] std::span<const Node> of(std::optional<std::uint64_t> value) const {
    const auto found = value ? by_value_.find(*value) : by_value_.end();
    if (found == by_value_.end()) return {};
    return found->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::vector<Node>> by_value_;
};

class Replacer {
 public:
  Replacer(const Snapshot& old, const Snapshot& newer, const ReplacementOptions& options)
      : old_(old),
        newer_(newer),
        options_(options),
        by_content_(newer, newer.node_columns().digest),
        by_title_(newer, newer.node_columns().title) {}

  void take(Node node) { taken_.insert(node); }

  Replacement replace(Node vanished) {
    Replacement found{vanished, std::nullopt, ReplacedBy::Nothing, 0};
    links_ = links_in_newer(vanished);
    found.node = redirect_of(vanished);
    if (found.node) found.reason = ReplacedBy::Redirect;
    if (!found.node)
      try_twins(by_content_.of(old_.node_columns().digest[vanished]), ReplacedBy::Content, found);
    if (!found.node)
      try_twins(by_title_.of(old_.node_columns().title[vanished]), ReplacedBy::Title, found);
    if (!found.node) try_links(found);
    if (found.node) take(*found.node);
    return found;
  }

 private:
  [[nodiscard]] bool is_free(Node node) const {
    return is_page(newer_, node) && newer_.node_columns().outcome[node] != Outcome::Moved &&
           !taken_.contains(node);
  }

  // The targets of the page that still exist; ascending.
  [[nodiscard]] std::vector<Node> links_in_newer(Node vanished) const {
    std::vector<Node> links;
    for (const Node target : old_.successors(vanished)) {
      if (const auto found = newer_.find(old_.name(target))) links.push_back(*found);
    }
    std::ranges::sort(links);
    return links;
  }

  // Where a page moved to: its redirect or, if kinds are unknown, its only link.
  [[nodiscard]] std::optional<Node> next_hop(Node moved) const {
    const auto targets = newer_.successors(moved);
    const auto& kinds = newer_.link_columns().kinds;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const auto its_kinds = kinds[newer_.first_link(moved) + i];
      if (its_kinds ? its_kinds->has(LinkKind::Redirect) : targets.size() == 1) return targets[i];
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Node> redirect_of(Node vanished) const {
    std::optional<Node> node = newer_.find(old_.name(vanished));
    for (int hop = 0; hop < kRedirectsMax && node; ++hop) {
      if (newer_.node_columns().outcome[*node] != Outcome::Moved) break;
      node = next_hop(*node);
      if (node && is_free(*node)) return node;
    }
    return std::nullopt;
  }

  // The one among `candidates` whose links are most like those of the page.
  [[nodiscard]] Replacement most_similar(std::span<const Node> candidates) const {
    Replacement best;
    for (const Node node : candidates) {
      if (!is_free(node)) continue;
      const double similarity = overlap(links_, newer_.successors(node)).similarity;
      if (best.node && similarity <= best.similarity) continue;
      best.node = node;
      best.similarity = similarity;
    }
    return best;
  }

  void try_twins(std::span<const Node> twins, ReplacedBy reason, Replacement& found) const {
    if (twins.size() > options_.twins_max) return;
    found.node = most_similar(twins).node;
    if (found.node) found.reason = reason;
  }

  // Pages that share at least one link that is not on every page; ascending.
  [[nodiscard]] std::vector<Node> sources_of_links() const {
    std::vector<Node> sources;
    for (const Node target : links_) {
      if (newer_.in_degree(target) > options_.sources_max) continue;
      const auto more = newer_.predecessors(target);
      sources.insert(sources.end(), more.begin(), more.end());
    }
    std::ranges::sort(sources);
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return sources;
  }

  void try_links(Replacement& found) const {
    const Replacement best = most_similar(sources_of_links());
    if (!best.node || best.similarity < options_.similarity_min) return;
    found.node = best.node;
    found.similarity = best.similarity;
    found.reason = ReplacedBy::Links;
  }

  const Snapshot& old_;
  const Snapshot& newer_;
  const ReplacementOptions& options_;
  Twins by_content_;
  Twins by_title_;
  std::unordered_set<Node> taken_;
  std::vector<Node> links_;  // of the page that is being replaced
};

}  // namespace

std::string_view to_string(ReplacedBy reason) noexcept {
  switch (reason) {
    case ReplacedBy::Nothing:
      return "nothing";
    case ReplacedBy::Redirect:
      return "redirect";
    case ReplacedBy::Content:
      return "same content";
    case ReplacedBy::Title:
      return "same title";
    case ReplacedBy::Links:
      return "similar links";
  }
  return "";
}

std::vector<Replacement> replace_vanished(const Snapshot& old, const Snapshot& newer,
                                          std::span<const Node> vanished,
                                          std::span<const Node> taken,
                                          const ReplacementOptions& options) {
  if (!old.has_names() || !newer.has_names()) {
    throw Error(
        ErrorKind::BadInput,
        "replacing seeds: both graphs need names to find the same pages; give a file of URLs");
  }
  if (!(options.similarity_min > 0 && options.similarity_min <= 1)) {
    throw Error(ErrorKind::BadInput, "similarity of links: above 0 and up to 1");
  }
  Replacer replacer(old, newer, options);
  for (const Node node : taken) replacer.take(node);
  std::vector<Replacement> result;
  for (const Node node : vanished) result.push_back(replacer.replace(node));
  return result;
}

}  // namespace webstrata
