// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/frontier_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

// Random changes, compared with a plain map that is sorted each time.
TEST(FrontierHeap, AgreesWithASortedListWhateverHappens) {
  Random random(3);
  FrontierHeap heap;
  std::map<Node, FrontierKey> slow;
  for (int step = 0; step < 3000; ++step) {
    const auto node = static_cast<Node>(random.below(50));
    if (random.chance(0.3)) {
      heap.remove(node);
      slow.erase(node);
    } else {
      const FrontierKey key{static_cast<double>(random.below(4)),
                            static_cast<double>(random.below(3)), node};
      heap.set(node, key);
      slow[node] = key;
    }
    std::vector<Node> expected;
    for (const auto& [known, key] : slow) expected.push_back(known);
    std::sort(expected.begin(), expected.end(),
              [&](Node a, Node b) { return slow[a].is_better_than(slow[b]); });
    std::vector<Node> all;
    heap.best(1000, all);
    ASSERT_EQ(all, expected);
    std::vector<Node> good;
    heap.at_least(2, good);
    ASSERT_EQ(static_cast<std::ptrdiff_t>(good.size()),
              std::count_if(slow.begin(), slow.end(),
                            [](const auto& entry) { return entry.second.score >= 2; }));
  }
}

}  // namespace
}  // namespace webstrata
