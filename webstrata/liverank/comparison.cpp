// SPDX-License-Identifier: Apache-2.0

// Each contestant is run once, or once per seed if it is random, against an oracle that counts
// tests; costs at all alphas come from the curve of that run. Hindsight is the lowest cost among
// the papers' rows at each alpha, which no single method reaches.
// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/comparison.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include <fmt/format.h>

namespace webstrata {

std::string kind_word(const SampleOptions& sample) {
  return sample.per_site > 0 ? fmt::format("{}-per-site", sample.per_site)
                             : std::string(to_string(sample.kind));
}

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr double kNotReached = std::numeric_limits<double>::quiet_NaN();

void sum_up(CostRow& row, std::size_t alpha_count) {
  const auto count = static_cast<double>(row.runs.size());
  for (std::size_t i = 0; i <= alpha_count; ++i) {
    double mean = 0;
    double squares = 0;
    double worst = 0;
    for (const auto& run : row.runs) mean += run[i] / count;
    for (const auto& run : row.runs) {
      squares += (run[i] - mean) * (run[i] - mean);
      worst = std::max(worst, run[i]);
    }
    if (i == alpha_count) {
      row.area = mean;
      return;
    }
    row.costs.push_back(mean);
    row.deviations.push_back(count > 1 ? std::sqrt(squares / (count - 1)) : 0);
    row.worst.push_back(worst);
  }
}

// "5%", or "200" pages.
std::string size_word(double size) {
  return size < 1 ? fmt::format("{:g}%", 100 * size) : fmt::format("{:g}", size);
}

// "random 5%", "3-per-site", "3-per-site 5%".
std::string sample_word(const SampleOptions& sample) {
  const std::string kind = kind_word(sample);
  return sample.size == kAllPages ? kind : fmt::format("{} {}", kind, size_word(sample.size));
}

Contestant plain(std::string_view method) {
  const PlannerEntry& entry = planner_entry(method);
  Contestant contestant;
  contestant.label = contestant.method = method;
  contestant.is_of_papers = entry.source == PlannerSource::Papers;
  contestant.is_random = entry.chance != Chance::None;
  return contestant;
}

void add_sampled(std::vector<Contestant>& all, const std::string& method, SampleKind kind,
                 double size) {
  PlannerOptions options;
  options.sample = SampleOptions{.kind = kind, .size = size};
  all.push_back(with_options(plain(method), options));
  if (method != "asf") return;
  options.unsampled_sites = UnsampledSites::MeanRate;
  all.push_back(with_options(plain(method), options));
}

}  // namespace

std::optional<SampleOptions> sample_of(const Contestant& contestant) {
  const PlannerEntry& entry = planner_entry(contestant.method);
  if (entry.planner_class == PlannerClass::Static) return std::nullopt;
  return contestant.options.sample.value_or(entry.sample);
}

std::string legend_of(const Contestant& contestant) {
  const auto sample = sample_of(contestant);
  if (!sample || contestant.options.sample) return contestant.label;
  return fmt::format("{} ({})", contestant.label, sample_word(*sample));
}

Contestant with_options(Contestant contestant, const PlannerOptions& options) {
  const PlannerEntry& entry = planner_entry(contestant.method);
  contestant.options = options;
  const bool is_static = entry.planner_class == PlannerClass::Static;
  if (!is_static && options.sample) {
    const SampleOptions& sample = *options.sample;
    contestant.label += " " + sample_word(sample);
    const bool is_drawn =
        sample.kind == SampleKind::Random || sample.kind == SampleKind::Systematic;
    contestant.is_random = is_drawn || entry.chance == Chance::Order;
  }
  if (contestant.method == "asf" && options.unsampled_sites == UnsampledSites::MeanRate) {
    // Ours: the papers put such sites last.
    contestant.variant = "mean";
    contestant.is_of_papers = false;
    contestant.label += " mean";
  }
  return contestant;
}

std::vector<Contestant> default_contestants() {
  std::vector<Contestant> all;
  for (const PlannerEntry& entry : planners()) all.push_back(plain(entry.name));
  return all;
}

std::vector<Contestant> all_contestants() {
  std::vector<Contestant> all;
  for (const char* method : {"auto", "lore", "pb"}) all.push_back(plain(method));
  all.push_back(plain("pb"));
  all.back().label = "pb two-round";
  all.back().variant = "two-round";
  all.back().options.round = 0;
  for (const char* method : {"random", "indegree", "pagerank"}) all.push_back(plain(method));
  for (const char* method : {"pa", "pa-ratio", "asf", "bfs", "ai"}) {
    for (const SampleKind kind : {SampleKind::Random, SampleKind::PageRank}) {
      for (const double size : {0.0025, 0.01, 0.05, 0.2}) {
        add_sampled(all, method, kind, size);
      }
    }
  }
  for (const char* method : {"pa", "pa-ratio"}) {
    add_sampled(all, method, SampleKind::PageRank, 0.025);
  }
  for (const double size : {0.0025, 0.01, 0.05, 0.2}) {
    add_sampled(all, "pa", SampleKind::InDegree, size);
  }
  for (const char* method : {"pa-ratio", "bfs", "ai"}) {
    add_sampled(all, method, SampleKind::InDegree, 0.01);
  }
  return all;
}

std::vector<Contestant> named_contestants(std::string_view words) {
  if (words == "all") return all_contestants();
  if (words == "methods") return default_contestants();
  std::vector<Contestant> chosen;
  for (std::string_view rest = words; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = rest.substr(0, comma);
    planner_entry(name);
    for (const Contestant& one : default_contestants()) {
      if (one.method == name) chosen.push_back(one);
    }
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return chosen;
}

CostRun measure_once(const Population& pages, const Truth& truth, const Contestant& contestant,
                     std::uint64_t seed, const ComparisonOptions& options) {
  const double start = cpu_seconds();
  PlannerOptions planner_options = contestant.options;
  planner_options.seed = seed;
  planner_options.work = {.threads = options.work.threads, .cancel = options.work.cancel};
  const auto planner = make_planner(contestant.method, pages, planner_options);
  Oracle oracle(truth.ask());
  const LiveRun run = run_planner(*planner, oracle, {.work = options.work});
  CostRun measured;
  for (const double alpha : options.alphas) {
    measured.costs.push_back(run.curve.cost(alpha, truth.live).value_or(kNotReached));
  }
  measured.costs.push_back(run.curve.area(truth.live).value_or(kNotReached));
  for (const std::uint64_t tests : options.tests) {
    measured.found.push_back(static_cast<double>(run.curve.found_after(tests)));
  }
  measured.seconds = cpu_seconds() - start;
  return measured;
}

CostRow summed_up(const Contestant& contestant, const std::vector<CostRun>& runs) {
  CostRow row;
  row.contestant = contestant;
  const auto count = static_cast<double>(runs.size());
  row.found.resize(runs.front().found.size());
  for (const CostRun& run : runs) {
    row.runs.push_back(run.costs);
    row.seconds += run.seconds / count;
    for (std::size_t i = 0; i < row.found.size(); ++i) row.found[i] += run.found[i] / count;
  }
  sum_up(row, runs.front().costs.size() - 1);
  return row;
}

CostRow measure(const Population& pages, const Truth& truth, const Contestant& contestant,
                const ComparisonOptions& options) {
  std::vector<CostRun> runs;
  for (std::uint32_t i = 0; i < (contestant.is_random ? options.seeds : 1); ++i) {
    runs.push_back(measure_once(pages, truth, contestant, options.first_seed + i, options));
  }
  return summed_up(contestant, runs);
}

Hindsight hindsight_of(const std::vector<CostRow>& rows) {
  Hindsight best;
  for (const CostRow& row : rows) {
    if (!row.contestant.is_of_papers) continue;
    if (best.costs.empty()) {
      best.costs.assign(row.costs.size(), std::numeric_limits<double>::infinity());
      best.by.resize(row.costs.size());
    }
    for (std::size_t i = 0; i < row.costs.size(); ++i) {
      if (!(row.costs[i] < best.costs[i])) continue;
      best.costs[i] = row.costs[i];
      best.by[i] = row.contestant.label;
    }
    if (best.best_fixed.empty() || row.area < best.best_area) {
      best.best_area = row.area;
      best.best_fixed = row.contestant.label;
    }
  }
  return best;
}

}  // namespace webstrata
