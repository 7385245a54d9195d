// SPDX-License-Identifier: Apache-2.0

// The page of a LiveRank run that has not seen all pages: the number of live ones is unknown.

#pragma once

#include "webstrata/show/pages/liverank_report.h"

namespace webstrata {

report::HtmlReport report_so_far(const LivePage& page, const LiveReport& report);

}  // namespace webstrata
