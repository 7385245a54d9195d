// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/recursive_least_squares.h"

#include <gtest/gtest.h>

#include <vector>

#include "webstrata/base/random.h"

namespace webstrata {
namespace {

// One feature, by hand: w = sum x y / (ridge + sum x^2).
TEST(RecursiveLeastSquares, FitsALineByHand) {
  RecursiveLeastSquares model(1, 0.5);
  const double x[] = {1, 2, 3};
  const double y[] = {2, 3, 7};
  for (int i = 0; i < 3; ++i) model.learn({&x[i], 1}, y[i]);
  EXPECT_NEAR(model.weights()[0], (2 + 6 + 21) / (0.5 + 14), 1e-12);
}

TEST(RecursiveLeastSquares, FindsTheWeightsThatMadeTheData) {
  Random random(6);
  RecursiveLeastSquares model(3, 1e-6);
  const double truth[] = {2, -1, 0.5};
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> x = {random.unit(), random.unit(), 1};
    model.learn(x, truth[0] * x[0] + truth[1] * x[1] + truth[2]);
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(model.weights()[i], truth[i], 1e-5);
}

TEST(RecursiveLeastSquares, BelievesWhatItStartsFromUntilItLearnsBetter) {
  RecursiveLeastSquares model(1, 7);
  model.start_from(0, 5, 3);
  const double x = 1;
  EXPECT_EQ(model.predict({&x, 1}), 5);
  model.learn({&x, 1}, 3);
  EXPECT_NEAR(model.weights()[0], 4.5, 1e-12);  // (3 * 5 + 3) / (3 + 1)
}

}  // namespace
}  // namespace webstrata
