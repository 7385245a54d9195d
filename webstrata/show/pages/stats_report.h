// SPDX-License-Identifier: Apache-2.0

// The statistics of links as a page with pictures.

#pragma once

#include <string>

#include "webstrata/archive/ask/comparison.h"
#include "webstrata/report/html_report.h"

namespace webstrata {

// `name`: the archive's name as the user typed it.
report::HtmlReport stats_report(const Archive& archive, const LinkStatistics& stats,
                                const std::string& name);

// The days of class k of lifetimes: "0", "1-2", "3-6", …
std::string days_of_class(std::size_t k);

}  // namespace webstrata
