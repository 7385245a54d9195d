// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/truth.h"

#include <algorithm>
#include <array>
#include <string>

#include "webstrata/base/error.h"
#include "webstrata/graph/levels.h"
#include "webstrata/graph/pages.h"

namespace webstrata {
namespace {

constexpr std::array<std::string_view, 5> kTargets = {"present", "moved", "unchanged", "changed",
                                                      "active"};
constexpr std::array<std::string_view, 5> kSamenesses = {"auto", "text", "payload", "links",
                                                         "text+links"};

bool compares(Target target) { return target == Target::Unchanged || target == Target::Changed; }

void add_up(Truth& truth) {
  truth.live = 0;
  truth.outcomes = {};
  for (const Finding& finding : truth.findings) {
    truth.live += finding.verdict == Verdict::Live ? 1 : 0;
    ++truth.outcomes[static_cast<std::size_t>(finding.outcome)];
  }
}

// Whether two values are the same; empty if one is missing.
template <typename Value>
std::optional<bool> same(const std::optional<Value>& a, const std::optional<Value>& b) {
  if (!a || !b) return std::nullopt;
  return *a == *b;
}

std::optional<bool> both(std::optional<bool> a, std::optional<bool> b) {
  if (a == false || b == false) return false;
  return a && b ? std::optional(true) : std::nullopt;
}

// Compares pages of two graphs that share names.
class Comparer {
 public:
  Comparer(const Snapshot& old, const Snapshot& newer, Sameness sameness)
      : old_(old), newer_(newer), sameness_(sameness) {
    const bool needs_links = sameness == Sameness::Links || sameness == Sameness::TextAndLinks;
    if (!needs_links) return;
    in_newer_.resize(old.node_count(), kNoNode);
    for (Node node = 0; node < old.node_count(); ++node) {
      in_newer_[node] = newer.find(old.name(node)).value_or(kNoNode);
    }
  }

  [[nodiscard]] std::optional<bool> are_same(Node before, Node after) const {
    const NodeColumns& a = old_.node_columns();
    const NodeColumns& b = newer_.node_columns();
    const auto text = same(a.text_digest[before], b.text_digest[after]);
    const auto payload = same(a.digest[before], b.digest[after]);
    switch (sameness_) {
      case Sameness::Auto:
        return text ? text : payload;
      case Sameness::Text:
        return text;
      case Sameness::Payload:
        return payload;
      case Sameness::Links:
        return same_targets(before, after);
      case Sameness::TextAndLinks:
        return both(text ? text : payload, same_targets(before, after));
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool same_targets(Node before, Node after) const {
    const auto links = newer_.successors(after);
    if (old_.out_degree(before) != links.size()) return false;
    return std::ranges::all_of(old_.successors(before), [&](Node target) {
      return std::ranges::binary_search(links, in_newer_[target]);
    });
  }

  const Snapshot& old_;
  const Snapshot& newer_;
  Sameness sameness_;
  std::vector<Node> in_newer_;  // for each node of `old`; kNoNode if it is not there
};

void check_columns(const Snapshot& graph, Sameness sameness) {
  const NodeColumns& columns = graph.node_columns();
  if (sameness != Sameness::Links && columns.text_digest.empty() && columns.digest.empty()) {
    throw Error(ErrorKind::BadInput,
                "the graph knows no content of its pages: only archives tell what changed");
  }
}

// Present in the newer graph without an outcome of its own: a graph file.
Outcome outcome_in(const Snapshot& newer, std::optional<Node> node) {
  if (!node || !is_page(newer, *node)) return Outcome::Gone;
  return newer.node_columns().outcome[*node].value_or(Outcome::Alive);
}

}  // namespace

std::string_view to_string(Target target) noexcept {
  return kTargets[static_cast<std::size_t>(target)];
}
std::optional<Target> parse_target(std::string_view name) noexcept {
  const auto place = std::ranges::find(kTargets, name);
  if (place == kTargets.end()) return std::nullopt;
  return static_cast<Target>(place - kTargets.begin());
}
std::optional<Sameness> parse_sameness(std::string_view name) noexcept {
  const auto place = std::ranges::find(kSamenesses, name);
  if (place == kSamenesses.end()) return std::nullopt;
  return static_cast<Sameness>(place - kSamenesses.begin());
}

Verdict verdict_of(Outcome outcome, Target target) noexcept {
  switch (outcome) {
    case Outcome::Alive:
      return Verdict::Live;
    case Outcome::Moved:
      return target == Target::Moved ? Verdict::Live : Verdict::Dead;
    case Outcome::Gone:
    case Outcome::SoftGone:
      return Verdict::Dead;
    default:
      return Verdict::Undecided;
  }
}

Truth truth_of(const Population& pages, const Snapshot& old, const Snapshot& newer,
               const TruthOptions& options) {
  if (options.target == Target::Active) {
    throw Error(ErrorKind::BadInput, "what is active needs a list of urls and times as its truth");
  }
  const bool is_comparing = compares(options.target);
  if (is_comparing) {
    check_columns(old, options.same);
    check_columns(newer, options.same);
  }
  const Comparer comparer(old, newer, is_comparing ? options.same : Sameness::Auto);
  Truth truth;
  for (Node page = 0; page < pages.size(); ++page) {
    const auto found = newer.find(pages.graph.name(page));
    const Outcome outcome = outcome_in(newer, found);
    Verdict verdict = verdict_of(outcome, options.target);
    if (is_comparing && verdict == Verdict::Live) {
      const auto is_same = comparer.are_same(pages.origin[page], *found);
      const bool wanted = options.target == Target::Unchanged;
      verdict = !is_same ? Verdict::Undecided : *is_same == wanted ? Verdict::Live : Verdict::Dead;
    }
    truth.findings.push_back({page, outcome, verdict});
  }
  add_up(truth);
  return truth;
}

TruthList::TruthList(const Population& pages, const TruthOptions& options)
    : pages_(pages), options_(options), is_named_(pages.size()), active_(pages.size()) {
  if (compares(options.target)) {
    throw Error(ErrorKind::BadInput,
                "a list of urls cannot tell what changed: give a newer graph as the truth");
  }
  for (Node page = 0; page < pages.size(); ++page) truth_.findings.push_back({page, {}, {}});
}

void TruthList::add(const TruthLine& line) {
  if (line.active) latest_ = std::max(latest_, *line.active);
  const auto page = pages_.graph.find(line.url);
  if (!page) {
    ++truth_.unknown_urls;
    return;
  }
  Finding& finding = truth_.findings[*page];
  if (is_named_[*page] != 0) {
    const bool agrees = finding.outcome == line.outcome && active_[*page] == line.active;
    ++(agrees ? truth_.repeated : truth_.contradicting);
    return;
  }
  is_named_[*page] = 1;
  finding.outcome = line.outcome;
  active_[*page] = line.active;
}

Truth TruthList::finish(Outcome otherwise) {
  for (Finding& finding : truth_.findings) {
    if (is_named_[finding.page] == 0) finding.outcome = otherwise;
    finding.verdict = verdict_of(finding.outcome, options_.target);
    if (options_.target != Target::Active || finding.verdict != Verdict::Live) continue;
    const auto active = active_[finding.page];
    if (!active) ++truth_.without_activity;
    const bool is_active = active && *active >= latest_ - options_.active_within;
    finding.verdict = is_active ? Verdict::Live : Verdict::Dead;
  }
  add_up(truth_);
  return std::move(truth_);
}

}  // namespace webstrata
