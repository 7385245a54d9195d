// What a set of crawled pages is worth.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "webstrata/base/ids.h"

namespace webstrata {

// Told of every page of a crawl in order, seeds first: the value of the set with this page. It may
// remember what it likes, so any function of sets can be had; it must not fall.
using SetFunction = std::function<double(Node node, double score)>;
// A new one for each crawl.
using SetFunctionMaker = std::function<SetFunction()>;

SetFunction sum_of_scores();
// Pages that do not score 0.
SetFunction count_of_scores();

// "sum", "count". Throws Error(BadInput) for other words.
SetFunctionMaker set_function(std::string_view name);

// f(x) = 1 + ln x, and 0 for 0: how counts of words become scores.
double smoothed_count(std::uint64_t count) noexcept;

// k requests each d seconds, for T seconds: kT/d pages. Throws Error(BadInput) if one of them is
// not above 0.
std::uint64_t budget_of(double requests, double period_seconds, double total_seconds);

}  // namespace webstrata
