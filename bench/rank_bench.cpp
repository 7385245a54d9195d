// Ranking, against igraph, NetworKit, scipy and WebGraph (Rust) in the same run:
//
//   build/release/bench/rank_bench [--rounds 3] [--graphs cnr-2000,debweb,kron20] [--json FILE]
//
// Each round runs every contestant once, ours and theirs in turn; the best time of each counts: CPU
// time on one thread, wall time on two. Times are of the whole call on a graph that is in memory
// with both directions, as igraph has it; ours includes laying out the links. The peers run in
// Python (bench/rank_peers.py), and without them only our own figures are printed; WebGraph's is a
// program that cargo builds once (bench/rank_webgraph), if it can. Peak memory counts the graph in
// both directions as well.

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/rank/graphs.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/json.h"
#include "webstrata/rank/hits.h"
#include "webstrata/rank/pagerank.h"

namespace {

using namespace webstrata;

struct Settings {
  BenchFolders folders = {WEBSTRATA_SOURCE_DIR, WEBSTRATA_SOURCE_DIR "/../shared",
                          WEBSTRATA_SOURCE_DIR "/build/bench-data"};
  std::string python = WEBSTRATA_SOURCE_DIR "/build/venv/bin/python";
  std::vector<std::string> graphs = kBenchGraphs;
  int rounds = 3;
  std::string json;
};

// The best of all rounds.
struct Best {
  double seconds = 1e99;
  int iterations = 0;
};

using Results = std::map<std::string, Best>;

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void keep(Results& results, const std::string& name, double seconds, int iterations) {
  Best& best = results[name];
  if (seconds < best.seconds) best = {seconds, iterations};
}

void time_task(Results& results, const std::string& name, unsigned threads,
               const std::function<int()>& task) {
  const auto now = threads == 1 ? cpu_seconds : wall_seconds;
  const double start = now();
  const int iterations = task();
  keep(results, fmt::format("{}, {} thread{}", name, threads, threads == 1 ? "" : "s"),
       now() - start, iterations);
}

void run_ours(const Snapshot& graph, Results& results) {
  for (const unsigned threads : {1u, 2u}) {
    time_task(results, "pagerank: webstrata", threads,
              [&] { return pagerank(graph, {.work = {.threads = threads}}).iterations; });
    time_task(results, "pagerank: webstrata, power", threads, [&] {
      return pagerank(graph, {.method = PageRankMethod::Power, .work = {.threads = threads}})
          .iterations;
    });
    time_task(results, "hits: webstrata", threads, [&] {
      return hits(graph, {.iterations = 200, .tolerance = 1e-9, .work = {.threads = threads}})
          .iterations;
    });
  }
}

// ---- peers --------------------------------------------------------------------------------------

// Sources, then targets, 32 bits each: what numpy reads at once.
std::string write_links(const Snapshot& graph, const std::string& name, const Settings& settings) {
  std::filesystem::create_directories(settings.folders.scratch);
  const std::string path = fmt::format("{}/{}.links", settings.folders.scratch, name);
  std::ofstream out(path, std::ios::binary);
  for (Node node = 0; node < graph.node_count(); ++node) {
    const std::vector<Node> source(graph.out_degree(node), node);
    out.write(reinterpret_cast<const char*>(source.data()),
              static_cast<std::streamsize>(source.size() * sizeof(Node)));
  }
  for (Node node = 0; node < graph.node_count(); ++node) {
    const auto targets = graph.successors(node);
    out.write(reinterpret_cast<const char*>(targets.data()),
              static_cast<std::streamsize>(targets.size_bytes()));
  }
  return path;
}

// Lines of "name \t seconds \t iterations". False if the command fails.
bool run_peer(const std::string& command, Results& results) {
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  char line[256], name[200];
  double seconds = 0;
  int iterations = 0;
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    if (std::sscanf(line, "%199[^\t]\t%lf\t%d", name, &seconds, &iterations) == 3) {
      keep(results, name, seconds, iterations);
    }
  }
  return ::pclose(pipe) == 0;
}

// What to call for one round with so many threads; empty if a peer is not there.
struct Peers {
  std::string python, webgraph;
};

// Compiling the library takes minutes, the first time.
Peers find_peers(const Settings& settings) {
  Peers peers;
  const auto is_done = [](const std::string& command) { return std::system(command.c_str()) == 0; };
  if (is_done(fmt::format("'{}' -c 'import igraph, networkit, scipy'", settings.python))) {
    peers.python =
        fmt::format("'{}' '{}/bench/rank_peers.py'", settings.python, settings.folders.source);
  } else {
    fmt::print("PEERS MISSING: {} lacks them (tests/requirements.txt)\n", settings.python);
  }
  std::filesystem::create_directories(settings.folders.scratch);
  const std::string folder = settings.folders.scratch + "/rank_webgraph";
  if (is_done(fmt::format("cp -r '{}/bench/rank_webgraph' '{}' && cd '{}' && cargo build --release "
                          "--quiet",
                          settings.folders.source, settings.folders.scratch, folder))) {
    peers.webgraph = fmt::format("'{}/target/release/rank_webgraph'", folder);
  } else {
    fmt::print("PEER MISSING: cargo cannot build bench/rank_webgraph\n");
  }
  return peers;
}

void run_peers(const Snapshot& graph, const std::string& links, const Peers& peers,
               Results& results) {
  for (const std::string& program : {peers.python, peers.webgraph}) {
    for (const int threads : {1, 2}) {
      if (program.empty()) continue;
      const std::string command = fmt::format("OMP_NUM_THREADS={} {} '{}' {} {}", threads, program,
                                              links, graph.node_count(), threads);
      if (!run_peer(command, results)) fmt::print("PEER FAILED: {}\n", command);
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
// PageRank. Pages of the program and of files do not count, nor does what the allocator holds back:
// it is told to give large blocks back at once. With glibc's habits the process of cnr-2000 shows 3
// MB more.
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
    ::malloc_trim(0);  // what loading left behind is no part of ranking
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

// ---- the table ----------------------------------------------------------------------------------

void print_ratio(const Results& results, const std::string& ours, const std::string& theirs,
                 const std::string& target = "") {
  if (!results.contains(theirs)) return;
  const double ratio = results.at(theirs).seconds / results.at(ours).seconds;
  fmt::print("  {:30} against {:30} {:6.2f} x  {}\n", ours, theirs, ratio, target);
}

void print_ratios(const Results& results) {
  for (const char* threads : {"1 thread", "2 threads"}) {
    const std::string ours = fmt::format("pagerank: webstrata, {}", threads);
    print_ratio(results, ours, fmt::format("pagerank: igraph, {}", threads), "(target 2.5)");
    print_ratio(results, ours, fmt::format("pagerank: webgraph, {}", threads));
  }
  print_ratio(results, "hits: webstrata, 1 thread", "hits: scipy, 1 thread", "(target 2)");
}

void print_runs(const Results& results, double link_count, JsonWriter& json) {
  fmt::print("  {:44} {:>8} {:>10} {:>10} {:>14}\n", "", "s", "ns/link", "iterations",
             "ns/link/iter");
  json.key("runs").begin_object();
  for (const auto& [contestant, best] : results) {
    const double each = best.seconds * 1e9 / link_count;
    fmt::print("  {:44} {:8.3f} {:10.1f} {:>10} {:>14}\n", contestant, best.seconds, each,
               best.iterations == 0 ? "" : std::to_string(best.iterations),
               best.iterations == 0 ? "" : fmt::format("{:.2f}", each / best.iterations));
    json.key(contestant).begin_object().field("seconds", best.seconds);
    json.field("iterations", best.iterations).end_object();
  }
  json.end_object();
}

void measure(const std::string& name, const Settings& settings, const Peers& peers,
             JsonWriter& json) {
  const double peak = peak_bytes(name, settings);
  const Snapshot graph = bench_graph(name, settings.folders);
  graph.prepare_predecessors();
  const std::string links = write_links(graph, name, settings);
  Results results;
  for (int round = 0; round < settings.rounds; ++round) {
    run_ours(graph, results);
    run_peers(graph, links, peers, results);
  }
  const auto link_count = static_cast<double>(graph.link_count());
  fmt::print("\n{}: {} nodes, {} links{}\n", name, graph.node_count(), graph.link_count(),
             name == "kron20" ? fmt::format(", drawn with seed {}", kKroneckerSeed) : "");
  json.key(name).begin_object().field("nodes", graph.node_count());
  json.field("links", graph.link_count()).field("peak_bytes", peak);
  print_runs(results, link_count, json);
  json.end_object();
  const double allowed = 12 * link_count + 40.0 * graph.node_count();
  fmt::print("  peak memory {:.1f} MB; 12 bytes per link and 40 per node are {:.1f} MB\n",
             peak / 1e6, allowed / 1e6);
  print_ratios(results);
  std::fflush(stdout);
}

int run_bench(const Settings& settings) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  const Peers peers = find_peers(settings);
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
