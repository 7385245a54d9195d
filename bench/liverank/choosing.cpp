// SPDX-License-Identifier: Apache-2.0

// How good the numbers inside LORE, `auto` and PB are, on the development pairs.
//
// Each number has a small grid around the value in use; all others stay as they are. A value is
// judged by the mean area of its cost curve (docs/METHODS.md: 1 is perfect) over seeds. A table has
// a line per value: the area on each pair for the value in use, and for the others the difference
// to it, with the same seeds. Below 0, the other value is cheaper. Beside the mean over pairs
// stands the largest difference on a single pair, since a number must not be bad anywhere.
//
// The program that chose these numbers at first was not kept; docs/METHODS.md ("On real crawls")
// says on which pairs they were chosen, so these tables are optimistic for the value in use.
//
// A difference whose 95 % interval contains 0 (paired bootstrap over seeds) is followed by ~. Few
// seeds are not enough on small pairs: on openbsd-www 2003, no free lessons seemed cheaper by 0.027
// with three seeds and cost 0.043 more with ten, where even that may be chance.

#include "bench/liverank/choosing.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "bench/liverank/bootstrap.h"
#include "bench/liverank/journal.h"
#include "webstrata/base/error.h"
#include "webstrata/liverank/comparison.h"

namespace webstrata {
namespace {

struct Number {
  std::string name;
  std::string method;
  double in_use;
  std::vector<double> others;
  void (*set)(PlannerOptions& options, double value);
};

SampleOptions& sample_in(PlannerOptions& options, std::string_view method) {
  if (!options.sample) options.sample = planner_entry(method).sample;
  return *options.sample;
}

std::vector<Number> numbers() {
  const LoreParameters lore;
  const ExplorationParameters& exploration = lore.exploration;
  const BetaParameters pb;
  const SampleOptions sample = planner_entry("auto").sample;
  using P = PlannerOptions;
  const auto whole = [](auto number) { return static_cast<double>(number); };
  return {
      {"auto.sample",
       "auto",
       sample.size,
       {0.0005, 0.001, 0.005, 0.01},
       [](P& to, double value) { sample_in(to, "auto").size = value; }},
      {"auto.sample_min",
       "auto",
       whole(sample.size_min),
       {1, 2, 10, 20},
       [](P& to, double value) {
         sample_in(to, "auto").size_min = static_cast<std::uint64_t>(value);
       }},
      {"lore.prior",
       "auto",
       lore.prior,
       {0, 0.05, 0.1, 0.2, 0.3, 0.5},
       [](P& to, double value) { to.lore.prior = value; }},
      {"lore.ridge",
       "auto",
       lore.ridge,
       {0.5, 1, 4, 8},
       [](P& to, double value) { to.lore.ridge = value; }},
      {"lore.bins",
       "auto",
       whole(lore.bins),
       {4, 6, 12, 16},
       [](P& to, double value) { to.lore.bins = static_cast<std::size_t>(value); }},
      {"lore.hub_links",
       "auto",
       whole(lore.hub_links),
       {30, 100, 1000},
       [](P& to, double value) { to.lore.hub_links = static_cast<std::size_t>(value); }},
      {"lore.rounds_min",
       "auto",
       lore.rounds_min,
       {25, 50, 200},
       [](P& to, double value) { to.lore.rounds_min = value; }},
      {"lore.rounds_max",
       "auto",
       lore.rounds_max,
       {100, 250, 1000},
       [](P& to, double value) { to.lore.rounds_max = std::max(value, to.lore.rounds_min); }},
      {"lore.round_work",
       "auto",
       lore.round_work,
       {1e6, 2e6, 8e6},
       [](P& to, double value) { to.lore.round_work = value; }},
      {"lore.first_tests",
       "auto",
       whole(lore.first_tests),
       {2, 5, 10},
       [](P& to, double value) { to.lore.first_tests = static_cast<std::size_t>(value); }},
      {"lore.growth",
       "auto",
       lore.growth,
       {1.1, 1.5, 2},
       [](P& to, double value) { to.lore.growth = value; }},
      {"lore.shrinking",
       "auto",
       lore.shrinking,
       {0.1, 0.5, 1},
       [](P& to, double value) { to.lore.shrinking = value; }},
      {"lore.deviations",
       "auto",
       lore.deviations,
       {1, 3, 4},
       [](P& to, double value) { to.lore.deviations = value; }},
      {"lore.rows_max",
       "auto",
       whole(lore.rows_max),
       {3000, 6000, 24000},
       [](P& to, double value) { to.lore.rows_max = static_cast<std::size_t>(value); }},
      {"lore.steps_first",
       "auto",
       whole(lore.steps_first),
       {6, 24},
       [](P& to, double value) { to.lore.steps_first = static_cast<int>(value); }},
      {"lore.steps_later",
       "auto",
       whole(lore.steps_later),
       {2, 3, 12},
       [](P& to, double value) { to.lore.steps_later = static_cast<int>(value); }},
      {"exploration.price",
       "auto",
       exploration.price,
       {1, 4, 8},
       [](P& to, double value) { to.lore.exploration.price = value; }},
      {"exploration.recent_max",
       "auto",
       exploration.recent_max,
       {0.4, 0.5, 0.7, 0.8},
       [](P& to, double value) { to.lore.exploration.recent_max = value; }},
      {"exploration.recent_min",
       "auto",
       exploration.recent_min,
       {5, 20, 40},
       [](P& to, double value) { to.lore.exploration.recent_min = value; }},
      {"exploration.recent_share",
       "auto",
       exploration.recent_share,
       {0.001, 0.005, 0.01},
       [](P& to, double value) { to.lore.exploration.recent_share = value; }},
      {"exploration.lessons_free",
       "auto",
       exploration.lessons_free,
       {0, 5, 10, 40},
       [](P& to, double value) { to.lore.exploration.lessons_free = value; }},
      {"exploration.lessons_share",
       "auto",
       exploration.lessons_share,
       {0, 0.002, 0.01, 0.02},
       [](P& to, double value) { to.lore.exploration.lessons_share = value; }},
      {"exploration.first_tests",
       "auto",
       exploration.first_tests,
       {2, 10, 20},
       [](P& to, double value) {  // with the same share of live pages
         ExplorationParameters& of = to.lore.exploration;
         of.first_live *= value / of.first_tests;
         of.first_tests = value;
       }},
      {"exploration.first_live",
       "auto",
       exploration.first_live,
       {3, 4, 5},
       [](P& to, double value) { to.lore.exploration.first_live = value; }},
      {"pb.damping",
       "pb",
       pb.damping,
       {0.5, 0.6, 0.8, 0.85},
       [](P& to, double value) { to.pb.damping = value; }},
      {"pb.kappa_first",
       "pb",
       pb.kappa_first,
       {0.005, 0.01, 0.05},
       [](P& to, double value) { to.pb.kappa_first = value; }},
      {"pb.kappa_step",
       "pb",
       pb.kappa_step,
       {2, 8},
       [](P& to, double value) { to.pb.kappa_step = value; }},
      {"pb.kappa_max",
       "pb",
       pb.kappa_max,
       {2, 6, 100},
       [](P& to, double value) { to.pb.kappa_max = value; }},
      {"pb.gain", "pb", pb.gain, {0, 0.003, 0.03}, [](P& to, double value) { to.pb.gain = value; }},
      {"pb.round",
       "pb",
       pb.round,
       {0.01, 0.05, 0.1},
       [](P& to, double value) { to.pb.round = value; }},
  };
}

std::vector<Number> wanted_numbers(const std::vector<std::string>& names) {
  const std::vector<Number> all = numbers();
  std::vector<Number> wanted;
  for (const std::string& name : names) {
    const auto place = std::ranges::find(all, name, &Number::name);
    if (place == all.end()) {
      throw Error(ErrorKind::BadInput, fmt::format("no number is called {}", name));
    }
    wanted.push_back(*place);
  }
  return names.empty() ? all : wanted;
}

// Fewer say nothing about how certain a difference is.
constexpr std::uint32_t kSeedsForInterval = 5;

// Areas of runs with seeds 1, 2, …
using Areas = std::vector<double>;

class Choosing {
 public:
  explicit Choosing(const ChoosingOptions& options) : options_(options) {
    for (const std::string& name : options.pairs) {
      pairs_.push_back({load_pair(name, options.folders),
                        Journal(std::filesystem::path(options.journal) / (name + ".jsonl"))});
    }
  }

  [[nodiscard]] bool is_late() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return options_.minutes > 0 && passed.count() > 60 * options_.minutes;
  }

  void measure(const Number& number) {
    fmt::print("\n{} ({})\n{:>12}", number.name, number.method, "value");
    for (const Pair& pair : pairs_) fmt::print("{:>18}", pair.pair.name);
    fmt::print("{:>10}{:>10}\n", "mean", "worst");
    std::vector<double> values = number.others;
    values.insert(std::ranges::upper_bound(values, number.in_use), number.in_use);
    // The value in use is measured first, since the others are compared with it.
    for (Pair& pair : pairs_) areas(pair, number, std::nullopt);
    for (const double value : values) {
      value == number.in_use ? show_in_use(number) : show_other(number, value);
      std::fflush(stdout);
    }
  }

 private:
  struct Pair {
    LivePair pair;
    Journal journal;
  };

  Areas areas(Pair& pair, const Number& number, std::optional<double> value) {
    Contestant contestant;
    contestant.method = number.method;
    contestant.label = value ? fmt::format("{} {}={:g}", number.method, number.name, *value)
                             : fmt::format("{} in use", number.method);
    if (value) number.set(contestant.options, *value);
    Areas found;
    for (std::uint64_t seed = 1; seed <= options_.seeds; ++seed) {
      const CostRun* known = pair.journal.find(contestant.label, seed);
      if (known == nullptr) {
        const CostRun run = measure_once(pair.pair.pages, pair.pair.truth, contestant, seed, {});
        found.push_back(run.costs.back());
        keep(pair, contestant.label, seed, run);
      } else {
        found.push_back(known->costs.back());
      }
    }
    return found;
  }

  // What was measured for one number serves the others, also without a folder for it.
  void keep(Pair& pair, const std::string& label, std::uint64_t seed, const CostRun& run) {
    if (options_.journal.empty()) {
      pair.journal.remember(label, seed, run);
    } else {
      pair.journal.add(label, seed, run);
    }
  }

  static double mean(const Areas& areas) {
    double sum = 0;
    for (const double area : areas) sum += area;
    return sum / static_cast<double>(areas.size());
  }

  void show_in_use(const Number& number) {
    fmt::print("{:>11g}*", number.in_use);
    double sum = 0;
    for (Pair& pair : pairs_) {
      const double area = mean(areas(pair, number, std::nullopt));
      fmt::print("{:>18.3f}", area);
      sum += area;
    }
    fmt::print("{:>10.3f}\n", sum / static_cast<double>(pairs_.size()));
  }

  void show_other(const Number& number, double value) {
    fmt::print("{:>12g}", value);
    double sum = 0;
    double worst = -1e300;
    for (Pair& pair : pairs_) {
      if (is_late()) {
        fmt::print("   not measured: the time is over\n");
        return;
      }
      const auto [more, low, high] =
          paired_difference(areas(pair, number, value), areas(pair, number, std::nullopt));
      const bool is_certain = options_.seeds >= kSeedsForInterval && (low > 0 || high < 0);
      fmt::print("{:>+17.3f}{}", more, is_certain ? " " : "~");
      std::fflush(stdout);
      sum += more;
      worst = std::max(worst, more);
    }
    fmt::print("{:>+10.3f}{:>+10.3f}\n", sum / static_cast<double>(pairs_.size()), worst);
  }

  ChoosingOptions options_;
  std::vector<Pair> pairs_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void measure_choices(const ChoosingOptions& options) {
  const std::vector<Number> wanted = wanted_numbers(options.numbers);
  fmt::print(
      "Area of the cost curve, mean of {} seeds. *: in use, with its area; others: difference to "
      "it, above 0 if they cost more; ~: may be chance.\n",
      options.seeds);
  Choosing choosing(options);
  for (const Number& number : wanted) {
    if (choosing.is_late()) {
      fmt::print("\n{}: not measured, the time is over\n", number.name);
      continue;
    }
    choosing.measure(number);
  }
}

}  // namespace webstrata
