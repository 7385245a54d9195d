// SPDX-License-Identifier: Apache-2.0

// Every page that a probe asked about, with the outcome and the evidence for it.

#pragma once

#include <vector>

#include "webstrata/fetch/probe/prober.h"
#include "webstrata/report/html_report.h"

namespace webstrata {

report::Table asked_table(const std::vector<Probed>& asked);

}  // namespace webstrata
