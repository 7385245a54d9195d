// SPDX-License-Identifier: Apache-2.0

// A report as the page's script reads it (web/src/data.ts names the same fields).

#pragma once

#include <string>

#include "webstrata/base/json.h"
#include "webstrata/report/html_report.h"

namespace webstrata::report {

// JSON without characters that have a meaning in HTML: <, >, & and U+2028/9 are written as \u
// escapes.
std::string to_script_json(const HtmlReport& report);

// The fields of one part, into the object that is open; also used where it is an answer on its own.
void append_strata(JsonWriter& json, const Strata& strata);

}  // namespace webstrata::report
