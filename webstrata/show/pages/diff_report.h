// SPDX-License-Identifier: Apache-2.0

// What changed between two times as a page with pictures.

#pragma once

#include <string>

#include "webstrata/archive/ask/comparison.h"
#include "webstrata/report/html_report.h"

namespace webstrata {

// `name`: the archive's name as the user typed it.
report::HtmlReport diff_report(const DiffResult& result, const std::string& name, Time t0, Time t1);

}  // namespace webstrata
