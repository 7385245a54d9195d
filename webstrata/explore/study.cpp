// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/study_test.cpp.

#include "webstrata/explore/study.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

constexpr int kResamples = 2000;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// About evenly spaced, with the marks of 5, 20 and 50 % among them.
std::vector<std::uint64_t> curve_steps(std::uint64_t budget, std::size_t points_max) {
  std::vector<std::uint64_t> steps;
  const std::uint64_t points =
      std::min<std::uint64_t>(budget, std::max<std::size_t>(points_max, 1));
  for (std::uint64_t i = 1; i <= points; ++i) steps.push_back(i * budget / points);
  for (const std::uint64_t divisor : {20, 5, 2})
    steps.push_back(std::max<std::uint64_t>(1, budget / divisor));
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

// The same for a method and a seed set, whatever else is in the study.
std::uint64_t seed_of(std::uint64_t study_seed, const std::string& label, std::size_t set) {
  return Random(study_seed ^ (checksum64(label) + set * 0x9e3779b97f4a7c15)).next();
}

CrawlCurve curve_of(const ExploreRun& run, const std::vector<std::uint64_t>& steps) {
  CrawlCurve curve;
  curve.steps = run.order.size();
  double sum = 0;
  double count = 0;
  std::size_t made = 0;
  for (const std::uint64_t step : steps) {
    for (; made < std::min<std::uint64_t>(step, run.scores.size()); ++made) {
      sum += run.scores[made];
      count += run.scores[made] > 0 ? 1 : 0;
    }
    curve.sum.push_back(sum);
    curve.count.push_back(count);
  }
  return curve;
}

}  // namespace

std::vector<Contender> contenders(const std::vector<std::string>& estimators) {
  std::vector<Contender> all;
  for (const std::string& name : estimators) all.push_back({.label = name, .estimator = name});
  return all;
}

std::size_t Study::point_at(double share) const noexcept {
  const auto step = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(share * static_cast<double>(budget) + 1e-9));
  const auto place = std::lower_bound(steps.begin(), steps.end(), step);
  return static_cast<std::size_t>(std::min(place, steps.end() - 1) - steps.begin());
}

double Study::relative(const StudyRow& row, CrawlValue value, std::size_t set,
                       std::size_t point) const noexcept {
  const double best = oracle.crawls[set].of(value)[point];
  return best > 0 ? row.crawls[set].of(value)[point] / best : 1;
}

double Study::mean_relative(const StudyRow& row, CrawlValue value,
                            std::size_t point) const noexcept {
  double sum = 0;
  for (std::size_t set = 0; set < row.crawls.size(); ++set) sum += relative(row, value, set, point);
  return sum / static_cast<double>(row.crawls.size());
}

Study run_study(const SimulatedWeb& web, const std::vector<std::vector<Node>>& seed_sets,
                const std::vector<Contender>& contenders, const StudyOptions& options) {
  if (seed_sets.empty())
    throw Error(ErrorKind::BadInput, "a study needs at least one set of seeds");
  Study study{.budget = options.budget,
              .seed = options.seed,
              .set_size = seed_sets.front().size(),
              .steps = curve_steps(options.budget, options.points_max),
              .oracle = {{.label = "oracle", .estimator = "oracle"}, {}},
              .rows = {}};
  for (const Contender& contender : contenders) study.rows.push_back({contender, {}});
  for (StudyRow& row : study.rows) row.crawls.resize(seed_sets.size());
  study.oracle.crawls.resize(seed_sets.size());
  const auto crawl = [&](std::size_t task) {
    const std::size_t set = task % seed_sets.size();
    const std::size_t place = task / seed_sets.size();
    StudyRow& row = place == 0 ? study.oracle : study.rows[place - 1];
    ExploreOptions chosen{.budget = options.budget,
                          .refresh = row.contender.refresh,
                          .estimator = row.contender.options,
                          .strategy = row.contender.strategy};
    chosen.work.cancel = options.work.cancel;
    chosen.estimator.seed = seed_of(options.seed, row.contender.label, set);
    chosen.strategy.seed = chosen.estimator.seed + 1;
    const double start = thread_seconds();
    const ExploreRun run = explore(web, row.contender.estimator, seed_sets[set], chosen);
    row.crawls[set] = curve_of(run, study.steps);
    row.crawls[set].seconds = thread_seconds() - start;
  };
  run_tasks((contenders.size() + 1) * seed_sets.size(), options.work, "crawls", crawl);
  return study;
}

PairedDifference paired_bootstrap(std::span<const double> a, std::span<const double> b,
                                  std::uint64_t seed) {
  const std::size_t count = std::min(a.size(), b.size());
  if (count == 0) return {};
  const auto difference = [&](std::size_t i) { return a[i] - b[i]; };
  PairedDifference result;
  for (std::size_t i = 0; i < count; ++i) result.mean += difference(i) / static_cast<double>(count);
  Random random(seed);
  std::vector<double> means(kResamples);
  for (double& mean : means) {
    for (std::size_t i = 0; i < count; ++i) mean += difference(random.below(count));
    mean /= static_cast<double>(count);
  }
  std::sort(means.begin(), means.end());
  result.low = means[kResamples * 25 / 1000];
  result.high = means[kResamples * 975 / 1000 - 1];
  return result;
}

}  // namespace webstrata
