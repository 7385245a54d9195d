// SPDX-License-Identifier: Apache-2.0

// A report as the page's script reads it (web/src/data.ts names the same fields).

#pragma once

#include <string>

#include "webstrata/report/html_report.h"

namespace webstrata::report {

// JSON without characters that have a meaning in HTML: <, >, & and U+2028/9 are written as \u
// escapes.
std::string to_script_json(const HtmlReport& report);

}  // namespace webstrata::report
