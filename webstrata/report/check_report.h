// SPDX-License-Identifier: Apache-2.0

// Checks that the parts of a report are consistent.

#pragma once

#include "webstrata/report/html_report.h"

namespace webstrata::report {

// Throws Error(BadInput) that names the section and what is inconsistent.
void check_report(const HtmlReport& report);

}  // namespace webstrata::report
