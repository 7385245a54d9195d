// SPDX-License-Identifier: Apache-2.0
#include "bench/rank/peers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

// Lines of "name \t CPU seconds \t wall seconds \t iterations". False if the command fails.
bool run_peer(const std::string& command, Results& results) {
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  char line[256], name[200];
  Run run;
  unsigned iterations = 0;
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    const int found = std::sscanf(line, "%199[^\t]\t%lf\t%lf\t%u", name, &run.cpu_seconds,
                                  &run.wall_seconds, &iterations);
    run.items = iterations;
    if (found == 4) keep(results, name, run);
  }
  return ::pclose(pipe) == 0;
}

}  // namespace

std::string contestant(const std::string& score, const std::string& program, unsigned threads) {
  return fmt::format("{}: {}, {} thread{}", score, program, threads, threads == 1 ? "" : "s");
}

// Each run is printed at once: a whole benchmark takes long, and one that is interrupted is still
// useful.
void keep(Results& results, const std::string& name, const Run& run) {
  fmt::print(stderr, "  {:44} {:8.3f} s CPU {:8.3f} s wall\n", name, run.cpu_seconds,
             run.wall_seconds);
  const auto [place, is_new] = results.try_emplace(name, run);
  if (!is_new) place->second = better(place->second, run);
}

RankPeers::RankPeers(const BenchFolders& folders, const std::string& python,
                     const std::vector<std::string>& wanted)
    : scratch_(folders.scratch) {
  std::filesystem::create_directories(scratch_);
  for (const std::string& peer : wanted) {
    if (peer.empty()) continue;
    if (std::ranges::find(kRankPeers, peer) == kRankPeers.end()) {
      throw Error(ErrorKind::BadInput, peer + ": no such peer");
    }
    if (peer != "webgraph") {
      if (succeeds(fmt::format("'{}' -c 'import numpy, {}' 2> /dev/null", python, peer))) {
        commands_.push_back(
            fmt::format("'{}' '{}/bench/rank_peers.py' {}", python, folders.source, peer));
      } else {
        fmt::print("PEER MISSING: {} lacks {} (tests/requirements.txt)\n", python, peer);
      }
      continue;
    }
    const std::string folder = scratch_ + "/rank_webgraph";
    if (succeeds(fmt::format("cp -r '{}/bench/rank_webgraph' '{}' && cd '{}' && cargo build "
                             "--release --quiet",
                             folders.source, scratch_, folder))) {
      commands_.push_back(fmt::format("'{}/target/release/rank_webgraph'", folder));
    } else {
      fmt::print("PEER MISSING: cargo cannot build bench/rank_webgraph\n");
    }
  }
}

// Sources, then targets, 32 bits each: what numpy reads at once.
std::string RankPeers::write_links(const Snapshot& graph, const std::string& name) const {
  std::string path = fmt::format("{}/{}.links", scratch_, name);
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

void RankPeers::run(const std::string& links, const Snapshot& graph, unsigned threads,
                    int repetitions, const std::vector<std::string>& scores,
                    Results& results) const {
  for (const std::string& program : commands_) {
    const std::string command =
        fmt::format("OMP_NUM_THREADS={} {} '{}' {} {} {} {}", threads, program, links,
                    graph.node_count(), threads, repetitions, fmt::join(scores, " "));
    if (!run_peer(command, results)) fmt::print("PEER FAILED: {}\n", command);
  }
}

}  // namespace webstrata
