// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/wire/simulated_web.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(ToyWeb, AnswersInTheOrderOfTheirLatency) {
  SimulatedClock clock(1000);
  ToyWeb web(clock, [](const Request& request, Moment) {
    return ToyAnswer{.body = request.url, .latency_ms = request.url == "slow" ? 500 : 20};
  });
  const RequestId slow = web.start({.url = "slow"});
  const RequestId quick = web.start({.url = "quick"});
  auto answers = web.wait(10'000);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].id, quick);
  EXPECT_EQ(clock.now(), 1020);
  EXPECT_TRUE(web.wait(1100).empty());
  EXPECT_EQ(clock.now(), 1100);
  answers = web.wait(10'000);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].id, slow);
  EXPECT_EQ(answers[0].body, "slow");
  EXPECT_EQ(web.in_flight(), 0U);
  EXPECT_TRUE(web.wait(20'000).empty());
  EXPECT_EQ(clock.now(), 20'000);
}

TEST(ToyWeb, CutsLongBodiesAndCancels) {
  SimulatedClock clock;
  ToyWeb web(clock, [](const Request&, Moment) { return ToyAnswer{.body = "0123456789"}; });
  web.start({.url = "a", .limits = {.body_bytes_max = 4}});
  const auto cut = web.wait(100);
  EXPECT_EQ(cut.at(0).body, "0123");
  EXPECT_EQ(cut.at(0).truncated, Truncation::Length);
  web.cancel(web.start({.url = "b"}));
  EXPECT_EQ(web.wait(100).at(0).failure, Failure::Cancelled);
}

}  // namespace
}  // namespace webstrata
