// SPDX-License-Identifier: Apache-2.0

// The presence matrix of a page in the form of pictures: what the reports, Python and the server
// show as strata.
//
//   const Presence found = presence(archive, nodes, question);
//   page.sections.push_back(strata_of(archive, nodes, question.direction, found));

#pragma once

#include <span>
#include <string>

#include "webstrata/archive/ask/presence.h"
#include "webstrata/report/html_report.h"

namespace webstrata {

// Rows are named by their URLs and grouped by place (how near the other end is), kind and host.
report::Strata strata_of(const Archive& archive, std::span<const Uid> nodes, Direction direction,
                         const Presence& found);

// {"title", "caption", "times", "names", "runs", "groupings", "left_out"}: the fields that
// web/src/data.ts names. Ends with a newline.
std::string strata_as_json(const report::Strata& strata);

}  // namespace webstrata
