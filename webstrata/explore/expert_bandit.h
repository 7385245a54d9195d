// Chooses among experts by what their choices brought of late: Thompson sampling on discounted mean
// rewards. Who leads has a longer record of doing as well as usual, so that others must show that
// they do better. Internal to the room.

#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "webstrata/base/random.h"

namespace webstrata {

class ExpertBandit {
 public:
  // Expert 0 leads.
  ExpertBandit(std::size_t experts, std::uint64_t seed);

  // A reward that nobody, or this expert, gets the credit for. All rewards say what is usual.
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
  std::deque<double> recent_;
  Random random_;
};

}  // namespace webstrata
