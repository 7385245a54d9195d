// SPDX-License-Identifier: Apache-2.0

// Ranking, against igraph, NetworKit, scipy and WebGraph (Rust) in the same run:
//
//   build/release/bench/rank_bench [--rounds 3] [--graphs cnr-2000,debweb,kron20] [--json FILE]
//       [--only pagerank,hits,memory] [--peers igraph,scipy,networkit,webgraph] [--repetitions 3]
//
// Each round runs every contestant, ours and theirs in turn and equally often, after a call that is
// not counted; the least CPU time and the least wall time of each count. igraph always solves to
// 1e-10, so it is compared with ours to 1e-10; the others to 1e-9. Times are of the whole call on a
// graph that is in memory with both directions, as igraph has it; ours includes laying out the
// links. On busy cores the CPU time of one thread says most, and wall times say little. Without
// peers only our own figures are printed. Peak memory counts the graph in both directions as well.

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/rank/graphs.h"
#include "bench/rank/peers.h"
#include "bench/timing.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/json.h"
#include "webstrata/rank/hits.h"
#include "webstrata/rank/pagerank.h"

namespace {

using namespace webstrata;

const std::vector<std::string> kSections = {"pagerank", "hits", "memory"};

struct Settings {
  BenchFolders folders = {WEBSTRATA_SOURCE_DIR, WEBSTRATA_SOURCE_DIR "/../shared",
                          WEBSTRATA_SOURCE_DIR "/build/bench-data"};
  std::string python = WEBSTRATA_SOURCE_DIR "/build/venv/bin/python";
  std::vector<std::string> graphs = kBenchGraphs;
  std::vector<std::string> only = kSections;
  std::vector<std::string> peers = kRankPeers;
  int rounds = 3;
  int repetitions = 3;
  std::string json;

  [[nodiscard]] bool wants(const std::string& section) const {
    return std::ranges::find(only, section) != only.end();
  }
};

const std::string kToIgraphsTolerance = "webstrata to 1e-10";

// ---- ours ---------------------------------------------------------------------------------------

void time_task(Results& results, const std::string& name, const std::function<int()>& task) {
  keep(results, name, timed([&](Run& run) { run.items = static_cast<std::uint64_t>(task()); }));
}

void run_ours(const Snapshot& graph, unsigned threads, const Settings& settings, Results& results) {
  const auto ranked = [&](PageRankMethod method, double tolerance = 1e-9) {
    return [&graph, threads, method, tolerance] {
      return pagerank(graph,
                      {.tolerance = tolerance, .method = method, .work = {.threads = threads}})
          .iterations;
    };
  };
  if (settings.wants("pagerank")) ranked(PageRankMethod::GaussSeidel)();  // not counted
  for (int i = 0; i < settings.repetitions; ++i) {
    if (settings.wants("pagerank")) {
      time_task(results, contestant("pagerank", "webstrata", threads),
                ranked(PageRankMethod::GaussSeidel));
      time_task(results, contestant("pagerank", kToIgraphsTolerance, threads),
                ranked(PageRankMethod::GaussSeidel, 1e-10));
      if (i == 0) {
        time_task(results, contestant("pagerank", "webstrata --method power", threads),
                  ranked(PageRankMethod::Power));
      }
    }
    if (settings.wants("hits")) {
      time_task(results, contestant("hits", "webstrata", threads), [&] {
        return hits(graph, {.iterations = 200, .tolerance = 1e-9, .work = {.threads = threads}})
            .iterations;
      });
    }
  }
}

// ---- memory -------------------------------------------------------------------------------------

double status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return 1024 * std::stod(line.substr(field.size() + 1));
  }
  return 0;
}

// In a process of its own: the memory of the graph, and how far it rises above that during
// PageRank. Pages of the program and of files do not count, nor does what the allocator keeps: it
// is configured to return large blocks at once. With glibc's defaults the process of cnr-2000 shows
// 3 MB more.
double peak_bytes(const std::string& name, const Settings& settings) {
  int ends[2];
  if (::pipe(ends) != 0) throw Error(ErrorKind::Io, "no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::mallopt(M_ARENA_MAX, 1);
    ::mallopt(M_MMAP_THRESHOLD, 1 << 17);
    const double before = status_bytes("RssAnon:");
    const Snapshot graph = bench_graph(name, settings.folders);
    graph.prepare_predecessors();
    ::malloc_trim(0);  // memory left from loading is not part of ranking
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak is counted from here
    const double of_graph = status_bytes("RssAnon:") - before, loaded = status_bytes("VmRSS:");
    const auto ranked = pagerank(graph);
    const double rise = of_graph + status_bytes("VmHWM:") - loaded;
    const bool written = ::write(ends[1], &rise, sizeof rise) == sizeof rise;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  double rise = 0;
  const bool is_read = ::read(ends[0], &rise, sizeof rise) == sizeof rise;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return is_read ? rise : 0;
}

double allowed_bytes(const Snapshot& graph) {
  return 12 * static_cast<double>(graph.link_count()) + 40.0 * graph.node_count();
}

void print_memory(double peak, const Snapshot& graph, JsonWriter& json) {
  const double allowed = allowed_bytes(graph);
  fmt::print("  peak memory {:.1f} MB; 12 bytes per link and 40 per node are {:.1f} MB\n",
             peak / 1e6, allowed / 1e6);
  json.field("peak_bytes", peak).field("allowed_bytes", allowed);
}

// ---- the table ----------------------------------------------------------------------------------

struct Rivals {
  std::string ours, theirs;
  double target = 0;  // 0: none was set
};

std::vector<Rivals> rivals() {
  std::vector<Rivals> all;
  for (const unsigned threads : {1u, 2u}) {
    for (const std::string& peer : kRankPeers) {
      const bool is_igraph = peer == "igraph";
      all.push_back({contestant("pagerank", is_igraph ? kToIgraphsTolerance : "webstrata", threads),
                     contestant("pagerank", peer, threads), is_igraph ? 2.5 : 0.0});
    }
  }
  all.push_back({contestant("hits", "webstrata", 1), contestant("hits", "scipy", 1), 2});
  for (const std::string score : {"pagerank", "hits"}) {
    all.push_back({contestant(score, "webstrata", 2), contestant(score, "webstrata", 1)});
  }
  return all;
}

// How many times faster we are: CPU time of all threads, and wall time.
void print_ratios(const Results& results, JsonWriter& json) {
  fmt::print("  {:30}   {:30} {:>10} {:>10}\n", "times faster", "than", "CPU time", "wall time");
  json.key("ratios").begin_array();
  for (const Rivals& pair : rivals()) {
    if (!results.contains(pair.ours) || !results.contains(pair.theirs)) continue;
    const Run &ours = results.at(pair.ours), &theirs = results.at(pair.theirs);
    const double cpu = theirs.cpu_seconds / ours.cpu_seconds;
    const double wall = theirs.wall_seconds / ours.wall_seconds;
    fmt::print("  {:30}   {:30} {:10.2f} {:10.2f}  {}\n", pair.ours, pair.theirs, cpu, wall,
               pair.target > 0 ? fmt::format("(wanted {})", pair.target) : "");
    json.begin_object().field("ours", std::string_view(pair.ours));
    json.field("theirs", std::string_view(pair.theirs)).field("cpu", cpu).field("wall", wall);
    if (pair.target > 0) json.field("wanted", pair.target);
    json.end_object();
  }
  json.end_array();
}

void print_runs(const Results& results, double link_count, JsonWriter& json) {
  fmt::print("  {:44} {:>8} {:>8} {:>11} {:>12} {:>10} {:>17}\n", "", "CPU s", "wall s",
             "CPU ns/link", "wall ns/link", "iterations", "CPU ns/link/iter.");
  json.key("runs").begin_array();
  for (const auto& [name, best] : results) {
    const double each = best.cpu_seconds * 1e9 / link_count;
    const double iterations = static_cast<double>(best.items);
    fmt::print("  {:44} {:8.3f} {:8.3f} {:11.1f} {:12.1f} {:>10} {:>17}\n", name, best.cpu_seconds,
               best.wall_seconds, each, best.wall_seconds * 1e9 / link_count,
               best.items == 0 ? "" : std::to_string(best.items),
               best.items == 0 ? "" : fmt::format("{:.2f}", each / iterations));
    json.begin_object().field("name", std::string_view(name));
    json.field("cpu_seconds", best.cpu_seconds).field("wall_seconds", best.wall_seconds);
    json.field("cpu_ns_per_link", each).field("iterations", best.items).end_object();
  }
  json.end_array();
}

Results measure_times(const Snapshot& graph, const std::string& links, const Settings& settings,
                      const RankPeers& peers) {
  std::vector<std::string> scores;
  for (const std::string score : {"pagerank", "hits"}) {
    if (settings.wants(score)) scores.push_back(score);
  }
  Results results;
  if (scores.empty()) return results;
  for (int round = 0; round < settings.rounds; ++round) {
    for (const unsigned threads : {1u, 2u}) {
      run_ours(graph, threads, settings, results);
      peers.run(links, graph, threads, settings.repetitions, scores, results);
    }
  }
  return results;
}

void measure(const std::string& name, const Settings& settings, const RankPeers& peers,
             JsonWriter& json) {
  // First, so that the child cannot reuse freed memory.
  const double peak = settings.wants("memory") ? peak_bytes(name, settings) : 0;
  const Snapshot graph = bench_graph(name, settings.folders);
  graph.prepare_predecessors();
  fmt::print("\n{}: {} nodes, {} links{}\n", name, graph.node_count(), graph.link_count(),
             name == "kron20" ? fmt::format(", drawn with seed {}", kKroneckerSeed) : "");
  std::fflush(stdout);
  json.key(name).begin_object().field("nodes", graph.node_count());
  json.field("links", graph.link_count());
  const Results results = measure_times(graph, peers.write_links(graph, name), settings, peers);
  if (!results.empty()) {
    print_runs(results, static_cast<double>(graph.link_count()), json);
    print_ratios(results, json);
  }
  if (settings.wants("memory")) print_memory(peak, graph, json);
  json.end_object();
  std::fflush(stdout);
}

int run_bench(const Settings& settings) {
  for (const std::string& section : settings.only) {
    if (std::ranges::find(kSections, section) == kSections.end()) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("--only {}: not pagerank, hits or memory", section));
    }
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  const RankPeers peers(settings.folders, settings.python, settings.peers);
  for (const std::string& name : settings.graphs) measure(name, settings, peers, json);
  json.end_object();
  if (!settings.json.empty()) write_file(settings.json, text + "\n");
  return 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  Settings settings;
  CLI::App app("Ranking, against the peers in the same run");
  app.add_option("--rounds", settings.rounds, "Runs of each contestant; the best counts");
  app.add_option("--repetitions", settings.repetitions, "Runs of each contestant in a round");
  app.add_option("--only", settings.only, "Parts to run: pagerank,hits,memory")->delimiter(',');
  app.add_option("--peers", settings.peers, "igraph,scipy,networkit,webgraph; none: \"\"")
      ->delimiter(',');
  app.add_option("--graphs", settings.graphs, "cnr-2000,debweb,kron20")->delimiter(',');
  app.add_option("--shared", settings.folders.shared, "Folder with data/law and data/debweb");
  app.add_option("--python", settings.python, "Python with tests/requirements.txt installed");
  app.add_option("--folder", settings.folders.scratch, "Where the data is made");
  app.add_option("--json", settings.json, "Write the numbers to this file too");
  CLI11_PARSE(app, argument_count, arguments);
  try {
    return run_bench(settings);
  } catch (const Error& error) {
    fmt::print(stderr, "rank_bench: {}\n", error.what());
    return 2;
  }
}
