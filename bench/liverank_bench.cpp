// SPDX-License-Identifier: Apache-2.0

// Which pages of an old crawl still live: what every LiveRank method costs, by the protocol of
// docs/METHODS.md, with the papers' best fixed configuration and the hindsight envelope.
//
//   liverank_bench [--shared DIR] [--pairs debweb-present,...] [--seeds 20] [--only auto,lore]
//   liverank_bench --held-out            other pairs of the same kinds
//   liverank_bench --small               sites of some hundred pages
//   liverank_bench --journal runs --table    what a long comparison has found so far
//   liverank_bench --only auto --sample 0.001   another first sample for auto, lore and pb
//   liverank_bench --choosing --seeds 3 --minutes 30   other values of the numbers inside auto and
//   pb liverank_bench --choosing --only lore.prior,lore.ridge --pairs openbsd-2006 liverank_bench
//   --speed 2,4,8,13      seconds and memory on copies of debweb, 100 batches
//
// A row is the mean cost over seeds at each alpha, the area, the worst run and CPU seconds per run.
// With --journal every run is kept in a file of its pair and not made again.

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/liverank/bootstrap.h"
#include "bench/liverank/choosing.h"
#include "bench/liverank/journal.h"
#include "bench/liverank/pairs.h"
#include "webstrata/base/json.h"
#include "webstrata/liverank/comparison.h"

namespace webstrata {
namespace {

struct BenchOptions {
  PairFolders folders{std::filesystem::path(WEBSTRATA_SOURCE_DIR) / "../shared",
                      std::filesystem::path(WEBSTRATA_SOURCE_DIR) / "build/liverank_data"};
  std::vector<std::string> pairs;
  PairGroup group = PairGroup::Main;
  std::vector<std::string> only;
  std::string journal;  // a folder
  bool table = false;   // only what the journal has
  std::vector<unsigned> speed;
  std::string method = "auto";
  std::optional<double> sample;  // of auto, lore and pb
  std::uint32_t seeds = 20;
  bool choosing = false;
  double minutes = 0;
  bool json = false;
};

std::string as_text(const CostRow& row, const Truth& truth, double random) {
  std::string text = fmt::format("{:<26}", row.contestant.label);
  for (const double cost : row.costs) text += fmt::format("{:>7.3f}", cost);
  text += fmt::format("  {:.3f}  ", row.area);
  for (const double worst : row.worst) text += fmt::format("{:>7.3f}", worst);
  std::uint64_t worse = 0;
  for (const auto& run : row.runs) worse += run.back() > random ? 1 : 0;
  return text +
         fmt::format("  {:>2} of {} worse than random {:>7.2f} s", worse, row.runs.size(),
                     row.seconds) +
         (truth.live == 0 ? " nothing lives" : "");
}

void append_json(JsonWriter& json, const std::string& pair, const CostRow& row) {
  json.begin_object().field("pair", std::string_view(pair));
  json.field("method", std::string_view(row.contestant.label));
  json.key("cost").begin_array();
  for (const double cost : row.costs) json.value(cost);
  json.end_array().key("worst").begin_array();
  for (const double cost : row.worst) json.value(cost);
  json.end_array().field("area", row.area).field("seconds", row.seconds);
  json.field("runs", row.runs.size()).end_object();
}

void show_hindsight(const std::vector<CostRow>& rows) {
  const Hindsight best = hindsight_of(rows);
  if (best.costs.empty()) return;
  std::string text = fmt::format("{:<26}", "hindsight");
  for (const double cost : best.costs) text += fmt::format("{:>7.3f}", cost);
  text += fmt::format("  best fixed {} {:.3f}\n{:<26}", best.best_fixed, best.best_area, "  by");
  for (const std::string& by : best.by) text += " " + by + ";";
  fmt::print("{}\n", text);
}

// How certain it is that auto is cheaper: at every alpha and for the area.
void show_differences(const std::vector<CostRow>& rows) {
  const auto ours =
      std::ranges::find(rows, "auto", [](const CostRow& r) { return r.contestant.label; });
  if (ours == rows.end()) return;
  const std::string fixed = hindsight_of(rows).best_fixed;
  for (const CostRow& row : rows) {
    const std::string& label = row.contestant.label;
    if (label != "lore" && label != "pb" && label != fixed) continue;
    std::string text = fmt::format("{:<26}", "auto - " + label);
    for (std::size_t i = 0; i < row.runs.front().size(); ++i) {
      std::vector<double> a;
      std::vector<double> b;
      for (const auto& run : ours->runs) a.push_back(run[i]);
      for (const auto& run : row.runs) b.push_back(run[i]);
      const auto [mean, low, high] = paired_difference(a, b);
      text += fmt::format(" {:+.3f} ({:+.3f} {:+.3f})", mean, low, high);
    }
    fmt::print("{}\n", text);
  }
}

// The runs of a contestant, from the journal where it has them.
std::vector<CostRun> runs_of(const LivePair& pair, const Contestant& contestant, Journal& journal,
                             const BenchOptions& options) {
  std::vector<CostRun> runs;
  for (std::uint64_t seed = 1; seed <= (contestant.is_random ? options.seeds : 1); ++seed) {
    const CostRun* known = journal.find(contestant.label, seed);
    if (known != nullptr) {
      runs.push_back(*known);
    } else if (!options.table) {
      runs.push_back(measure_once(pair.pages, pair.truth, contestant, seed, {}));
      if (!options.journal.empty()) journal.add(contestant.label, seed, runs.back());
    }
  }
  return runs;
}

std::vector<Contestant> contestants(const BenchOptions& options) {
  std::vector<Contestant> all = all_contestants();
  for (Contestant& contestant : all) {
    if (contestant.is_of_papers || !options.sample) continue;
    contestant.options.sample = planner_entry(contestant.method).sample;
    contestant.options.sample->size = *options.sample;
  }
  return all;
}

void run_pair(const std::string& name, const BenchOptions& options, JsonWriter& json) {
  const LivePair pair = load_pair(name, options.folders);
  Journal journal(std::filesystem::path(options.journal) / (name + ".jsonl"));
  const double random =
      static_cast<double>(pair.pages.size()) / static_cast<double>(pair.truth.live);
  if (!options.json) {
    fmt::print(
        "\n{}: n {}, links {}, live {}, n/n_a {:.3f}\n{:<26}     .1     .2     .5     .8"
        "     .9    .95  area   worst runs\n",
        name, pair.pages.size(), pair.pages.graph.link_count(), pair.truth.live, random, "");
  }
  std::vector<CostRow> rows;
  for (const Contestant& contestant : contestants(options)) {
    const bool is_wanted =
        options.only.empty() ||
        std::ranges::find(options.only, contestant.label) != options.only.end() ||
        (contestant.is_of_papers &&
         std::ranges::find(options.only, "papers") != options.only.end());
    if (!is_wanted) continue;
    const auto runs = runs_of(pair, contestant, journal, options);
    if (runs.empty()) continue;
    rows.push_back(summed_up(contestant, runs));
    if (options.json) {
      append_json(json, name, rows.back());
    } else {
      fmt::print("{}\n", as_text(rows.back(), pair.truth, random));
      std::fflush(stdout);
    }
  }
  if (options.json) return;
  show_hindsight(rows);
  show_differences(rows);
  std::fflush(stdout);
}

// CPU time, since the machine may do other work.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void run_speed(unsigned copies, const BenchOptions& options) {
  const LivePair pair = copied_pair(copies, options.folders);
  const double loaded = cpu_seconds();
  PlannerOptions planner_options{.round = 0.01};
  planner_options.work.threads = 1;
  const auto planner = make_planner(options.method, pair.pages, planner_options);
  const double made = cpu_seconds();
  Oracle oracle(pair.truth.ask());
  const LiveRun run = run_planner(*planner, oracle);
  const double took = cpu_seconds() - made;
  fmt::print(
      "{:<12} {:>9} pages {:>10} links  {:>6.2f} s to begin, {:>7.2f} s for {} batches, "
      "{:.3f} s a batch of a hundred, cost at .5 {:.3f}, {:.0f} MB\n",
      options.method, pair.pages.size(), pair.pages.graph.link_count(), made - loaded, took,
      run.batches, took / 100, run.curve.cost(0.5, pair.truth.live).value_or(0), peak_megabytes());
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  CLI::App app{"What LiveRank methods cost on pairs of crawls"};
  BenchOptions options;
  app.add_option("--shared", options.folders.shared, "folder with data/");
  app.add_option("--archives", options.folders.archives, "folder for the archives of the pairs");
  app.add_option("--pairs", options.pairs, "names of pairs")->delimiter(',');
  app.add_flag_callback(
      "--held-out", [&] { options.group = PairGroup::HeldOut; },
      "the pairs that chose no parameter");
  app.add_flag_callback(
      "--small", [&] { options.group = PairGroup::Small; }, "sites of some hundred pages");
  app.add_option("--journal", options.journal, "folder that keeps every run");
  app.add_flag("--table", options.table, "make no runs: show what the journal has");
  app.add_option("--only", options.only,
                 "labels of the methods to run; papers: all of theirs; with --choosing: names of "
                 "numbers")
      ->delimiter(',');
  app.add_option("--sample", options.sample, "size of the first sample of auto, lore and pb");
  app.add_option("--seeds", options.seeds, "runs of each method with chance");
  app.add_option("--speed", options.speed, "measure speed on so many copies of debweb")
      ->delimiter(',');
  app.add_option("--method", options.method, "with --speed: the method");
  app.add_flag("--choosing", options.choosing,
               "what other values of the numbers inside auto, lore and pb cost");
  app.add_option("--minutes", options.minutes, "with --choosing: begin nothing after this time");
  app.add_flag("--json", options.json, "print one JSON array instead of tables");
  CLI11_PARSE(app, argc, argv);
  if (options.pairs.empty()) options.pairs = pair_names(options.group);
  for (const unsigned copies : options.speed) run_speed(copies, options);
  if (!options.speed.empty()) return 0;
  if (options.choosing) {
    measure_choices({options.folders, options.pairs, options.only, options.journal, options.seeds,
                     options.minutes});
    return 0;
  }
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const std::string& pair : options.pairs) run_pair(pair, options, json);
  json.end_array();
  if (options.json) fmt::print("{}\n", text);
  return 0;
}

}  // namespace
}  // namespace webstrata

int main(int argc, char** argv) try {
  return webstrata::run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "liverank_bench: {}\n", error.what());
  return 2;
}
