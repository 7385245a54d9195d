// SPDX-License-Identifier: Apache-2.0

// The papers' figures of a comparison: in each of them all methods begin with the same kind of
// sample, and either kind, size or method varies.

#pragma once

#include <string>
#include <vector>

#include "webstrata/show/pages/liverank_parts.h"

namespace webstrata {

// A row of a comparison as it is drawn; its name says with which sample it began.
DrawnMethod drawn_row(const CostRow& row, const ComparisonTable& table);

// Every figure for which the comparison has the rows. `chance`: "Means over seeds 1 to 5."
void add_sample_figures(const LivePage& page, const ComparisonTable& table,
                        const std::string& chance, std::vector<report::Section>& sections);

}  // namespace webstrata
