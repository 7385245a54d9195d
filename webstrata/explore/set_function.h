// SPDX-License-Identifier: Apache-2.0

// The value of a set of crawled pages.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "webstrata/base/ids.h"

namespace webstrata {

// Called with every page of a crawl in order, seeds first; returns the value of the set including
// this page. It may keep any state, so it can be any function of sets; it must not decrease.
using SetFunction = std::function<double(Node node, double score)>;
// A new one for each crawl.
using SetFunctionMaker = std::function<SetFunction()>;

SetFunction sum_of_scores();
// Pages that do not score 0.
SetFunction count_of_scores();

// "sum", "count". Throws Error(BadInput) for other words.
SetFunctionMaker set_function(std::string_view name);

// f(x) = 1 + ln x, and 0 for 0: how counts of words become scores. Counts are 0 or at least 1;
// between them the logarithm would fall below 0.
double smoothed_count(double count) noexcept;

// k requests every d seconds, for T seconds: kT/d pages. Throws Error(BadInput) if one of them is
// not above 0.
std::uint64_t budget_of(double requests, double period_seconds, double total_seconds);

}  // namespace webstrata
