// SPDX-License-Identifier: Apache-2.0

// What the Python tests of this room drive:
//
//   graph_tool hash GRAPH                  nodes, links and a hash of all links
//   graph_tool bvgraph GRAPH OUT [little]  the graph as a BVGraph
//   graph_tool random SEED OUT [little]    a random graph as a BVGraph with random options
//   graph_tool network LABELS OUT          OUT.graphml and OUT.gexf: nodes with these labels (each
//                                          ended by a zero byte), each linked to the next

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/graph/random_graph.h"
#include "webstrata/base/file.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/graph_file.h"
#include "webstrata/graph/network_writer.h"

namespace webstrata {
namespace {

// FNV-1a over the numbers, source and target of each link in turn.
std::uint64_t hash_of(const Snapshot& graph) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto& [source, target] : links_of(graph)) {
    hash = (hash ^ source) * 0x100000001b3;
    hash = (hash ^ target) * 0x100000001b3;
  }
  return hash;
}

void print_hash(const Snapshot& graph) {
  std::printf("%u %llu %016llx\n", graph.node_count(),
              static_cast<unsigned long long>(graph.link_count()),
              static_cast<unsigned long long>(hash_of(graph)));
}

void write_random(std::uint64_t seed, const std::string& out, bool little) {
  Random random(seed);
  const Snapshot graph = random_graph(random, static_cast<Node>(1 + random.below(3000)), 25);
  write_bvgraph(graph, out,
                {.window = static_cast<std::uint32_t>(random.below(12)),
                 .chain_max = static_cast<std::uint32_t>(1 + random.below(5)),
                 .interval_length = static_cast<std::uint32_t>(2 + random.below(4)),
                 .zeta_k = static_cast<std::uint32_t>(1 + random.below(5)),
                 .little_endian = little});
  print_hash(graph);
}

void write_labels(const std::string& labels_file, const std::string& out) {
  std::vector<std::string> labels;
  std::string label;
  for (const char byte : read_file(labels_file)) {
    if (byte != '\0') {
      label += byte;
      continue;
    }
    labels.push_back(label);
    label.clear();
  }
  const TimeInterval days[] = {{1433160000, 1433260000}, {1450980000, 1450990000}};
  const auto write = [&](NetworkWriter& writer) {
    for (Node node = 0; node < labels.size(); ++node) {
      writer.node({.node = node, .label = labels[node], .spells = std::span(days).first(1)});
    }
    for (Node node = 0; node + 1 < labels.size(); ++node) {
      writer.link({.source = node, .target = node + 1, .count = node, .spells = days});
    }
    writer.finish();
  };
  write(*open_graphml(out + ".graphml"));
  write(*open_gexf(out + ".gexf"));
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 2) return 2;
  const bool little = words.back() == "little";
  if (words[0] == "hash") {
    print_hash(load_graph(words[1]));
  } else if (words[0] == "bvgraph" && words.size() >= 3) {
    write_bvgraph(load_graph(words[1]), words[2], {.little_endian = little});
  } else if (words[0] == "random" && words.size() >= 3) {
    write_random(std::strtoull(words[1].c_str(), nullptr, 10), words[2], little);
  } else if (words[0] == "network" && words.size() == 3) {
    write_labels(words[1], words[2]);
  } else {
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace webstrata

int main(int argument_count, char** arguments) {
  try {
    return webstrata::run({arguments + 1, arguments + argument_count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
