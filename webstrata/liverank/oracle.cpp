// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/oracle.h"

#include <cassert>
#include <utility>

namespace webstrata {

Oracle::Oracle(Ask ask)
    : ask_([ask = std::move(ask)](std::span<const Node> pages) {
        std::vector<Finding> findings;
        findings.reserve(pages.size());
        for (const Node page : pages) findings.push_back(ask(page));
        return findings;
      }) {}

Oracle::Oracle(AskAll ask) : ask_(std::move(ask)) {}

std::vector<Finding> Oracle::test(std::span<const Node> pages) {
  std::vector<Finding> findings = ask_(pages);
  assert(findings.size() == pages.size());
  for (const Finding& finding : findings) {
    ++tests_;
    ++outcomes_[static_cast<std::size_t>(finding.outcome)];
  }
  return findings;
}

}  // namespace webstrata
