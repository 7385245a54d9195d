// SPDX-License-Identifier: Apache-2.0

// Which estimator finds most under a budget, and how fast each is; docs/METHODS.md has the
// protocol.
//
//   explore_bench                       speed, then quality of all estimators on real pages
//   explore_bench --speed [--only extra,nh-n-sum]
//   explore_bench --quality [--data schools-wiki] [--topics opera,desert] [--sets 20] [--brief]
//   explore_bench --findings            the paper on randomness, refresh rates and more
//   explore_bench --fit --sets 2 --write webstrata/explore/extra_weights.h
//                                       the weights that extra begins with, from nothing
//   explore_bench --recrawl             freshness on openbsd-www by policy of recrawling
//
// --data also takes a file of JSON lines (URL, text, links with URL, text or context), plain or
// zstd, together with --topics.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "bench/explore/sections.h"

namespace webstrata {
namespace {

int run(int argc, char** argv) {
  CLI::App app{"Exploration under a budget: quality and speed of the estimators"};
  ExploreBench bench{.shared = std::filesystem::path(WEBSTRATA_SOURCE_DIR) / "../shared"};
  bool speed = false;
  bool quality = false;
  bool findings = false;
  bool recrawl = false;
  bool fit = false;
  app.add_flag("--speed", speed, "steps a second");
  app.add_flag("--quality", quality, "what crawls find");
  app.add_flag("--findings", findings, "randomness and refresh rates");
  app.add_flag("--recrawl", recrawl, "policies of recrawling");
  app.add_flag("--fit", fit, "the weights that extra begins with");
  app.add_option("--write", bench.write, "with --fit: the file to write, else standard output");
  app.add_option("--shared", bench.shared, "folder with data/");
  app.add_option("--data", bench.data, "schools-wiki, debpkg, debpkg-trixie, or files")
      ->delimiter(',');
  app.add_option("--topics", bench.topics, "keywords")->delimiter(',');
  app.add_option("--only", bench.only, "estimators")->delimiter(',');
  app.add_option("--sets", bench.sets, "seed sets for each topic");
  app.add_option("--seed", bench.seed, "of all that is random");
  app.add_option("--budget", bench.budget_max, "pages; fewer where fewer score");
  app.add_option("--threads", bench.threads, "0: one for each core");
  app.add_flag("--brief", bench.is_brief, "only means over topics");
  CLI11_PARSE(app, argc, argv);
  const bool all = !speed && !quality && !findings && !recrawl && !fit;
  if (speed || all) measure_speed(bench);
  if (quality || all) measure_quality(bench);
  if (findings) measure_findings(bench);
  if (recrawl) measure_recrawl(bench);
  if (fit) fit_extra(bench);
  return 0;
}

}  // namespace
}  // namespace webstrata

int main(int argc, char** argv) try {
  return webstrata::run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "explore_bench: {}\n", error.what());
  return 2;
}
