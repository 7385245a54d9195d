// SPDX-License-Identifier: Apache-2.0

// What LiveRank is measured against: for every page of the old graph, what a test of it finds.
//
// A test has an outcome (alive, moved, gone, blocked, unreachable …) and a verdict. The verdict
// depends on the target: the same page can be live for `present` and not for `unchanged`. Sources
// of truth are
//
// - a newer graph. A page is found there by its name, and its outcome column decides; in a graph
//   file without outcomes every page is alive. A page that the newer graph does not have counts as
//   gone: this is the papers' assumption, and it is right only if the newer crawl looked for all
//   pages. `absent` counts these.
// - a list of URLs with what was found at each. The first line about a URL holds; later ones that
//   disagree are counted.
//
// Rules that keep the numbers honest:
// - A refusal or a silence is not a death: the verdict is undecided. Outcomes are counted apart
// from   verdicts, and hosts without an address again separately.
// - Unchanged and changed compare content. If a digest is missing on either side the comparison
// has   no answer, and the verdict is undecided. Unless options say otherwise the digest of the
// visible   text is compared, and that of the payload where there is none.
// - Links are compared by name, because uids of two graphs have nothing in common.
//
// A truth is complete before the first test. An Oracle hands it out one test at a time and counts,
// so that a planner cannot see more than it paid for.
//
// Literature: the LiveRank papers, docs/METHODS.md. Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/truth.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "webstrata/base/checksum.h"
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
    truth.no_host += finding.no_host ? 1 : 0;
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
                "the graph has no content of its pages: only an archive shows what changed");
  }
}

// Present in the newer graph without an outcome of its own: a graph file.
Outcome outcome_in(const Snapshot& newer, std::optional<Node> node) {
  if (!node || !is_page(newer, *node)) return Outcome::Gone;
  return newer.node_columns().outcome[*node].value_or(Outcome::Alive);
}

std::optional<Time> last_capture(const Snapshot& old, Node node) {
  const auto& column = old.node_columns().last_capture;
  return column.empty() ? std::nullopt : column[node];
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
               const TruthOptions& options, const LookAgain& look_again) {
  if (options.target == Target::Active) {
    throw Error(ErrorKind::BadInput,
                "the target active needs a list of URLs and times as its truth");
  }
  if (pages_of(newer).empty()) {
    throw Error(ErrorKind::BadInput,
                "the truth is empty: the newer graph has no pages, so it says nothing about any");
  }
  const bool is_comparing = compares(options.target);
  if (is_comparing) {
    check_columns(old, options.same);
    check_columns(newer, options.same);
  }
  const Comparer comparer(old, newer, is_comparing ? options.same : Sameness::Auto);
  Truth truth;
  std::uint64_t compared = 0;
  std::uint64_t not_comparable = 0;
  for (Node page = 0; page < pages.size(); ++page) {
    const auto found = newer.find(pages.graph.name(page));
    const bool is_absent = !found || !is_page(newer, *found);
    Outcome outcome = outcome_in(newer, found);
    if (look_again) {
      const LaterLooks looks =
          look_again(pages.graph.name(page), last_capture(old, pages.origin[page]));
      if (looks.count > 0 && !looks.decided) outcome = looks.last;
      // An index line or a redirect without links: seen, but no page of the graph.
      if (is_absent && looks.decided) outcome = *looks.decided;
      truth.absent += is_absent && looks.count == 0 ? 1 : 0;
      truth.not_looked_at += !is_absent && looks.count == 0 ? 1 : 0;
    } else {
      truth.absent += is_absent ? 1 : 0;
    }
    Verdict verdict = verdict_of(outcome, options.target);
    if (is_comparing && verdict == Verdict::Live && is_absent) verdict = Verdict::Undecided;
    if (is_comparing && verdict == Verdict::Live) {
      const auto is_same = comparer.are_same(pages.origin[page], *found);
      const bool wanted = options.target == Target::Unchanged;
      ++(is_same ? compared : not_comparable);
      verdict = !is_same ? Verdict::Undecided : *is_same == wanted ? Verdict::Live : Verdict::Dead;
    }
    truth.findings.push_back({page, outcome, verdict});
    if (outcome != Outcome::Moved || is_absent) continue;
    auto& targets = truth.moved_to[page];
    for (const Node target : newer.successors(*found)) targets.push_back(newer.name(target));
  }
  if (compared == 0 && not_comparable > 0) {
    throw Error(ErrorKind::BadInput,
                "no page has a digest of its content in both graphs, so nothing shows what "
                "changed: compare links instead, or build the archive with digests");
  }
  add_up(truth);
  return truth;
}

std::uint64_t Truth::redirect_targets() const {
  std::set<std::string_view> distinct;
  for (const auto& [page, targets] : moved_to) distinct.insert(targets.begin(), targets.end());
  return distinct.size();
}

std::uint64_t Truth::redirect_targets_of(std::span<const Node> tested) const {
  std::set<std::string_view> distinct;
  for (const Node page : tested) {
    const auto targets = moved_to.find(page);
    if (targets == moved_to.end()) continue;
    distinct.insert(targets->second.begin(), targets->second.end());
  }
  return distinct.size();
}

ActivityClasses activity_classes(const Truth& truth) {
  ActivityClasses classes;
  for (std::size_t page = 0; page < truth.active.size(); ++page) {
    const Finding& finding = truth.findings[page];
    if (truth.active[page]) {
      ++classes.once;
    } else if (finding.outcome == Outcome::Alive) {
      ++classes.never;
    } else {
      ++(finding.verdict == Verdict::Dead ? classes.gone : classes.unknown);
    }
  }
  return classes;
}

AnswerJudge::AnswerJudge(const Population& pages, const TruthOptions& options)
    : pages_(pages), options_(options) {}

std::optional<bool> AnswerJudge::is_same(Node page, const TruthLine& line) const {
  if (line.is_same || line.digest.empty()) return line.is_same;
  const NodeColumns& columns = pages_.graph.node_columns();
  const std::optional<std::uint64_t> digest = checksum64(line.digest);
  const auto text = same(columns.text_digest[page], digest);
  const auto payload = same(columns.digest[page], digest);
  switch (options_.same) {
    case Sameness::Auto:
      return text == true || payload == true ? std::optional(true) : text ? text : payload;
    case Sameness::Text:
      return text;
    case Sameness::Payload:
      return payload;
    default:
      return std::nullopt;  // a digest says nothing about links
  }
}

Finding AnswerJudge::judge(Node page, const TruthLine& line, Time latest) const {
  if (line.no_host) return {page, Outcome::Unreachable, Verdict::Dead, true};
  Finding finding{page, line.outcome, verdict_of(line.outcome, options_.target)};
  if (finding.verdict != Verdict::Live) return finding;
  if (options_.target == Target::Active) {
    const bool is_active = line.active && *line.active >= latest - options_.active_within;
    finding.verdict = is_active ? Verdict::Live : Verdict::Dead;
  } else if (compares(options_.target)) {
    const auto same = is_same(page, line);
    const bool wanted = options_.target == Target::Unchanged;
    finding.verdict = !same ? Verdict::Undecided : *same == wanted ? Verdict::Live : Verdict::Dead;
  }
  return finding;
}

TruthList::TruthList(const Population& pages, const TruthOptions& options)
    : pages_(pages),
      options_(options),
      judge_(pages, options),
      lines_(pages.size()),
      is_named_(pages.size()) {}

void TruthList::add(const TruthLine& line) {
  is_empty_ = false;
  if (line.active) latest_ = std::max(latest_, *line.active);
  const auto page = pages_.graph.find(line.url);
  if (!page) {
    ++truth_.unknown_urls;
    return;
  }
  TruthLine kept{{}, line.outcome, line.active, judge_.is_same(*page, line), {}, line.no_host, {}};
  TruthLine& before = lines_[*page];
  if (is_named_[*page] != 0) {
    const bool agrees = before.outcome == kept.outcome && before.active == kept.active &&
                        before.is_same == kept.is_same && before.no_host == kept.no_host;
    ++(agrees ? truth_.repeated : truth_.contradicting);
    return;
  }
  is_named_[*page] = 1;
  before = kept;
  if (line.outcome != Outcome::Moved || line.moved_to.empty()) return;
  truth_.moved_to[*page] = {std::string(line.moved_to)};
}

Truth TruthList::finish(Outcome otherwise) {
  if (is_empty_) {
    throw Error(ErrorKind::BadInput,
                "the truth is empty: a list without URLs says nothing about any page");
  }
  const auto tells_sameness = [](const TruthLine& line) { return line.is_same.has_value(); };
  if (compares(options_.target) && std::ranges::none_of(lines_, tells_sameness)) {
    throw Error(ErrorKind::BadInput,
                "the list does not say what changed: it needs the words changed and unchanged, or "
                "digests; or give a newer graph as the truth");
  }
  for (Node page = 0; page < pages_.size(); ++page) {
    TruthLine& line = lines_[page];
    if (is_named_[page] == 0) line.outcome = otherwise;
    truth_.findings.push_back(judge_.judge(page, line, latest_));
    const bool is_there = verdict_of(line.outcome, options_.target) == Verdict::Live;
    if (options_.target == Target::Active) {
      if (is_there && !line.active) ++truth_.without_activity;
      truth_.active.push_back(line.active);
    }
  }
  add_up(truth_);
  return std::move(truth_);
}

}  // namespace webstrata
