// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/oracle.h"

#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {

Oracle::Oracle(Ask ask)
    : ask_all_([ask = std::move(ask)](std::span<const Node> pages) {
        std::vector<Finding> findings;
        findings.reserve(pages.size());
        for (const Node page : pages) findings.push_back(ask(page));
        return findings;
      }) {}

Oracle Oracle::of_batches(AskAll ask_all) {
  Oracle oracle;
  oracle.ask_all_ = std::move(ask_all);
  return oracle;
}

std::vector<Finding> Oracle::test(std::span<const Node> pages) {
  std::vector<Finding> findings = ask_all_(pages);
  if (findings.size() != pages.size()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} answers to {} tests", findings.size(), pages.size()));
  }
  tests_ += findings.size();
  for (const Finding& finding : findings) {
    ++outcomes_[static_cast<std::size_t>(finding.outcome)];
    no_host_ += finding.no_host ? 1 : 0;
  }
  return findings;
}

}  // namespace webstrata
