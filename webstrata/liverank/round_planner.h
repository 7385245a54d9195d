// SPDX-License-Identifier: Apache-2.0

// A planner that tests a sample, ranks what is left by scores, and may rank again after each round.
// The papers' sample-based methods have two rounds; dynamic methods have many.

#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "webstrata/liverank/planners.h"

namespace webstrata {

// Tests per round: all that are left for 0, a share of the pages below 1, else a number.
std::size_t round_tests(double round, Node page_count);

class RoundPlanner : public Planner {
 public:
  [[nodiscard]] std::size_t batch_size() const final;
  [[nodiscard]] std::vector<Reason> why(Node page) override;

 protected:
  // `round_tests` after the sample; the first rounds are smaller if `first_tests` is, and grow.
  RoundPlanner(const Population& pages, std::vector<Node> sample, std::vector<double> ties,
               std::size_t round_tests,
               std::size_t first_tests = std::numeric_limits<std::size_t>::max());

  [[nodiscard]] const Population& pages() const noexcept { return pages_; }
  [[nodiscard]] const std::vector<double>& scores() const noexcept { return scores_; }

 private:
  // Fills the score of every open page from what is known by now; higher is better.
  virtual void score(std::vector<double>& scores) = 0;
  // How much larger the next round may be than the last; called before score().
  [[nodiscard]] virtual double growth() { return 1; }
  // A page to test before a round, to learn from it.
  [[nodiscard]] virtual std::optional<Node> lesson() { return std::nullopt; }
  void take_in(Node /*page*/, bool /*is_live*/) override {}
  void propose(std::size_t count, std::vector<Node>& batch) final;
  void rank(std::size_t count);
  void serve(std::vector<Node>& queue, std::size_t& place, std::size_t count,
             std::vector<Node>& batch);

  const Population& pages_;
  std::vector<Node> sample_;
  std::size_t sample_place_ = 0;
  std::vector<double> ties_;
  std::size_t round_tests_;
  double growing_tests_;  // of the next round
  std::vector<double> scores_;
  std::vector<Node> queue_;  // of this round
  std::size_t queue_place_ = 0;
};

}  // namespace webstrata
