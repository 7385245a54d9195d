// SPDX-License-Identifier: Apache-2.0

// Chooses among experts by the recent rewards of their choices: Thompson sampling on discounted
// mean rewards. A leader starts with a longer record of average rewards, so that others must
// prove to be better. Internal to the room.

#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "webstrata/base/random.h"

namespace webstrata {

class ExpertBandit {
 public:
  // Expert 0 leads by a record of `lead` choices.
  ExpertBandit(std::size_t experts, std::uint64_t seed, double lead);

  // A reward that no expert, or this one, is credited with. All rewards count in the average.
  void learn(double reward);
  void credit(std::size_t expert, double reward);

  [[nodiscard]] std::size_t choose();

 private:
  struct Expert {
    double reward = 0;
    double choices = 0;
  };
  [[nodiscard]] double recent_mean() const;
  [[nodiscard]] double recent_deviation() const;
  double normal();

  std::vector<Expert> experts_;
  double lead_;
  std::deque<double> recent_;
  Random random_;
};

}  // namespace webstrata
