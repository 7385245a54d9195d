// SPDX-License-Identifier: Apache-2.0
#include "webstrata/rank/extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace webstrata {
namespace {

using Changes = Extrapolation<3>;

// Iterates x → Tx + b from 0 until the window is full, and returns the guess.
template <std::size_t N>
std::array<double, N> guess(const std::array<std::array<double, N>, N>& t,
                            const std::array<double, N>& b) {
  Changes changes(N);
  std::array<double, N> x = {};
  while (!changes.is_full()) {
    std::array<double, N> next = b;
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) next[i] += t[i][j] * x[j];
      changes.next()[i] = ShortFloat(next[i] - x[i]);
    }
    x = next;
    changes.advance();
  }
  const auto weights = Changes::weights(changes.gram(0, N));
  for (std::size_t i = 0; i < N; ++i) x[i] -= changes.step(i, weights);
  return x;
}

// With as many modes as steps the guess is the limit: x = 1 / (1 − t) in each coordinate. Powers of
// two lose nothing in 16 bits.
TEST(Extrapolation, ThreeModesEndAtOnce) {
  const auto x = guess<3>({{{0.5, 0, 0}, {0, -0.5, 0}, {0, 0, 0.25}}}, {1, 1, 1});
  EXPECT_NEAR(x[0], 2, 1e-9);
  EXPECT_NEAR(x[1], 1 / 1.5, 1e-9);
  EXPECT_NEAR(x[2], 1 / 0.75, 1e-9);
}

// A turn by 120 degrees has complex eigenvalues: a ring of three, x_i = x_{i−1} / 2 + b_i. By hand,
// with b = (1, 0, 0): x_0 = 1 / (1 − 1/8).
TEST(Extrapolation, ARingOfThreeEndsAtOnce) {
  const auto x = guess<3>({{{0, 0, 0.5}, {0.5, 0, 0}, {0, 0.5, 0}}}, {1, 0, 0});
  EXPECT_NEAR(x[0], 8.0 / 7, 1e-9);
  EXPECT_NEAR(x[1], 4.0 / 7, 1e-9);
  EXPECT_NEAR(x[2], 2.0 / 7, 1e-9);
}

TEST(Extrapolation, OneModeLeavesTheOtherDirectionsOut) {
  EXPECT_NEAR(guess<1>({{{0.5}}}, {1})[0], 2, 1e-9);
}

// Changes of 0.9^k are rounded to three digits: the guess is not the limit, but far nearer to it
// than the last iterate, 3.439.
TEST(Extrapolation, RoundedChangesStillLeadTheWay) {
  EXPECT_NEAR(guess<1>({{{0.9}}}, {1})[0], 10, 1);
}

TEST(ShortFloat, KeepsThreeDigits) {
  for (const double value : {1.0, -3.14159, 1e-30, 2.5e20, 0.0}) {
    EXPECT_NEAR(static_cast<double>(ShortFloat(value)), value, std::abs(value) / 256) << value;
  }
}

TEST(Extrapolation, NothingChangedNothingGuessed) {
  const auto x = guess<2>({}, {0, 0});
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[1], 0);
}

// Columns that stand side by side do not mix.
TEST(Extrapolation, ColumnsAreApart) {
  Changes changes(4);
  for (int step = 0; !changes.is_full(); ++step, changes.advance()) {
    for (int i = 0; i < 4; ++i) {
      changes.next()[i] = ShortFloat(i % 2 == 0 ? std::pow(0.5, step) : 3);
    }
  }
  const auto even = changes.gram(0, 4, 2);
  const double ahead = 0.125 - 1;
  EXPECT_NEAR(even.products[0][0], 2 * ahead * ahead, 1e-12);
  EXPECT_NEAR(even.with_last[0], 2 * ahead * 0.125, 1e-12);
  EXPECT_EQ(changes.gram(1, 4, 2).products[0][0], 0);
}

}  // namespace
}  // namespace webstrata
