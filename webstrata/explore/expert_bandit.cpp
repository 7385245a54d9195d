// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/extra_test.cpp and tests/explore/bandit_test.cpp.

#include "webstrata/explore/expert_bandit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "webstrata/explore/extra_parameters.h"

namespace webstrata {

ExpertBandit::ExpertBandit(std::size_t experts, std::uint64_t seed, double lead)
    : experts_(experts), lead_(lead), random_(seed) {}

void ExpertBandit::learn(double reward) {
  recent_.push_back(reward);
  if (recent_.size() > extra::kDeviationWindow) recent_.pop_front();
}

void ExpertBandit::credit(std::size_t expert, double reward) {
  for (Expert& one : experts_) {
    one.reward *= extra::kTimeDiscount;
    one.choices *= extra::kTimeDiscount;
  }
  Expert& chosen = experts_[expert];
  chosen.reward = chosen.reward * extra::kOwnDiscount + reward;
  chosen.choices = chosen.choices * extra::kOwnDiscount + 1;
}

double ExpertBandit::recent_mean() const {
  const std::size_t count = std::min(recent_.size(), extra::kMeanWindow);
  if (count == 0) return 0;
  double sum = 0;
  for (std::size_t i = recent_.size() - count; i < recent_.size(); ++i) sum += recent_[i];
  return sum / static_cast<double>(count);
}

double ExpertBandit::recent_deviation() const {
  if (recent_.empty()) return extra::kDeviationMin;
  double sum = 0;
  double squares = 0;
  for (const double reward : recent_) {
    sum += reward;
    squares += reward * reward;
  }
  const auto count = static_cast<double>(recent_.size());
  const double variance = squares / count - (sum / count) * (sum / count);
  return std::sqrt(std::max(0.0, variance)) + extra::kDeviationMin;
}

// Box and Muller.
double ExpertBandit::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - random_.unit()));
  return radius * std::cos(2 * std::numbers::pi * random_.unit());
}

std::size_t ExpertBandit::choose() {
  const double mean = recent_mean();
  const double deviation = recent_deviation();
  std::size_t best = 0;
  double best_draw = -INFINITY;
  for (std::size_t i = 0; i < experts_.size(); ++i) {
    const double assumed = extra::kPriorChoices + (i == 0 ? lead_ : 0);
    const double choices = experts_[i].choices + assumed;
    const double believed = (experts_[i].reward + assumed * mean) / choices;
    const double draw = believed + extra::kNoise * deviation * normal() / std::sqrt(choices);
    if (draw <= best_draw) continue;
    best = i;
    best_draw = draw;
  }
  return best;
}

}  // namespace webstrata
