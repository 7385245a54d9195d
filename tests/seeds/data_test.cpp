// SPDX-License-Identifier: Apache-2.0

// Cores and seeds on real graphs of ../shared: classics, and the documentation web of Debian.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "tests/seeds/core_checks.h"
#include "tests/seeds/named_graph.h"
#include "tests/seeds/page_graph.h"
#include "tests/shared_folder.h"
#include "webstrata/seeds/core_distances.h"
#include "webstrata/seeds/evaluation.h"
#include "webstrata/seeds/seed_methods.h"

namespace webstrata {
namespace {

using Path = std::filesystem::path;

class SeedsOnData : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(shared_folder() / "data")) {
      GTEST_SKIP() << "no data under " << shared_folder() << ": real graphs are not looked at";
    }
  }
  static Path data() { return shared_folder() / "data"; }
};

// "n 0 url" and "e 0 1".
Snapshot california(const Path& data) {
  std::ifstream in(data / "classics/kleinberg-california/input.txt");
  std::vector<std::string> names;
  LinkPairs links;
  for (std::string kind; in >> kind;) {
    Node source = 0;
    std::string second;
    in >> source >> second;
    if (kind == "n") names.push_back(second);
    if (kind == "e") links.emplace_back(source, static_cast<Node>(std::stoul(second)));
  }
  return with_names(Snapshot::from_links(names.size(), links), names);
}

// "1 url" in one file, "1 2" in the other, each under a line of titles; numbers begin with 1.
Snapshot hollins(const Path& data) {
  std::string line;
  std::ifstream urls(data / "classics/hollins-2004/links.dat");
  std::getline(urls, line);
  std::vector<std::string> names;
  for (std::string number, url; urls >> number >> url;) names.push_back(url);
  std::ifstream in(data / "classics/hollins-2004/hollins.dat");
  std::getline(in, line);
  LinkPairs links;
  for (Node source = 0, target = 0; in >> source >> target;)
    links.emplace_back(source - 1, target - 1);
  return with_names(Snapshot::from_links(names.size(), links), names);
}

// GML; labels are hosts, some with a path.
Snapshot polblogs(const Path& data) {
  std::ifstream in(data / "classics/polblogs-2004/polblogs.gml");
  std::vector<std::string> names;
  LinkPairs links;
  Node source = 0;
  for (std::string word, value; in >> word;) {
    if (word == "label" && in >> value)
      names.push_back("http://" + value.substr(1, value.size() - 2));
    if (word == "source" && in >> value && value[0] != '"')
      source = static_cast<Node>(std::stoul(value));
    if (word == "target" && in >> value) links.emplace_back(source - 1, std::stoul(value) - 1);
  }
  return with_names(Snapshot::from_links(names.size(), links), names);
}

void expect_good_cores(const Snapshot& graph, std::uint64_t count) {
  for (const CoreGrowth growth : {CoreGrowth::Either, CoreGrowth::Lockstep}) {
    ExtractionOptions options;
    options.core.growth = growth;
    CoreExtractor extractor(graph, options);
    std::vector<BipartiteCore> cores;
    while (cores.size() < count) {
      auto core = extractor.next();
      if (!core) break;
      EXPECT_LE(core->hubs.size(), 999);
      cores.push_back(std::move(*core));
    }
    EXPECT_GE(cores.size(), 5);
    EXPECT_EQ(std::string(), why_not_complete_and_apart(extractor.graph(), cores));
    const CoreDistances distances = core_distances(graph, cores);
    if (distances.nearest) {
      EXPECT_GE(*distances.nearest, 1);
    }
  }
}

TEST_F(SeedsOnData, CoresOfCalifornia) {
  const Snapshot graph = california(data());
  EXPECT_EQ(graph.node_count(), 9664);
  expect_good_cores(graph, 40);
}

TEST_F(SeedsOnData, CoresOfHollins) {
  const Snapshot graph = hollins(data());
  EXPECT_EQ(graph.node_count(), 6012);
  expect_good_cores(graph, 40);
}

TEST_F(SeedsOnData, CoresOfPoliticalBlogs) {
  const Snapshot graph = polblogs(data());
  EXPECT_EQ(graph.node_count(), 1490);
  expect_good_cores(graph, 40);
}

// Seeds of one release that are alive in the next, by every method; PANDORA's crawls find more of
// the newer web's PageRank within three links than crawls from random pages do.
TEST_F(SeedsOnData, SeedsOfBullseyeServeBookworm) {
  const Snapshot old = page_graph(data() / "debweb/captures.bullseye.jsonl.zst");
  const Snapshot newer = page_graph(data() / "debweb/captures.bookworm.jsonl.zst");
  EXPECT_EQ(old.node_count(), 79971);
  EXPECT_EQ(newer.node_count(), 83765);
  expect_good_cores(old, 5);
  const std::vector<double> pagerank = seed_scores(old);
  for (const SeedMethod& method : seed_methods()) {
    SCOPED_TRACE(method.name);
    SeedOptions options;
    options.test = survival_by_name(old, newer);
    options.pagerank = pagerank;
    const SeedsResult result = choose_seeds(old, method.name, options);
    ASSERT_EQ(result.seeds.size(), 10);
    if (method.name != "pandora") continue;
    std::vector<Node> seeds;
    for (const SeedCandidate& seed : result.seeds)
      seeds.push_back(*survivor(old, newer, seed.node));
    const SeedEvaluation found =
        evaluate_seeds(newer, seeds, {.depth_max = 3, .distance_sources = 2});
    for (std::size_t depth = 1; depth <= 3; ++depth) {
      EXPECT_GT(found.chosen.depths[depth].score_so_far, found.random.depths[depth].score_so_far);
    }
  }
}

}  // namespace
}  // namespace webstrata
