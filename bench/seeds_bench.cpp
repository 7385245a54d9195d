// SPDX-License-Identifier: Apache-2.0

// How good seeds chosen on an old crawl are in a newer one: all methods, equal numbers of alive
// seeds, Debian's documentation web and package web from release to release.
//
//   seeds_bench [--shared DIR] [--pairs debweb,debpkg] [--counts 10,50] [--repetitions 20] [--json]
//
// A row is the mean over random seeds (deterministic methods run once) with half the width of its
// 95 % interval: tests until enough seeds were alive, CPU seconds of all threads with PageRank and
// all else, and PageRank of the newer graph within 1 to 6 links of the seeds. Pages with --json.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/seeds/page_graph.h"
#include "webstrata/base/json.h"
#include "webstrata/jobs/liverank_survival.h"
#include "webstrata/seeds/crawl_profile.h"
#include "webstrata/seeds/seed_methods.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kDepthMax = 6;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct BenchOptions {
  std::filesystem::path shared = std::filesystem::path(WEBSTRATA_SOURCE_DIR) / "../shared";
  std::vector<std::string> pairs = {"debweb", "debpkg"};
  std::vector<std::uint64_t> counts = {10, 50};
  std::uint32_t repetitions = 20;
  std::vector<std::string> only;
  bool json = false;
};

struct Pair {
  std::string name;
  Snapshot old;
  Snapshot newer;
  std::vector<double> newer_scores;
};

Pair load_pair(const std::string& name, const std::filesystem::path& shared) {
  const bool is_web = name == "debweb";
  const auto file = [&](const std::string& release) {
    return shared / "data" / name / ("captures." + release + ".jsonl.zst");
  };
  Pair pair{name,
            page_graph(file(is_web ? "bullseye" : "bookworm")),
            page_graph(file(is_web ? "bookworm" : "trixie")),
            {}};
  pair.newer_scores = seed_scores(pair.newer);
  return pair;
}

// A method in one of its forms.
struct Contestant {
  std::string label;
  std::string method;
  bool is_random = false;
  void (*adjust)(SeedOptions& options) = [](SeedOptions&) {};
  bool asks_liverank = false;  // survival from LiveRank's posterior instead of running rates
};

const std::vector<Contestant>& contestants() {
  static const std::vector<Contestant> all = {
      {"random", "random", true},
      {"pagerank", "pagerank"},
      {"outdegree", "outdegree"},
      {"maxout", "maxout"},
      {"cores", "cores", true},
      {"cores lockstep", "cores", true,
       [](SeedOptions& options) { options.extraction.core.growth = CoreGrowth::Lockstep; }},
      {"pandora 1", "pandora", true,
       [](SeedOptions& options) { options.pandora.coverage.depths = {1}; }},
      {"pandora 2", "pandora", true,
       [](SeedOptions& options) { options.pandora.coverage.depths = {2}; }},
      {"pandora 3", "pandora", true,
       [](SeedOptions& options) { options.pandora.coverage.depths = {3}; }},
      {"pandora liverank", "pandora", true, [](SeedOptions&) {}, true},
      {"pandora", "pandora", true},
  };
  return all;
}

// Mean, and half the width of the 95 % interval (normal; 0 for a single value).
struct Estimate {
  double mean = 0;
  double half_width = 0;
};

Estimate estimate(const std::vector<double>& values) {
  Estimate found;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) found.mean += value / count;
  if (values.size() < 2) return found;
  double squares = 0;
  for (const double value : values) squares += (value - found.mean) * (value - found.mean);
  found.half_width = 1.96 * std::sqrt(squares / (count - 1) / count);
  return found;
}

struct Row {
  std::string pair;
  std::string label;
  std::uint64_t count = 0;
  Estimate alive;
  Estimate tests;
  Estimate seconds;
  std::vector<Estimate> mass;   // depth 1, 2, ...
  std::vector<Estimate> pages;  // likewise
};

class Samples {
 public:
  void add(const SeedsResult& result, const CrawlProfile& profile, double seconds) {
    alive_.push_back(static_cast<double>(result.seeds.size()));
    tests_.push_back(static_cast<double>(result.tests));
    seconds_.push_back(seconds);
    for (std::size_t depth = 1; depth <= kDepthMax; ++depth) {
      mass_[depth - 1].push_back(profile.depths[depth].score_so_far);
      pages_[depth - 1].push_back(profile.depths[depth].pages_so_far);
    }
  }
  [[nodiscard]] Row row(std::string pair, std::string label, std::uint64_t count) const {
    Row row{std::move(pair),  std::move(label),   count, estimate(alive_),
            estimate(tests_), estimate(seconds_), {},    {}};
    for (const auto& values : mass_) row.mass.push_back(estimate(values));
    for (const auto& values : pages_) row.pages.push_back(estimate(values));
    return row;
  }

 private:
  std::vector<double> alive_;
  std::vector<double> tests_;
  std::vector<double> seconds_;
  std::vector<std::vector<double>> mass_{kDepthMax};
  std::vector<std::vector<double>> pages_{kDepthMax};
};

Row measure(const Pair& pair, const Contestant& contestant, std::uint64_t count,
            std::uint32_t repetitions) {
  Samples samples;
  for (std::uint32_t i = 0; i < (contestant.is_random ? repetitions : 1); ++i) {
    SeedOptions options;
    options.count = count;
    options.seed = i + 1;
    options.test = survival_by_name(pair.old, pair.newer);
    contestant.adjust(options);
    const double start = cpu_seconds();
    std::optional<LiveRankSurvival> survival;
    if (contestant.asks_liverank) {
      survival.emplace(pair.old, options.seed);
      options.pandora.survival = &*survival;
    }
    const SeedsResult result = choose_seeds(pair.old, contestant.method, options);
    const double took = cpu_seconds() - start;
    std::vector<Node> seeds;
    for (const SeedCandidate& seed : result.seeds) {
      seeds.push_back(*survivor(pair.old, pair.newer, seed.node));
    }
    samples.add(result, crawl_profile(pair.newer, seeds, pair.newer_scores, kDepthMax), took);
  }
  return samples.row(pair.name, contestant.label, count);
}

std::string as_text(const Row& row) {
  std::string text =
      fmt::format("{:<8}{:>4}  {:<16}{:>7.1f}{:>9.1f}{:>9.2f}  ", row.pair, row.count, row.label,
                  row.alive.mean, row.tests.mean, row.seconds.mean);
  for (const Estimate& mass : row.mass) {
    text += fmt::format("  {:.3f} ±{:.3f}", mass.mean, mass.half_width);
  }
  return text;
}

void append_estimates(JsonWriter& json, std::string_view key, const std::vector<Estimate>& row) {
  json.key(key).begin_array();
  for (const Estimate& one : row) {
    json.begin_array().value(one.mean).value(one.half_width).end_array();
  }
  json.end_array();
}

std::string as_json(const std::vector<Row>& rows) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const Row& row : rows) {
    json.begin_object().field("pair", std::string_view(row.pair)).field("count", row.count);
    json.field("method", std::string_view(row.label)).field("alive", row.alive.mean);
    json.field("tests", row.tests.mean).field("tests_95", row.tests.half_width);
    json.field("seconds", row.seconds.mean);
    append_estimates(json, "mass", row.mass);
    append_estimates(json, "pages", row.pages);
    json.end_object();
  }
  json.end_array();
  return text + "\n";
}

// The goals for PANDORA with its default depths, against all other methods.
std::string verdict(const std::vector<Row>& rows) {
  const Row& pandora = rows.back();
  std::string text = fmt::format("{} {}:", pandora.pair, pandora.count);
  for (std::size_t depth = 1; depth <= 4; ++depth) {
    const Row* best = nullptr;
    for (const Row& row : rows) {
      if (row.label.starts_with("pandora")) continue;
      if (best == nullptr || row.mass[depth - 1].mean > best->mass[depth - 1].mean) best = &row;
    }
    if (best == nullptr) return text;
    text += fmt::format("  depth {} {:+.3f} against {}", depth,
                        pandora.mass[depth - 1].mean - best->mass[depth - 1].mean, best->label);
  }
  return text;
}

void run_pair(const std::string& name, const BenchOptions& options, std::vector<Row>& all) {
  const Pair pair = load_pair(name, options.shared);
  for (const std::uint64_t count : options.counts) {
    std::vector<Row> rows;
    for (const Contestant& contestant : contestants()) {
      const bool is_wanted =
          options.only.empty() ||
          std::ranges::find(options.only, contestant.label) != options.only.end();
      if (!is_wanted) continue;
      rows.push_back(measure(pair, contestant, count, options.repetitions));
      if (!options.json) fmt::print("{}\n", as_text(rows.back()));
      std::fflush(stdout);
    }
    if (!options.json && !rows.empty()) fmt::print("{}\n\n", verdict(rows));
    all.insert(all.end(), rows.begin(), rows.end());
  }
}

int run(int argc, char** argv) {
  CLI::App app{"What seeds of an old crawl are worth in a newer one"};
  BenchOptions options;
  app.add_option("--shared", options.shared, "folder with data/");
  app.add_option("--pairs", options.pairs, "debweb, debpkg")->delimiter(',');
  app.add_option("--counts", options.counts, "alive seeds")->delimiter(',');
  app.add_option("--repetitions", options.repetitions, "random seeds");
  app.add_option("--only", options.only, "labels of the methods to run")->delimiter(',');
  app.add_flag("--json", options.json, "print one JSON array instead of a table");
  CLI11_PARSE(app, argc, argv);
  if (!options.json) {
    fmt::print("{:<8}{:>4}  {:<16}{:>7}{:>9}{:>9}    PageRank within 1, 2, ... links\n", "pair",
               "K", "method", "alive", "tests", "seconds");
  }
  std::vector<Row> rows;
  for (const std::string& pair : options.pairs) run_pair(pair, options, rows);
  if (options.json) fmt::print("{}", as_json(rows));
  return 0;
}

}  // namespace
}  // namespace webstrata

int main(int argc, char** argv) try {
  return webstrata::run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "seeds_bench: {}\n", error.what());
  return 2;
}
