// Do the parts of a report fit together?

#pragma once

#include "webstrata/report/html_report.h"

namespace webstrata::report {

// Throws Error(BadInput) that names the section and what does not fit.
void check_report(const HtmlReport& report);

}  // namespace webstrata::report
