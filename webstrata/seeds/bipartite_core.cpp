// SPDX-License-Identifier: Apache-2.0

// Each side keeps a heap of candidates by score, and for each candidate the number of members that
// it is linked with: so the links that it would add are known before it joins, and nothing has to
// be rolled back. A candidate that would break the density stays on top of its heap: at a density
// below 100 the other side may make room for it.
//
// Tested by tests/seeds/bipartite_core_test.cpp.

#include "webstrata/seeds/bipartite_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// One side of a core, hubs or authorities, with those that could join it.
class Side {
 public:
  Side(std::span<const double> scores, std::vector<Node>& members)
      : scores_(scores), members_(members) {}

  // A member of the other side is linked with `node`.
  void add_link(Node node) {
    const auto [place, is_new] = candidates_.try_emplace(node);
    if (is_new) heap_.push({scores_[node], node});
    ++place->second;
  }

  // The best that is not a member yet.
  [[nodiscard]] std::optional<Node> best() const {
    if (heap_.empty()) return std::nullopt;
    return heap_.top().node;
  }
  // Links between it and the members of the other side.
  [[nodiscard]] std::uint64_t links_of_best() const {
    return candidates_.find(heap_.top().node)->second;
  }
  Node take_best() {
    const Node node = heap_.top().node;
    heap_.pop();
    members_.push_back(node);
    return node;
  }
  // The first authority has no links yet.
  void begin_with(Node node) {
    members_.push_back(node);
    candidates_.emplace(node, 0);  // it is in no heap, so it never joins twice
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return members_.size(); }

 private:
  struct Candidate {
    double score;
    Node node;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.score != b.score ? a.score < b.score : a.node > b.node;
    }
  };

  std::span<const double> scores_;
  std::vector<Node>& members_;
  std::unordered_map<Node, std::uint64_t> candidates_;  // with the number of their links
  std::priority_queue<Candidate> heap_;
};

class CoreGrower {
 public:
  CoreGrower(const Snapshot& graph, const CoreScores& scores, const CoreOptions& options)
      : graph_(graph),
        scores_(scores),
        options_(options),
        hubs_(scores.hubs, core_.hubs),
        authorities_(scores.authorities, core_.authorities) {}

  BipartiteCore grow() {
    const std::optional<Node> first = best_authority();
    if (!first) return std::move(core_);
    authorities_.begin_with(*first);
    offer_hubs(*first);
    core_.end = options_.size > 0               ? grow_to_size()
                : options_.keep_breaking_member ? grow_until_not_dense()
                                                : grow_while_dense();
    return std::move(core_);
  }

 private:
  enum class Step : std::uint8_t { Joined, Capped, NoCandidates, Breaks };

  [[nodiscard]] bool is_there(Node node) const {
    return scores_.removed.empty() || scores_.removed[node] == 0;
  }
  [[nodiscard]] bool counts(Node source, Node target) const {
    return source != target && is_there(source) && is_there(target);
  }
  [[nodiscard]] bool is_linked_to(Node node) const {
    return std::ranges::any_of(graph_.predecessors(node),
                               [&](Node source) { return counts(source, node); });
  }

  [[nodiscard]] std::optional<Node> best_authority() const {
    std::optional<Node> best;
    for (Node node = 0; node < graph_.node_count(); ++node) {
      const bool is_better =
          is_there(node) && (!best || scores_.authorities[node] > scores_.authorities[*best]);
      if (is_better && is_linked_to(node)) best = node;
    }
    return best;
  }

  void offer_hubs(Node authority) {
    for (const Node source : graph_.predecessors(authority)) {
      if (counts(source, authority)) hubs_.add_link(source);
    }
  }
  void offer_authorities(Node hub) {
    for (const Node target : graph_.successors(hub)) {
      if (counts(hub, target)) authorities_.add_link(target);
    }
  }

  void join_hub() {
    core_.link_count += hubs_.links_of_best();
    offer_authorities(hubs_.take_best());
  }
  void join_authority() {
    core_.link_count += authorities_.links_of_best();
    offer_hubs(authorities_.take_best());
  }

  [[nodiscard]] bool is_dense(std::uint64_t links, std::uint64_t hubs,
                              std::uint64_t authorities) const {
    return 100 * static_cast<double>(links) >=
           options_.cover_density * static_cast<double>(hubs) * static_cast<double>(authorities);
  }
  [[nodiscard]] bool is_capped() const {
    return options_.hubs_max > 0 && hubs_.size() >= options_.hubs_max;
  }

  // ---- a fixed size -----------------------------------------------------------------------------

  [[nodiscard]] bool is_full() const {
    return options_.size > 0 && hubs_.size() + authorities_.size() >= options_.size;
  }

  // The body of both loops of the paper: hubs, then authorities. False if nobody joined.
  bool grow_both_sides() {
    bool grew = false;
    for (std::uint32_t i = 0; i < options_.new_member_count; ++i) {
      if (is_full() || is_capped() || !hubs_.best()) break;
      join_hub();
      grew = true;
    }
    for (std::uint32_t i = 0; i < options_.new_member_count; ++i) {
      if (is_full() || !authorities_.best()) break;
      join_authority();
      grew = true;
    }
    return grew;
  }
  [[nodiscard]] CoreEnd end_without_members() const {
    return is_capped() && hubs_.best() ? CoreEnd::HubCap : CoreEnd::NoCandidates;
  }

  CoreEnd grow_to_size() {
    while (!is_full() && grow_both_sides()) {
    }
    return is_full() ? CoreEnd::Size : end_without_members();
  }

  // ---- a fixed density --------------------------------------------------------------------------

  Step try_hub() {
    if (!hubs_.best()) return Step::NoCandidates;
    if (is_capped()) return Step::Capped;
    const std::uint64_t links = core_.link_count + hubs_.links_of_best();
    if (!is_dense(links, hubs_.size() + 1, authorities_.size())) return Step::Breaks;
    join_hub();
    return Step::Joined;
  }

  Step try_authority() {
    if (!authorities_.best()) return Step::NoCandidates;
    const std::uint64_t links = core_.link_count + authorities_.links_of_best();
    if (!is_dense(links, hubs_.size(), authorities_.size() + 1)) return Step::Breaks;
    join_authority();
    return Step::Joined;
  }

  [[nodiscard]] bool ends_core(Step step) const {
    return options_.growth == CoreGrowth::Lockstep &&
           (step == Step::Breaks || step == Step::Capped);
  }

  static CoreEnd end_of(Step hub, Step authority) {
    if (hub == Step::Capped) return CoreEnd::HubCap;
    const bool is_broken = hub == Step::Breaks || authority == Step::Breaks;
    return is_broken ? CoreEnd::Density : CoreEnd::NoCandidates;
  }

  CoreEnd grow_while_dense() {
    while (true) {
      const Step hub = try_hub();
      if (ends_core(hub)) return end_of(hub, Step::NoCandidates);
      const Step authority = try_authority();
      if (ends_core(authority)) return end_of(Step::NoCandidates, authority);
      if (hub != Step::Joined && authority != Step::Joined) return end_of(hub, authority);
    }
  }

  // Figure 2 of the paper: both sides grow, then the density is looked at. Those who broke it stay.
  CoreEnd grow_until_not_dense() {
    while (grow_both_sides()) {
      if (!is_dense(core_.link_count, hubs_.size(), authorities_.size())) return CoreEnd::Density;
    }
    return end_without_members();
  }

  const Snapshot& graph_;
  const CoreScores& scores_;
  const CoreOptions& options_;
  BipartiteCore core_;
  Side hubs_;
  Side authorities_;
};

void check_sizes(const Snapshot& graph, const CoreScores& scores) {
  const std::size_t nodes = graph.node_count();
  const bool fits = scores.hubs.size() == nodes && scores.authorities.size() == nodes &&
                    (scores.removed.empty() || scores.removed.size() == nodes);
  if (fits) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("scores of cores: {} hubs and {} authorities for {} nodes",
                          scores.hubs.size(), scores.authorities.size(), nodes));
}

}  // namespace

std::string_view to_string(CoreGrowth growth) noexcept {
  return growth == CoreGrowth::Either ? "either" : "lockstep";
}

std::optional<CoreGrowth> parse_core_growth(std::string_view name) noexcept {
  for (const CoreGrowth growth : {CoreGrowth::Either, CoreGrowth::Lockstep}) {
    if (to_string(growth) == name) return growth;
  }
  return std::nullopt;
}

std::string_view to_string(CoreEnd end) noexcept {
  switch (end) {
    case CoreEnd::Size:
      return "size";
    case CoreEnd::Density:
      return "density";
    case CoreEnd::HubCap:
      return "hub-cap";
    case CoreEnd::NoCandidates:
      return "no-candidates";
    case CoreEnd::NoLinks:
      return "no-links";
  }
  return "";
}

void check(const CoreOptions& options) {
  if (!(options.cover_density > 0 && options.cover_density <= 100)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("cover density {}: not above 0 and up to 100", options.cover_density));
  }
  if (options.size == 1) throw Error(ErrorKind::BadInput, "core size 1: two or more, or 0");
  if (options.new_member_count == 0) {
    throw Error(ErrorKind::BadInput, "new members in a turn: at least 1");
  }
}

double BipartiteCore::cover_density() const noexcept {
  if (hubs.empty() || authorities.empty()) return 0;
  return 100 * static_cast<double>(link_count) /
         (static_cast<double>(hubs.size()) * static_cast<double>(authorities.size()));
}

BipartiteCore grow_core(const Snapshot& graph, const CoreScores& scores,
                        const CoreOptions& options) {
  check(options);
  check_sizes(graph, scores);
  return CoreGrower(graph, scores, options).grow();
}

}  // namespace webstrata
