// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/recrawl_test.cpp.

#include "webstrata/explore/recrawl.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr double kHedge = 0.25;

constexpr std::array kPolicies = {
    RecrawlPolicyEntry{RecrawlPolicy::Uniform, "uniform", "every page equally often"},
    RecrawlPolicyEntry{RecrawlPolicy::Proportional, "proportional",
                       "the more often a page changes"},
    RecrawlPolicyEntry{RecrawlPolicy::Optimal, "optimal",
                       "the most expected freshness (Azar et al. 2018)"},
    RecrawlPolicyEntry{RecrawlPolicy::Hedged, "hedged",
                       "three quarters as optimal, the rest uniform"},
};

void check(std::span<const RecrawlPage> pages, double visits_per_day) {
  const auto is_good = [](double value) { return std::isfinite(value) && value >= 0; };
  const bool all_good =
      is_good(visits_per_day) && std::all_of(pages.begin(), pages.end(), [&](const auto& page) {
        return is_good(page.weight) && is_good(page.rate);
      });
  if (all_good) return;
  throw Error(ErrorKind::BadInput, "weights, rates and budget of a recrawl must be numbers from 0");
}

std::vector<double> spread(std::size_t pages, double visits_per_day) {
  if (pages == 0) return {};
  return std::vector<double>(pages, visits_per_day / static_cast<double>(pages));
}

std::vector<double> in_proportion(std::span<const RecrawlPage> pages, double visits_per_day) {
  double sum = 0;
  for (const RecrawlPage& page : pages) sum += page.rate;
  if (sum <= 0) return spread(pages.size(), visits_per_day);
  std::vector<double> visits;
  for (const RecrawlPage& page : pages) visits.push_back(visits_per_day * page.rate / sum);
  return visits;
}

// The first visit gains most where weight over rate is largest, so the pages that are visited come
// first in that order. With k of them, 1 / sqrt(l) = (R + sum of D) / (sum of sqrt(w D)); k is the
// largest number for which the last one still gets a positive number of visits.
std::vector<double> best_visits(std::span<const RecrawlPage> pages, double visits_per_day) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (pages[i].weight > 0 && pages[i].rate > 0) order.push_back(i);
  }
  if (order.empty()) return spread(pages.size(), visits_per_day);
  std::vector<double> visits(pages.size());
  if (visits_per_day == 0) return visits;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double left = pages[a].weight * pages[b].rate;
    const double right = pages[b].weight * pages[a].rate;
    return left != right ? left > right : a < b;
  });
  double rates = 0;
  double roots = 0;
  double scale = 0;  // 1 / sqrt(l)
  for (const std::size_t i : order) {
    const double root = std::sqrt(pages[i].weight * pages[i].rate);
    const double next = (visits_per_day + rates + pages[i].rate) / (roots + root);
    if (next * root <= pages[i].rate) break;
    rates += pages[i].rate;
    roots += root;
    scale = next;
  }
  for (const std::size_t i : order) {
    const double root = std::sqrt(pages[i].weight * pages[i].rate);
    visits[i] = std::max(0.0, scale * root - pages[i].rate);
  }
  return visits;
}

}  // namespace

std::span<const RecrawlPolicyEntry> recrawl_policies() { return kPolicies; }

double change_rate(std::uint64_t visits, std::uint64_t changes, double days_between) {
  if (visits == 0 || changes > visits || !(days_between > 0)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} changes in {} visits {} days apart do not give a rate of change",
                            changes, visits, days_between));
  }
  const auto n = static_cast<double>(visits);
  const auto unchanged = static_cast<double>(visits - changes);
  return std::log((n + 0.5) / (unchanged + 0.5)) / days_between;
}

std::vector<double> allocate(RecrawlPolicy policy, std::span<const RecrawlPage> pages,
                             double visits_per_day) {
  check(pages, visits_per_day);
  switch (policy) {
    case RecrawlPolicy::Uniform:
      return spread(pages.size(), visits_per_day);
    case RecrawlPolicy::Proportional:
      return in_proportion(pages, visits_per_day);
    case RecrawlPolicy::Optimal:
      return best_visits(pages, visits_per_day);
    case RecrawlPolicy::Hedged:
      break;
  }
  std::vector<double> visits = best_visits(pages, (1 - kHedge) * visits_per_day);
  const std::vector<double> even = spread(pages.size(), kHedge * visits_per_day);
  for (std::size_t i = 0; i < visits.size(); ++i) visits[i] += even[i];
  return visits;
}

double expected_freshness(std::span<const RecrawlPage> pages, std::span<const double> visits) {
  double fresh = 0;
  double all = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const double changing = visits[i] + pages[i].rate;
    const double share = pages[i].rate == 0 ? 1 : visits[i] / changing;
    fresh += pages[i].weight * share;
    all += pages[i].weight;
  }
  return all > 0 ? fresh / all : 1;
}

double visit_worth(const RecrawlPage& page, double days_since_seen) noexcept {
  return page.weight * -std::expm1(-page.rate * std::max(0.0, days_since_seen));
}

}  // namespace webstrata
