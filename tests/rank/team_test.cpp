// SPDX-License-Identifier: Apache-2.0
#include "webstrata/rank/team.h"

#include <gtest/gtest.h>

#include "tests/graph/random_graph.h"
#include "tests/no_more_threads.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(Parts, CoverEveryNodeOnceInOrder) {
  for (const Node nodes : {0u, 1u, 5u, 40000u}) {
    Random random(nodes);
    const auto graph = random_graph(random, nodes);
    for (const Parts& parts : {Parts::by_in_links(graph), Parts::by_out_links(graph)}) {
      Node next = 0;
      for (std::size_t part = 0; part < parts.count(); ++part) {
        EXPECT_EQ(parts.first(part), next);
        EXPECT_GT(parts.last(part), next);
        next = parts.last(part);
      }
      EXPECT_EQ(next, nodes);
    }
  }
}

TEST(Team, SumsAllPartsAndHandsErrorsOver) {
  Random random(1);
  const auto graph = random_graph(random, 40000);
  const Parts parts = Parts::by_in_links(graph);
  ASSERT_GT(parts.count(), 4u);
  for (const unsigned threads : {1u, 2u, 4u}) {
    const WorkOptions work{.threads = threads};
    Team team(work, graph.link_count());
    EXPECT_EQ(team.sum(parts, [](Node first, Node last) { return last - first; }), 40000);
    const auto fail = [](std::size_t part) {
      if (part == 3) throw Error(ErrorKind::BadInput, "three");
    };
    EXPECT_THROW(team.each(parts.count(), fail), Error);
  }
}

// Threads that come late to a pass must neither miss a part of the next one nor do one twice.
TEST(Team, EveryPartOfManyShortPassesIsDoneOnce) {
  const WorkOptions work{.threads = 4};
  Team team(work, std::uint64_t{1} << 20);
  for (int pass = 0; pass < 3000; ++pass) {
    const std::size_t count = static_cast<std::size_t>(pass) % 7;
    std::vector<int> done(count);
    team.each(count, [&](std::size_t part) { done[part] += pass; });
    EXPECT_EQ(done, std::vector<int>(count, pass));
  }
}

// It used to end in std::terminate.
TEST(Team, TheCallerDoesAllWhereNoThreadCanStart) {
  const NoMoreThreads limit;
  const WorkOptions work{.threads = 4};
  Team team(work, std::uint64_t{1} << 20);
  std::vector<int> done(9);
  team.each(done.size(), [&](std::size_t part) { ++done[part]; });
  EXPECT_EQ(done, std::vector<int>(9, 1));
}

}  // namespace
}  // namespace webstrata
