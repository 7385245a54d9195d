// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/estimator.h"

namespace webstrata {

std::string_view to_string(TieBreak ties) noexcept {
  switch (ties) {
    case TieBreak::First:
      return "first";
    case TieBreak::NodeSum:
      return "nh-n";
    case TieBreak::Random:
      return "random";
  }
  return "";
}

void Estimator::at_least(double score, std::vector<Node>& nodes) {
  for (const Node node : known_.frontier()) {
    if (this->score(node) >= score) nodes.push_back(node);
  }
}

}  // namespace webstrata
