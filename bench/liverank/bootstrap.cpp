// SPDX-License-Identifier: Apache-2.0
#include "bench/liverank/bootstrap.h"

#include <algorithm>
#include <numeric>

#include "webstrata/base/random.h"

namespace webstrata {

Difference paired_difference(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr std::size_t kDraws = 4000;
  const std::size_t count = std::max(a.size(), b.size());
  std::vector<double> differences;
  for (std::size_t i = 0; i < count; ++i) {
    differences.push_back(a[std::min(i, a.size() - 1)] - b[std::min(i, b.size() - 1)]);
  }
  const auto size = static_cast<double>(count);
  Random random(1);
  std::vector<double> means(kDraws);
  for (double& mean : means) {
    for (std::size_t i = 0; i < count; ++i) mean += differences[random.below(count)] / size;
  }
  std::ranges::sort(means);
  return {std::accumulate(differences.begin(), differences.end(), 0.0) / size, means[kDraws / 40],
          means[kDraws - 1 - kDraws / 40]};
}

}  // namespace webstrata
