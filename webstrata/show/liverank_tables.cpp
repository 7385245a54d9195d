// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/tables_test.py.

#include "webstrata/show/liverank_tables.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace webstrata {
namespace {

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

TextTable table_of_costs(const LiveReport& report) {
  TextTable table{{"share_found", "tests", "cost", "cost_at_random"}, {}};
  const auto live = static_cast<double>(report.truth->live);
  std::optional<double> at_random;
  if (live > 0) at_random = static_cast<double>(report.pages) / live;
  for (const double alpha : kTableAlphas) {
    const auto cost = report.run->curve.cost(alpha, report.truth->live);
    const std::string tests = cost ? std::to_string(std::llround(*cost * alpha * live)) : "";
    table.rows.push_back({fmt::format("{:g}", alpha), tests, number(cost), number(at_random)});
  }
  return table;
}

TextTable table_of_found(const LiveRun& run) {
  constexpr std::uint64_t kRows = 5;
  TextTable table{{"tests", "found"}, {}};
  for (std::uint64_t row = 1; row <= kRows; ++row) {
    const std::uint64_t tests = run.tests * row / kRows;
    table.rows.push_back({std::to_string(tests), std::to_string(run.curve.found_after(tests))});
  }
  return table;
}

}  // namespace

TextTable run_table(const LiveReport& report) {
  return report.truth_is_whole ? table_of_costs(report) : table_of_found(*report.run);
}

TextTable why_table(const LiveReport& report) {
  TextTable table{{"reason", "value", "adds"}, {}};
  for (const Reason& reason : report.why) {
    table.rows.push_back(
        {reason.what, fmt::format("{}", reason.value), fmt::format("{}", reason.weight)});
  }
  return table;
}

TextTable comparison_table(const ComparisonTable& table) {
  TextTable found{{"method"}, {}};
  for (const double alpha : table.alphas)
    found.columns.push_back(fmt::format("cost_at_{:g}", alpha));
  found.columns.insert(found.columns.end(), {"area", "seconds"});
  for (const CostRow& row : table.rows) {
    Cells cells = {row.contestant.label};
    for (std::size_t i = 0; i < table.alphas.size(); ++i) {
      cells.push_back(fmt::format("{}", row.costs[i]));
    }
    cells.insert(cells.end(), {fmt::format("{}", row.area), fmt::format("{}", row.seconds)});
    found.rows.push_back(std::move(cells));
  }
  return found;
}

}  // namespace webstrata
