// SPDX-License-Identifier: Apache-2.0

// The statistics of links as JSON and as one table.

#pragma once

#include <string>

#include "webstrata/archive/ask/comparison.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

// One object with everything; without a newline.
std::string as_json(const Archive& archive, const LinkStatistics& stats);
// The same numbers, one per row: which table, which row of it, what is counted, how many.
TextTable stats_table(const LinkStatistics& stats);

}  // namespace webstrata
