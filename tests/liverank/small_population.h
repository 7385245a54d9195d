// SPDX-License-Identifier: Apache-2.0

// Small populations with URLs and a truth, for tests of LiveRank.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/seeds/named_graph.h"
#include "webstrata/base/random.h"
#include "webstrata/liverank/planners.h"
#include "webstrata/liverank/population.h"
#include "webstrata/liverank/run.h"
#include "webstrata/liverank/truth.h"

namespace webstrata {

inline Truth truth_from(const std::vector<int>& live) {
  Truth truth;
  for (Node page = 0; page < live.size(); ++page) {
    const bool lives = live[page] != 0;
    truth.findings.push_back(
        {page, lives ? Outcome::Alive : Outcome::Gone, lives ? Verdict::Live : Verdict::Dead});
    truth.live += lives ? 1 : 0;
  }
  return truth;
}

// `hosts` hosts with `pages_each` pages in two directories, and random links, most of them inside a
// host.
inline Snapshot made_web(Node hosts, Node pages_each, std::uint64_t seed) {
  Random random(seed);
  LinkPairs links;
  std::vector<std::string> names;
  const Node count = hosts * pages_each;
  for (Node page = 0; page < count; ++page) {
    const Node host = page / pages_each;
    const Node number = page % pages_each;
    names.push_back("http://h" + std::to_string(1000 + host) + ".example/" +
                    (number % 2 == 0 ? "a/" : "b/") + "page-" + std::to_string(number) + ".html");
    for (int i = 0; i < 5; ++i) {
      const Node near = host * pages_each + static_cast<Node>(random.below(pages_each));
      const Node target = random.chance(0.8) ? near : static_cast<Node>(random.below(count));
      if (target != page) links.emplace_back(page, target);
    }
  }
  return with_names(Snapshot::from_links(count, std::move(links)), names);
}

inline LiveRun run_on(const std::string& method, const Population& pages, const Truth& truth,
                      PlannerOptions options = {}, const RunOptions& run = {}) {
  const auto planner = make_planner(method, pages, options);
  Oracle oracle(truth.ask());
  return run_planner(*planner, oracle, run);
}

}  // namespace webstrata
