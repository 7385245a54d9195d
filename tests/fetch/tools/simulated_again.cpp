// SPDX-License-Identifier: Apache-2.0

// Runs the simulator over what a crawl found, and compares page by page.
//
//   simulated_again JOB ORDER SEED BUDGET
//
// Prints a line for each page after the seeds: its place, its URL, the harvest so far. Exits with 1
// if the simulator would have chosen another page, or if its harvest differs.

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/explore/simulator.h"
#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/graph/names.h"

namespace {

using namespace webstrata;

struct Crawled {
  std::vector<std::string> names;
  std::vector<double> scores;                     // by number
  std::map<std::pair<Node, Node>, double> links;  // each once, with the larger score
  std::vector<Node> seeds;
  std::vector<Node> order;  // of the answers
};

Crawled read_job(const Ledger& ledger) {
  Crawled crawled;
  std::vector<bool> is_seed;
  ledger.each_url([&](UrlNumber number, const LedgerUrl& url) {
    crawled.names.push_back(url.url);
    is_seed.push_back(url.from == kNoUrl);
    if (is_seed.back()) crawled.seeds.push_back(number);
    return true;
  });
  crawled.scores.resize(crawled.names.size());
  ledger.each_learned([&](const LearnedPage& page) {
    crawled.scores[page.url] = page.score;
    if (!is_seed[page.url]) crawled.order.push_back(page.url);
    for (const LearnedLink& link : page.links) {
      double& score = crawled.links[{page.url, link.target}];
      score = std::max(score, link.score);
    }
    return true;
  });
  return crawled;
}

SimulatedWeb web_of(const Crawled& crawled) {
  std::vector<std::pair<Node, Node>> pairs;
  std::vector<double> scores;
  for (const auto& [link, score] : crawled.links) {
    if (link.first == link.second) continue;
    pairs.push_back(link);
    scores.push_back(score);
  }
  const auto names = std::make_shared<NameList>();
  for (const std::string& name : crawled.names) names->add(name);
  const Snapshot graph = Snapshot::from_links(crawled.names.size(), pairs);
  return SimulatedWeb(graph.with_names(names), crawled.scores, scores);
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 5) return 2;
  const SystemClock clock;
  const Crawled crawled = read_job(Ledger::open(arguments[1], clock.now()));
  ExploreOptions options;
  options.budget = std::stoull(arguments[4]);
  options.estimator.seed = options.strategy.seed = std::stoull(arguments[3]);
  const ExploreRun run = explore(web_of(crawled), arguments[2], crawled.seeds, options);
  double harvest = run.seeds_value;
  bool is_same = run.order.size() >= crawled.order.size();
  for (std::size_t step = 0; step < crawled.order.size() && is_same; ++step) {
    const Node node = crawled.order[step];
    harvest += crawled.scores[node];
    is_same = run.order[step] == node && std::abs(run.values[step] - harvest) < 1e-9;
    std::printf("%zu\t%s\t%.6f\n", step + 1, crawled.names[node].c_str(), harvest);
    if (!is_same) std::printf("the simulator asks %s\n", crawled.names[run.order[step]].c_str());
  }
  return is_same ? 0 : 1;
}
