// SPDX-License-Identifier: Apache-2.0
#include "webstrata/graph/snapshot.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "random_graph.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

std::vector<Node> list(std::span<const Node> nodes) { return {nodes.begin(), nodes.end()}; }

ErrorKind kind_of_error(const std::function<void()>& task) {
  try {
    task();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::Io;
}

TEST(Snapshot, TheEmptyGraphHasNothing) {
  const Snapshot graph;
  EXPECT_EQ(graph.node_count(), 0U);
  EXPECT_EQ(graph.link_count(), 0U);
  EXPECT_EQ(graph.transposed().node_count(), 0U);
  EXPECT_FALSE(graph.find("0"));
}

TEST(Snapshot, KnowsBothDirectionsOfATinyGraph) {
  const auto graph = Snapshot::from_links(4, {{2, 0}, {0, 2}, {0, 1}, {0, 2}, {3, 3}});
  EXPECT_EQ(graph.node_count(), 4U);
  EXPECT_EQ(graph.link_count(), 4U);
  EXPECT_EQ(list(graph.successors(0)), (std::vector<Node>{1, 2}));
  EXPECT_EQ(list(graph.successors(1)), std::vector<Node>{});
  EXPECT_EQ(list(graph.predecessors(2)), std::vector<Node>{0});
  EXPECT_EQ(list(graph.predecessors(3)), std::vector<Node>{3});
  EXPECT_EQ(graph.out_degree(0), 2U);
  EXPECT_EQ(graph.in_degree(1), 1U);
  EXPECT_EQ(graph.find_link(0, 2), 1U);
  EXPECT_EQ(graph.find_link(2, 0), 2U);
  EXPECT_EQ(graph.find_link(2, 1), std::nullopt);
}

TEST(Snapshot, AgreesWithPlainSetsWhateverTheThreads) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto nodes = static_cast<Node>(1 + random.below(200));
    const LinkList links = random_links(random, nodes, 10);
    std::map<Node, std::vector<Node>> in;
    for (const auto& [source, target] : links) in[target].push_back(source);
    for (const unsigned threads : {1U, 2U, 5U}) {
      const auto graph = Snapshot::from_links(nodes, links);
      graph.prepare_predecessors({.threads = threads});
      EXPECT_EQ(links_of(graph), links);
      for (Node node = 0; node < nodes; ++node) {
        ASSERT_EQ(list(graph.predecessors(node)), in[node]);
        ASSERT_EQ(graph.in_degree(node), in[node].size());
      }
      const Snapshot turned = graph.transposed();
      EXPECT_TRUE(same_links(turned.transposed(), graph));
      for (const auto& [source, target] : links) ASSERT_TRUE(turned.find_link(target, source));
      EXPECT_EQ(turned.link_count(), links.size());
    }
  }
}

TEST(Snapshot, ThreadsMayAskForPredecessorsAtTheSameTime) {
  Random random(7);
  const Snapshot graph = random_graph(random, 3000);
  std::vector<std::uint64_t> sums(4);
  std::vector<std::thread> threads;
  for (auto& sum : sums) {
    threads.emplace_back([&sum, graph] {
      for (Node node = 0; node < graph.node_count(); ++node) sum += graph.in_degree(node);
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto sum : sums) EXPECT_EQ(sum, graph.link_count());
}

TEST(Snapshot, MemoryStaysUnderTwelveBytesALinkAndFortyANode) {
  Random random(8);
  const Snapshot graph = random_graph(random, 5000);
  graph.prepare_predecessors();
  EXPECT_LE(graph.memory_bytes(),
            12 * graph.link_count() + 40 * std::uint64_t{graph.node_count()} + 64);
}

TEST(Snapshot, RefusesLinksThatLeadOutsideAndTooManyNodes) {
  EXPECT_EQ(kind_of_error([] { Snapshot::from_links(2, {{0, 2}}); }), ErrorKind::BadInput);
  EXPECT_EQ(kind_of_error([] { Snapshot::from_links(2, {{2, 0}}); }), ErrorKind::BadInput);
  EXPECT_EQ(kind_of_error([] { SnapshotBuilder(std::uint64_t{1} << 32); }), ErrorKind::BadInput);
}

TEST(Snapshot, NamesAndUidsGoWithIt) {
  auto names = std::make_shared<NameList>();
  for (const char* name : {"a", "b", "c"}) names->add(name);
  UidSet uids(100);
  for (const Uid uid : {7U, 64U, 99U}) uids.insert(uid);
  uids.seal();
  const auto bare = Snapshot::from_links(3, {{0, 2}});
  EXPECT_FALSE(bare.has_names() || bare.has_uids());
  EXPECT_EQ(bare.name(2), "2");
  EXPECT_EQ(bare.find("2"), 2U);
  EXPECT_EQ(bare.find("3"), std::nullopt);
  EXPECT_EQ(bare.uid(0), std::nullopt);

  const auto graph = bare.with_names(names).with_uids(uids);
  EXPECT_EQ(graph.name(2), "c");
  EXPECT_EQ(graph.find("b"), 1U);
  EXPECT_EQ(graph.uid(1), 64U);
  EXPECT_EQ(graph.node(99), 2U);
  EXPECT_EQ(graph.node(98), std::nullopt);
  EXPECT_EQ(graph.transposed().name(0), "a");
  EXPECT_EQ(kind_of_error([&] { (void)Snapshot::from_links(2, {}).with_uids(uids); }),
            ErrorKind::BadInput);
}

TEST(Snapshot, MissingIsNotZeroInColumns) {
  NodeColumns columns;
  columns.captures = Column<std::uint32_t>(2);
  columns.captures.set(1, 0);
  columns.scores["pagerank"] = Column(std::vector<double>{0.5, 0.25});
  const auto graph = Snapshot::from_links(2, {{0, 1}}).with_node_columns(columns);
  EXPECT_EQ(graph.node_columns().captures[0], std::nullopt);
  EXPECT_EQ(graph.node_columns().captures[1], 0U);
  EXPECT_EQ(graph.node_columns().outcome[1], std::nullopt);
  EXPECT_EQ(graph.node_columns().scores.at("pagerank")[1], 0.25);
  columns.length = Column<std::uint64_t>(3);
  EXPECT_EQ(kind_of_error([&] { (void)graph.with_node_columns(columns); }), ErrorKind::BadInput);
}

// Cuts `links` into parts of consecutive nodes, with a count column that names each link.
std::vector<SnapshotPart> cut_in_parts(const LinkList& links, Node nodes, Random& random) {
  std::vector<SnapshotPart> parts;
  std::size_t next = 0;
  for (Node node = 0; node < nodes; ++node) {
    if (parts.empty() || random.chance(0.1)) parts.push_back({.first = node});
    for (; next < links.size() && links[next].first == node; ++next) {
      parts.back().targets.push_back(links[next].second);
      parts.back().columns.count.push_back(static_cast<std::uint32_t>(next));
    }
    parts.back().end_list();
  }
  return parts;
}

TEST(SnapshotBuilder, PartsMayComeInAnyOrderWithTheirColumns) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const LinkList links = random_links(random, 100, 5);
    auto parts = cut_in_parts(links, 100, random);
    for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[random.below(i)]);
    SnapshotBuilder builder(100);
    for (auto& part : parts) builder.add(std::move(part));
    const auto graph = builder.finish({.threads = 3});
    ASSERT_EQ(links_of(graph), links);
    ASSERT_EQ(graph.link_columns().count.size(), links.size());
    for (std::size_t i = 0; i < links.size(); ++i) ASSERT_EQ(graph.link_columns().count[i], i);
  }
}

TEST(SnapshotBuilder, CountsTheNodesIfNobodySaysHowMany) {
  SnapshotBuilder builder;
  builder.add(3, std::vector<Node>{1, 5000});
  builder.add(4000, std::vector<Node>{});
  builder.add(4999, std::vector<Node>{4});
  const auto graph = builder.finish();
  EXPECT_EQ(graph.node_count(), 5001U);
  EXPECT_EQ(links_of(graph), (LinkList{{3, 1}, {3, 5000}, {4999, 4}}));
}

TEST(SnapshotBuilder, RefusesWhatIsNoList) {
  const auto finish_with = [](SnapshotPart part) {
    SnapshotBuilder builder(3);
    builder.add(SnapshotPart{.first = 0, .ends = {1}, .targets = {2}});
    builder.add(std::move(part));
    builder.finish();
  };
  EXPECT_NO_THROW(finish_with({.first = 1, .ends = {2}, .targets = {0, 2}}));
  for (const SnapshotPart& part : std::vector<SnapshotPart>{
           {.first = 1, .ends = {2}, .targets = {2, 0}},
           {.first = 1, .ends = {2}, .targets = {2, 2}},
           {.first = 1, .ends = {1}, .targets = {3}},
           {.first = 1, .ends = {1, 0}, .targets = {2}},
           {.first = 1, .ends = {1}, .targets = {0, 1}},
           {.first = 1, .ends = {2}, .targets = {0}},
           {.first = 2, .ends = {0, 0}},
           {.first = 0, .ends = {0}},
       }) {
    EXPECT_EQ(kind_of_error([&] { finish_with(part); }), ErrorKind::BadInput);
  }
  SnapshotBuilder backwards(3);
  backwards.add(1, {});
  EXPECT_EQ(kind_of_error([&] { backwards.add(1, {}); }), ErrorKind::BadInput);
}

TEST(Snapshot, ACancelledTransposeLeavesTheGraphWhole) {
  Random random(3);
  const Snapshot graph = random_graph(random, 50);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(kind_of_error([&] { graph.prepare_predecessors({.cancel = &cancel}); }),
            ErrorKind::Cancelled);
  std::uint64_t sum = 0;
  for (Node node = 0; node < 50; ++node) sum += graph.in_degree(node);
  EXPECT_EQ(sum, graph.link_count());
}

}  // namespace
}  // namespace webstrata
