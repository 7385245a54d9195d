// SPDX-License-Identifier: Apache-2.0

// Histories are lists of versions with the time from which each holds. The visits of a policy are
// drawn with the same seed and in exactly the same number as those of the others. Freshness is
// integrated exactly: from event to event, an event being a change or a visit.
// Tested by tests/explore/recrawl_replay_test.cpp.

#include "webstrata/explore/recrawl_replay.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr double kSecondsPerDay = 86400;

// The content at `time`; 0 if there is none, or none is known yet.
std::uint64_t content_at(std::span<const PageVersion> versions, Time time) {
  const auto next = std::upper_bound(versions.begin(), versions.end(), time,
                                     [](Time t, const PageVersion& v) { return t < v.time; });
  return next == versions.begin() ? 0 : std::prev(next)->content;
}

// The share of time from `begin` to `end` during which the version seen last is current.
double fresh_share(std::span<const PageVersion> versions, std::span<const Time> visits, Time begin,
                   Time end) {
  auto version = std::upper_bound(versions.begin(), versions.end(), begin,
                                  [](Time t, const PageVersion& v) { return t < v.time; });
  auto visit = visits.begin();
  std::uint64_t there = content_at(versions, begin);
  std::uint64_t seen = there;
  Time now = begin;
  Time fresh = 0;
  while (now < end) {
    const Time change = version == versions.end() ? end : std::min(version->time, end);
    const Time look = visit == visits.end() ? end : std::min(*visit, end);
    const Time next = std::min(change, look);
    if (seen == there) fresh += next - now;
    now = next;
    if (now == end) break;
    if (change == now) {
      there = (version++)->content;
    } else {
      seen = there;
      ++visit;
    }
  }
  return static_cast<double>(fresh) / static_cast<double>(end - begin);
}

// This number of visits at random times, each to a page drawn by its share.
std::vector<std::vector<Time>> draw_visits(std::span<const double> shares, std::uint64_t count,
                                           const ReplayOptions& options) {
  std::vector<double> sums(shares.size());
  std::partial_sum(shares.begin(), shares.end(), sums.begin());
  std::vector<std::vector<Time>> visits(shares.size());
  Random random(options.seed);
  const auto span = static_cast<std::uint64_t>(options.end - options.split);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double place = random.unit() * sums.back();
    const auto page = std::upper_bound(sums.begin(), sums.end(), place) - sums.begin();
    const auto within = std::min<std::ptrdiff_t>(page, std::ssize(sums) - 1);
    const Time time = options.split + static_cast<Time>(random.below(span));
    visits[static_cast<std::size_t>(within)].push_back(time);
  }
  for (auto& times : visits) std::sort(times.begin(), times.end());
  return visits;
}

// The pages that exist at the split, with their rates.
struct Population {
  std::vector<const PageVersions*> histories;
  std::vector<RecrawlPage> pages;
};

Population population_of(std::span<const PageVersions> all, const ReplayOptions& options,
                         ReplayResult& result) {
  Population population;
  std::vector<std::size_t> unknown;
  double sum = 0;
  for (const PageVersions& page : all) {
    if (content_at(page.versions, options.split) == 0) continue;
    const auto rate =
        observed_rate(page.versions, options.begin, options.split, options.days_between);
    if (!rate) unknown.push_back(population.pages.size());
    result.unchanged += rate && *rate == 0 ? 1 : 0;
    sum += rate.value_or(0);
    population.histories.push_back(&page);
    population.pages.push_back({page.weight, rate.value_or(0)});
  }
  const std::size_t known = population.pages.size() - unknown.size();
  result.mean_rate = known == 0 ? 0 : sum / static_cast<double>(known);
  // A page that is too new for an estimate gets the mean of the others.
  for (const std::size_t i : unknown) population.pages[i].rate = result.mean_rate;
  result.pages = population.pages.size();
  return population;
}

double freshness_of(const Population& population, const std::vector<std::vector<Time>>& visits,
                    const ReplayOptions& options) {
  double fresh = 0;
  double all = 0;
  for (std::size_t i = 0; i < population.pages.size(); ++i) {
    const double weight = population.pages[i].weight;
    const std::span<const Time> looks = visits.empty() ? std::span<const Time>() : visits[i];
    fresh +=
        weight * fresh_share(population.histories[i]->versions, looks, options.split, options.end);
    all += weight;
  }
  return all > 0 ? fresh / all : 1;
}

}  // namespace

std::optional<double> observed_rate(std::span<const PageVersion> versions, Time begin, Time end,
                                    double days_between) {
  const auto step = static_cast<Time>(std::llround(days_between * kSecondsPerDay));
  std::uint64_t looks = 0;
  std::uint64_t changes = 0;
  std::optional<std::uint64_t> seen;
  for (Time time = begin; time <= end; time += step) {
    const std::uint64_t there = content_at(versions, time);
    if (seen) {
      ++looks;
      changes += there != *seen ? 1 : 0;
    }
    if (seen || there != 0) seen = there;
  }
  if (looks == 0) return std::nullopt;
  return change_rate(looks, changes, days_between);
}

ReplayResult replay(std::span<const PageVersions> pages, const ReplayOptions& options) {
  const bool is_sound = options.begin < options.split && options.split < options.end &&
                        options.days_between * kSecondsPerDay >= 1;
  if (!is_sound) {
    throw Error(ErrorKind::BadInput,
                "a replay needs a time to learn and a later one to be tested in");
  }
  ReplayResult result;
  const Population population = population_of(pages, options, result);
  if (population.pages.empty()) {
    throw Error(ErrorKind::BadInput, "no page with a known content is there at the split");
  }
  const double days = static_cast<double>(options.end - options.split) / kSecondsPerDay;
  result.visits = static_cast<std::uint64_t>(std::llround(options.visits_per_day * days));
  result.without_visits = freshness_of(population, {}, options);
  for (const RecrawlPolicy policy : options.policies) {
    const std::vector<double> shares = allocate(policy, population.pages, options.visits_per_day);
    const auto visits = draw_visits(shares, result.visits, options);
    const auto looked_at = std::count_if(visits.begin(), visits.end(),
                                         [](const auto& times) { return !times.empty(); });
    result.policies.push_back({policy, expected_freshness(population.pages, shares),
                               freshness_of(population, visits, options),
                               static_cast<std::uint64_t>(looked_at)});
  }
  return result;
}

}  // namespace webstrata
