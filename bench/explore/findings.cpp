// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "bench/explore/sections.h"
#include "bench/explore/topics.h"
#include "webstrata/explore/seed_sets.h"
#include "webstrata/explore/study.h"

namespace webstrata {
namespace {

constexpr double kShares[] = {0.01, 0.05, 0.2, 0.5, 1};

void print_rows(const Study& study) {
  for (const StudyRow& row : study.rows) {
    fmt::print("  {:<14}", row.contender.label);
    for (const double share : kShares) {
      fmt::print("{:>8.3f}", study.mean_relative(row, CrawlValue::Sum, study.point_at(share)));
    }
    fmt::print("\n");
  }
  std::fflush(stdout);
}

}  // namespace

void measure_findings(const ExploreBench& bench) {
  const std::vector<std::string> data =
      bench.data.empty() ? std::vector<std::string>{"schools-wiki", "debpkg"} : bench.data;
  for (const std::string& name : data) {
    const TopicPages pages(name, bench.shared);
    const std::vector<std::string> topics = !bench.topics.empty() ? bench.topics
                                            : name == "schools-wiki"
                                                ? std::vector<std::string>{"france", "war"}
                                                : std::vector<std::string>{"python", "game"};
    for (const std::string& topic : topics) {
      const SimulatedWeb web = pages.web(topic);
      const auto scored = static_cast<std::uint64_t>(
          std::ranges::count_if(web.node_scores(), [](double score) { return score > 0; }));
      StudyOptions options{.budget = std::min<std::uint64_t>(5000, scored), .seed = bench.seed};
      options.work.threads = bench.threads;
      const auto sets = draw_seed_sets(
          web.node_scores(), {.sets = bench.sets, .score_above = 1.5, .seed = bench.seed});
      fmt::print(
          "\n{} {}: {} pages score, budget {}, {} sets of {} seeds above 1.5; share of greedy "
          "with true scores at 1, 5, 20, 50, 100 %\n",
          name, topic, scored, options.budget, sets.size(), sets.front().size());
      std::vector<Contender> all;
      for (const double greedy : {0.9, 0.5, 0.0}) {
        for (const double slack : {0.1, 0.3, 1.0}) {
          all.push_back({.label = fmt::format("q {} z {}", greedy, slack),
                         .estimator = "oracle",
                         .strategy = {.greedy = greedy, .slack = slack}});
        }
      }
      for (const std::uint64_t refresh : {2, 10, 50, 500}) {
        all.push_back(
            {.label = fmt::format("r {}", refresh), .estimator = "oracle", .refresh = refresh});
      }
      print_rows(run_study(web, sets, all, options));
    }
  }
}

}  // namespace webstrata
