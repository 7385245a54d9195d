#include "webstrata/explore/estimator.h"

namespace webstrata {

std::string_view to_string(TieRule ties) noexcept {
  switch (ties) {
    case TieRule::First:
      return "first";
    case TieRule::NodeSum:
      return "nh-n";
    case TieRule::Random:
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
