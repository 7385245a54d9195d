// SPDX-License-Identifier: Apache-2.0

// The numbers of a report as CSV (RFC 4180), for users who draw their own pictures.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/report/html_report.h"

namespace webstrata::report {

// series, x, y; also low, high and label where a series has them. Every digit is kept; what is not
// finite is empty. A text that a spreadsheet would run as a formula gets an apostrophe before it.
std::string to_csv(const Plot& plot);
std::string to_csv(const Table& table);

// A file for each picture and table of the report, named after its title: "Found by day" goes
// into found-by-day.csv. Makes the folder; returns the files. Throws Error(Io).
std::vector<std::filesystem::path> write_csv(const HtmlReport& report,
                                             const std::filesystem::path& folder);

}  // namespace webstrata::report
