// SPDX-License-Identifier: Apache-2.0

// The statistics of links as JSON and as one table.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "webstrata/archive/ask/comparison.h"
#include "webstrata/graph/link_patterns.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

// Patterns of links, if they were asked for.
using FoundPatterns = std::optional<std::vector<LinkPattern>>;

// One object with everything; without a newline.
std::string as_json(const Archive& archive, const LinkStatistics& stats,
                    const FoundPatterns& patterns = {});
// One line for each pattern, without its targets; the largest first.
std::vector<std::string> pattern_lines(const std::vector<LinkPattern>& patterns);
// The same numbers, one per row: which table, which row of it, what is counted, how many.
TextTable stats_table(const LinkStatistics& stats, const FoundPatterns& patterns = {});

}  // namespace webstrata
