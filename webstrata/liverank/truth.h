// SPDX-License-Identifier: Apache-2.0

// What became of the pages: the truth that an Oracle hands out, one test at a time.
//
//   const Truth truth = truth_of(pages, old, newer, {.target = Target::Unchanged});
//   Oracle oracle(truth.ask());
//
// It comes from a newer graph, or from a list of URLs with what was found there.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/liverank/oracle.h"
#include "webstrata/liverank/population.h"

namespace webstrata {

// What is looked for.
enum class Target : std::uint8_t {
  Present,    // the page is there
  Moved,      // there, or moved
  Unchanged,  // there, and the same as before
  Changed,    // there, and not the same
  Active,     // something happened there recently (only for a list with times)
};
std::string_view to_string(Target target) noexcept;
std::optional<Target> parse_target(std::string_view name) noexcept;

// What must be the same for Unchanged.
enum class Sameness : std::uint8_t {
  Auto,  // the visible text; where its digest is missing, the payload
  Text,
  Payload,
  Links,
  TextAndLinks,
};
std::optional<Sameness> parse_sameness(std::string_view name) noexcept;

struct TruthOptions {
  Target target = Target::Present;
  Sameness same = Sameness::Auto;
  Time active_within = 180 * 86400;  // seconds before the latest activity of the list
};

// What crawls saw of a page between the old graph and the newer one.
struct LaterLooks {
  std::uint64_t count = 0;              // sightings of any outcome
  std::optional<Outcome> decided = {};  // of the last that shows it present, moved or gone
  Outcome last = Outcome::Unknown;      // of the last of all
};
// Of the page with this URL; `since` is when the old graph last captured it, if that is known.
using LookAgain = std::function<LaterLooks(const std::string& url, std::optional<Time> since)>;

struct Truth {
  std::vector<Finding> findings;            // one per page
  std::uint64_t live = 0;                   // n_a
  OutcomeCounts outcomes = {};              // of all pages
  std::uint64_t absent = 0;                 // pages that the newer graph does not have
  std::uint64_t not_looked_at = 0;          // pages in it that no crawl has asked for since
  std::uint64_t unknown_urls = 0;           // of the list: no page has them
  std::uint64_t repeated = 0;               // of the list: said before
  std::uint64_t contradicting = 0;          // contradicts an earlier line, which counts
  std::uint64_t without_activity = 0;       // pages that exist and never were active
  std::uint64_t no_host = 0;                // pages whose host has no address
  std::vector<std::optional<Time>> active;  // for Target::Active: the latest activity of each page
  // Where a page moved to: a URL, or all targets of its redirects; if known.
  std::map<Node, std::vector<std::string>> moved_to;

  // The number of distinct URLs that pages moved to: of all pages, or of those tested.
  [[nodiscard]] std::uint64_t redirect_targets() const;
  [[nodiscard]] std::uint64_t redirect_targets_of(std::span<const Node> tested) const;

  // Keeps a reference to the truth.
  [[nodiscard]] Oracle::Ask ask() const {
    return [this](Node page) { return findings[page]; };
  }
};

// The classes of activity in the LiveRank paper, for a truth with times of activity.
struct ActivityClasses {
  std::uint64_t gone = 0;     // no longer exists
  std::uint64_t never = 0;    // exists, without any activity
  std::uint64_t once = 0;     // active once or more, whenever
  std::uint64_t unknown = 0;  // nothing is known of it

  [[nodiscard]] std::uint64_t all() const noexcept { return gone + never + once + unknown; }
};
ActivityClasses activity_classes(const Truth& truth);

// A page that the newer graph does not have counts as gone, as in the LiveRank paper, whether it
// was seen to be gone or no crawl looked: a graph of captures does not distinguish these, so the
// newer crawl must have looked for all pages. `absent` counts them. In a graph at a time (not of
// captures) a page that was not looked at again counts as alive. `old` is the graph that `pages`
// come from. A page that cannot be compared is undecided. Throws Error(BadInput) for
// Target::Active, for content if a graph does not know it, and for a newer graph without pages.
Truth truth_of(const Population& pages, const Snapshot& old, const Snapshot& newer,
               const TruthOptions& options = {}, const LookAgain& look_again = {});

// What a list says about a URL.
struct TruthLine {
  std::string_view url;
  Outcome outcome = Outcome::Unknown;
  std::optional<Time> active = {};   // the latest activity
  std::optional<bool> is_same = {};  // exists, and is the same as before or not
  std::string_view digest = {};      // of the present page, with its algorithm: "sha1:3I42…"
  bool no_host = false;              // its host has no address
  std::string_view moved_to = {};
};

// What answers mean for a target, page by page.
class AnswerJudge {
 public:
  // `pages` must outlive it. Digests are compared with those of the pages: of the text or of the
  // payload, as options.same says; for Auto with both.
  AnswerJudge(const Population& pages, const TruthOptions& options);

  // `latest`: the end of the time in which a page must have been active.
  [[nodiscard]] Finding judge(Node page, const TruthLine& line, Time latest) const;
  // Whether the page is the same as before, as far as the line says.
  [[nodiscard]] std::optional<bool> is_same(Node page, const TruthLine& line) const;

 private:
  const Population& pages_;
  TruthOptions options_;
};

// Reads a list line by line. Pages that it never names are `otherwise`: gone for a list of live
// pages, unknown for a list of outcomes.
class TruthList {
 public:
  TruthList(const Population& pages, const TruthOptions& options);
  void add(const TruthLine& line);
  // Throws Error(BadInput) if there was no line, or if the target is Unchanged or Changed and no
  // line says what is the same.
  [[nodiscard]] Truth finish(Outcome otherwise);

 private:
  const Population& pages_;
  TruthOptions options_;
  AnswerJudge judge_;
  Truth truth_;
  std::vector<TruthLine> lines_;  // of each page, without texts
  std::vector<std::uint8_t> is_named_;
  bool is_empty_ = true;
  Time latest_ = 0;
};

// What the outcome of a page means for a target that depends only on outcomes.
Verdict verdict_of(Outcome outcome, Target target) noexcept;

}  // namespace webstrata
