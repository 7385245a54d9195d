// SPDX-License-Identifier: Apache-2.0

// The output of probes: lines for programs, totals for people, and the status table of the LiveRank
// paper.

#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "webstrata/fetch/probe/prober.h"
#include "webstrata/liverank/oracle.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

// {"url", "outcome", "status", "target", "evidence", "time"}; without a newline.
std::string as_json(const Probed& probed);
// outcome, status or failure, URL, target, evidence.
Cells probe_columns();
Cells probe_cells(const Probed& probed);

// The status of the page's own answer, or why there was none; empty if neither is known.
std::string answer_of(const Judgement& judgement);
// All facts, separated by semicolons.
std::string evidence_of(const Judgement& judgement);

class ProbeSummary {
 public:
  void add(const Probed& probed);
  // "12 alive, 3 gone, 1 unreachable".
  [[nodiscard]] std::string sums() const;
  // Table 1 of the LiveRank paper: one line for each status.
  [[nodiscard]] std::string status_table() const;

 private:
  OutcomeCounts outcomes_ = {};
  std::uint64_t total_ = 0;
  std::uint64_t not_found_ = 0;  // 404
  std::uint64_t host_not_found_ = 0;
  std::uint64_t moved_ = 0;         // 301
  std::uint64_t success_ = 0;       // 200
  std::uint64_t true_success_ = 0;  // 200, and not an error page
  std::set<std::string> targets_;   // distinct, of 301, that live
};

}  // namespace webstrata
