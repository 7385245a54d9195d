// The sum of the values of some nodes: the innermost loop of every score that flows along links.

#pragma once

#include <span>

#include "webstrata/base/ids.h"

namespace webstrata {

// Four sums at once: an addition takes four cycles, and so none waits for the one before. The
// order of additions depends on the list alone.
inline double gather(std::span<const Node> nodes, const double* values) noexcept {
  const Node* node = nodes.data();
  const Node* const end = node + nodes.size();
  double a = 0, b = 0, c = 0, d = 0;
  for (; end - node >= 4; node += 4) {
    a += values[node[0]];
    b += values[node[1]];
    c += values[node[2]];
    d += values[node[3]];
  }
  for (; node != end; ++node) a += values[*node];
  return (a + b) + (c + d);
}

}  // namespace webstrata
