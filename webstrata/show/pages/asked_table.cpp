// SPDX-License-Identifier: Apache-2.0

// Tested by tests/report/liverank_report_test.py.

#include "webstrata/show/pages/asked_table.h"

#include <string>

#include "webstrata/show/probe_forms.h"

namespace webstrata {
namespace {

using report::Cell;
using report::ColumnKind;

Cell text_or_nothing(std::string text) { return text.empty() ? Cell() : Cell(std::move(text)); }

std::vector<Cell> row_of(std::uint64_t test, const Probed& probed) {
  const Judgement& judgement = probed.judgement;
  return {test,
          probed.url,
          std::string(to_string(judgement.outcome)),
          text_or_nothing(answer_of(judgement)),
          text_or_nothing(evidence_of(judgement)),
          text_or_nothing(judgement.target),
          judgement.time == 0 ? Cell() : Cell(to_rfc3339(seconds_of(judgement.time)))};
}

}  // namespace

report::Table asked_table(const std::vector<Probed>& asked) {
  report::Table table{.title = "Pages asked",
                      .caption =
                          "Every page that was tested, in that order: what became of it, the "
                          "status or failure of its own answer, the evidence for the outcome, "
                          "and where it moved to.",
                      .columns = {{.name = "test", .kind = ColumnKind::Number},
                                  {.name = "url", .kind = ColumnKind::Link},
                                  {.name = "outcome"},
                                  {.name = "answer"},
                                  {.name = "evidence"},
                                  {.name = "target", .kind = ColumnKind::Link},
                                  {.name = "time"}}};
  for (const Probed& probed : asked) table.rows.push_back(row_of(table.rows.size() + 1, probed));
  return table;
}

}  // namespace webstrata
