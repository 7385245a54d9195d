// SPDX-License-Identifier: Apache-2.0

// What an archive takes and how fast it is, layer by layer.
//
//   archive_bench [--graph BASE] [--shared DIR] [--only links,names] [--copies 1,2,4]
//                 [--repetitions N] [--json]
//
// Every section adds figures; a figure says what it means and what it should reach. Times are CPU
// times, the best of some repetitions; only where two threads are compared with one, wall times.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "bench/archive/sections.h"

namespace webstrata {

void Figures::add(std::string name, double value, std::string meaning) {
  if (is_printing_) {
    fmt::print("{:<34} {:>10.4f}  {}\n", name, value, meaning);
    std::fflush(stdout);
  }
  figures_.push_back({std::move(name), value, std::move(meaning)});
}

double Figures::value(std::string_view name) const {
  return std::ranges::find(figures_, name, &Figure::name)->value;
}

std::string Figures::json() const {
  std::string text = "{";
  for (const auto& figure : figures_) {
    if (text.size() > 1) text += ",";
    text += fmt::format("\n  \"{}\": {:.6g}", figure.name, figure.value);
  }
  return text + "\n}\n";
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

namespace {

struct Section {
  std::string name;
  void (*run)(const BenchOptions& options, Figures& figures);
};

const std::vector<Section>& sections() {
  static const std::vector<Section> all = {
      {"links", bench_links},       {"times", bench_time_layers},   {"names", bench_names},
      {"building", bench_building}, {"updating", bench_updating},   {"asking", bench_asking},
      {"stacking", bench_stacking}, {"appending", bench_appending},
  };
  return all;
}

int run(int argc, char** argv) {
  CLI::App app{"Sizes and speeds of an archive's layers"};
  BenchOptions options;
  const std::filesystem::path source = WEBSTRATA_SOURCE_DIR;
  options.shared = source / "../shared";
  options.program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../webstrata";
  options.python = source / "build/venv/bin/python";
  options.folder = source / "build/bench-data";
  std::vector<std::string> only;
  bool is_json = false;
  app.add_option("--graph", options.graph, "base name of a BVGraph; default cnr-2000");
  app.add_option("--shared", options.shared, "folder with data/");
  app.add_option("--python", options.python, "Python with tests/requirements.txt installed");
  app.add_option("--folder", options.folder, "where data and archives are made");
  app.add_option("--copies", options.copies, "numbers of copies of debweb that are updated")
      ->delimiter(',');
  app.add_option("--only", only, "sections to run")->delimiter(',');
  app.add_option("--repetitions", options.repetitions, "the best of them counts");
  app.add_flag("--json", is_json, "print one JSON object instead of lines");
  CLI11_PARSE(app, argc, argv);
  Figures figures(!is_json);
  for (const auto& section : sections()) {
    if (only.empty() || std::ranges::find(only, section.name) != only.end()) {
      section.run(options, figures);
    }
  }
  if (is_json) fmt::print("{}", figures.json());
  return 0;
}

}  // namespace
}  // namespace webstrata

int main(int argc, char** argv) {
  try {
    return webstrata::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "archive_bench: {}\n", error.what());
    return 2;
  }
}
