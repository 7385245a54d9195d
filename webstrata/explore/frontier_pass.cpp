// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/frontier_pass.h"

#include <algorithm>
#include <array>

namespace webstrata {

double largest(std::span<const double> scores) noexcept {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> lanes;
  lanes.fill(scores.front());
  std::size_t i = 0;
  for (; i + kLanes <= scores.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = lanes[lane] < scores[i + lane] ? scores[i + lane] : lanes[lane];
    }
  }
  double best = *std::max_element(lanes.begin(), lanes.end());
  for (; i < scores.size(); ++i) best = std::max(best, scores[i]);
  return best;
}

void best_of_scores(const KnownGraph& known, const Ties& ties, std::span<const double> scores,
                    std::size_t count, std::vector<Node>& nodes) {
  const auto frontier = known.frontier();
  count = std::min(count, frontier.size());
  if (count == 0) return;
  const auto key_of = [&](std::size_t place) {
    return FrontierKey{scores[place], ties.of(frontier[place]), known.seen_at(frontier[place])};
  };
  if (count == 1) {
    const double top = largest(scores);
    std::size_t best = frontier.size();
    for (std::size_t place = 0; place < frontier.size(); ++place) {
      if (scores[place] != top) continue;
      if (best == frontier.size() || key_of(place).is_better_than(key_of(best))) best = place;
    }
    nodes.push_back(frontier[best]);
    return;
  }
  std::vector<std::size_t> places(frontier.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  const auto is_better = [&](std::size_t a, std::size_t b) {
    return key_of(a).is_better_than(key_of(b));
  };
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count),
                    places.end(), is_better);
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(frontier[places[i]]);
}

}  // namespace webstrata
