// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/oracle.h"

#include <utility>

namespace webstrata {

Oracle::Oracle(Ask ask) : ask_(std::move(ask)) {}

std::vector<Finding> Oracle::test(std::span<const Node> pages) {
  std::vector<Finding> findings;
  findings.reserve(pages.size());
  for (const Node page : pages) {
    findings.push_back(ask_(page));
    ++tests_;
    ++outcomes_[static_cast<std::size_t>(findings.back().outcome)];
  }
  return findings;
}

}  // namespace webstrata
