// SPDX-License-Identifier: Apache-2.0

// The tables of `liverank`, with plain numbers: what --as csv prints.

#pragma once

#include "webstrata/show/liverank_forms.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

// Share found, tests needed, cost, cost at random; while pages are left, tests and found.
TextTable run_table(const LiveReport& report);
// What speaks for and against a page: reason, value, what it adds.
TextTable why_table(const LiveReport& report);
// Method, its cost at each share, area, seconds.
TextTable comparison_table(const ComparisonTable& table);

}  // namespace webstrata
