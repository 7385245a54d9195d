// Which pages of an old crawl still live: what every LiveRank method costs, by the protocol of
// docs/METHODS.md, beside the papers' best fixed configuration and the hindsight envelope.
//
//   liverank_bench [--shared DIR] [--pairs debweb-present,...] [--seeds 20] [--only auto,lore]
//   liverank_bench --speed 2,4,8,13      seconds and memory on copies of debweb, 100 batches
//
// A row is the mean cost over seeds at each alpha, the area, the worst run and CPU seconds a run.

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/liverank/pairs.h"
#include "webstrata/base/json.h"
#include "webstrata/liverank/comparison.h"

namespace webstrata {
namespace {

struct BenchOptions {
  PairFolders folders{std::filesystem::path(WEBSTRATA_SOURCE_DIR) / "../shared",
                      std::filesystem::path(WEBSTRATA_SOURCE_DIR) / "build/liverank_data"};
  std::vector<std::string> pairs = pair_names();
  std::vector<std::string> only;
  std::vector<unsigned> speed;
  std::string method = "auto";
  std::uint32_t seeds = 20;
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

void run_pair(const std::string& name, const BenchOptions& options, JsonWriter& json) {
  const LivePair pair = load_pair(name, options.folders);
  const double random =
      static_cast<double>(pair.pages.size()) / static_cast<double>(pair.truth.live);
  if (!options.json) {
    fmt::print(
        "\n{}: n {}, links {}, live {}, n/n_a {:.3f}\n{:<26}     .1     .2     .5     .8"
        "     .9    .95  area   worst runs\n",
        name, pair.pages.size(), pair.pages.graph.link_count(), pair.truth.live, random, "");
  }
  std::vector<CostRow> rows;
  for (const Contestant& contestant : all_contestants()) {
    const bool is_wanted = options.only.empty() ||
                           std::ranges::find(options.only, contestant.label) != options.only.end();
    if (!is_wanted) continue;
    rows.push_back(measure(pair.pages, pair.truth, contestant, {.seeds = options.seeds}));
    if (options.json) {
      append_json(json, name, rows.back());
    } else {
      fmt::print("{}\n", as_text(rows.back(), pair.truth, random));
      std::fflush(stdout);
    }
  }
  if (!options.json) show_hindsight(rows);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void run_speed(unsigned copies, const BenchOptions& options) {
  const LivePair pair = copied_pair(copies, options.folders);
  const double loaded = wall_seconds();
  PlannerOptions planner_options{.round = 0.01};
  planner_options.work.threads = 1;
  const auto planner = make_planner(options.method, pair.pages, planner_options);
  const double made = wall_seconds();
  Oracle oracle(pair.truth.ask());
  const LiveRun run = run_planner(*planner, oracle);
  const double took = wall_seconds() - made;
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
  app.add_option("--only", options.only, "labels of the methods to run")->delimiter(',');
  app.add_option("--seeds", options.seeds, "runs of each method with chance");
  app.add_option("--speed", options.speed, "measure speed on so many copies of debweb")
      ->delimiter(',');
  app.add_option("--method", options.method, "with --speed: the method");
  app.add_flag("--json", options.json, "print one JSON array instead of tables");
  CLI11_PARSE(app, argc, argv);
  for (const unsigned copies : options.speed) run_speed(copies, options);
  if (!options.speed.empty()) return 0;
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
