// SPDX-License-Identifier: Apache-2.0
#include "webstrata/liverank/exploration.h"

#include <gtest/gtest.h>

#include "tests/liverank/small_population.h"

namespace webstrata {
namespace {

// Directories of 40, 20 and 4 pages, and one page at the top.
Population three_directories() {
  std::vector<std::string> names = {"http://a.example/index.html"};
  const auto add = [&](const std::string& directory, int count) {
    for (int i = 0; i < count; ++i) {
      names.push_back("http://a.example/" + directory + "/" + std::to_string(100 + i) + ".html");
    }
  };
  add("large", 40);
  add("medium", 20);
  add("small", 4);
  return population_of(with_names(Snapshot::from_links(names.size(), {}), names));
}

TEST(Exploration, WaitsWhileTestsFindSomething) {
  const Population pages = three_directories();
  Exploration exploration(pages, 0);
  EXPECT_EQ(exploration.next(), std::nullopt);
  for (int i = 0; i < 20; ++i) exploration.add(0, true);
  EXPECT_EQ(exploration.next(), std::nullopt);
}

// r falls below 0.6 with the third dead page: 4.75 · .729 / (5 · .729 + 2.71) = .545.
TEST(Exploration, LooksIntoTheLargestUnknownDirectoryFirst) {
  const Population pages = three_directories();
  Exploration exploration(pages, 0);
  for (int i = 0; i < 2; ++i) exploration.add(0, false);
  EXPECT_EQ(exploration.next(), std::nullopt);
  exploration.add(0, false);
  EXPECT_EQ(exploration.next(), Node{1 + 20});
  EXPECT_EQ(exploration.next(), Node{1 + 40 + 10});
  // 1/2 · 4 · .455 is less than its price.
  EXPECT_EQ(exploration.next(), std::nullopt);
}

TEST(Exploration, ForgetsHopeWhenLooksFindNothing) {
  const Population pages = three_directories();
  Exploration exploration(pages, 0);
  for (int i = 0; i < 3; ++i) exploration.add(0, false);
  const auto first = exploration.next();
  ASSERT_TRUE(first);
  exploration.add(*first, false);
  EXPECT_EQ(exploration.next(), Node{1 + 40 + 10});  // 1/3 · 20 · .455 > 2
  exploration.add(1 + 40 + 10, false);
  for (int i = 0; i < 50; ++i) exploration.add(0, false);
  EXPECT_EQ(exploration.next(), std::nullopt);  // 1/4 · 4 · 1 < 2
}

// Exploring tests that always find something: 20 are free, and 24 tests pay for only one more.
TEST(Exploration, LooksAreFewAmongTheTests) {
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) {
    names.push_back("http://a.example/" + std::to_string(100 + i / 10) + "/" + std::to_string(i));
  }
  const Population pages = population_of(with_names(Snapshot::from_links(names.size(), {}), names));
  Exploration exploration(pages, 0);
  for (int i = 0; i < 3; ++i) exploration.add(0, false);
  int looks = 0;
  for (auto page = exploration.next(); page; page = exploration.next(), ++looks) {
    exploration.add(*page, true);
  }
  EXPECT_EQ(looks, 21);
  for (int i = 0; i < 400; ++i) exploration.add(0, false);
  EXPECT_TRUE(exploration.next());
}

TEST(Exploration, DoesNotBlameTheModelForTheSample) {
  const Population pages = three_directories();
  Exploration exploration(pages, 10);
  for (int i = 0; i < 10; ++i) exploration.add(1, false);
  EXPECT_EQ(exploration.next(), std::nullopt);
  for (int i = 0; i < 3; ++i) exploration.add(0, false);
  EXPECT_EQ(exploration.next(), Node{1 + 40 + 10});  // the sample knows the large one
}

TEST(Exploration, HasNothingToSayWithoutNames) {
  const Population pages = population_of(Snapshot::from_links(5, {}));
  Exploration exploration(pages, 0);
  for (Node page = 0; page < 5; ++page) exploration.add(page, false);
  EXPECT_EQ(exploration.next(), std::nullopt);
}

// Half of what lives is in a directory that no link leads to: it is found before the dead ones are
// searched through.
TEST(Exploration, FindsALivingDirectoryThatNothingLeadsTo) {
  std::vector<std::string> names;
  std::vector<int> live;
  for (int directory = 0; directory < 10; ++directory) {
    for (int i = 0; i < 60; ++i) {
      names.push_back("http://a.example/d" + std::to_string(directory) + "/" +
                      std::to_string(100 + i) + ".html");
      live.push_back(directory == 0 || directory == 7 ? 1 : 0);
    }
  }
  const Population pages = population_of(with_names(Snapshot::from_links(600, {}), names));
  const Truth truth = truth_from(live);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_LT(*run_on("auto", pages, truth, {.seed = seed}).curve.cost(0.9, truth.live), 1.5);
  }
}

}  // namespace
}  // namespace webstrata
