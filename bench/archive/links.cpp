// SPDX-License-Identifier: Apache-2.0

// The links codec on one graph and its transpose: bits per link with everything counted, and
// nanoseconds per link in sequence and through random lists.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include "bench/archive/sections.h"
#include "webstrata/base/random.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/links.h"
#include "webstrata/codec/links_encoder.h"
#include "webstrata/graph/bvgraph.h"

namespace webstrata {
namespace {

std::filesystem::path graph_base(const BenchOptions& options) {
  if (!options.graph.empty()) return options.graph;
  return options.shared / "data/law/cnr-2000/cnr-2000";
}

// Chunks as an archive cuts them.
std::vector<LinkLists> cut_into_chunks(const Snapshot& graph) {
  std::vector<LinkLists> chunks;
  std::vector<Uid> list;
  for (Node node = 0; node < graph.node_count(); ++node) {
    const auto targets = graph.successors(node);
    list.assign(targets.begin(), targets.end());
    if (chunks.empty() || chunks.back().node_count() == kChunkNodes ||
        chunks.back().targets.size() + list.size() > kChunkItems) {
      chunks.emplace_back().clear(node);
    }
    chunks.back().add(list);
  }
  return chunks;
}

struct EncodedGraph {
  std::vector<std::string> bytes;
  std::vector<LinksChunk> chunks;
  LinksSizes sizes;
  double seconds = std::numeric_limits<double>::max();
};

EncodedGraph encode(const std::vector<LinkLists>& lists, LinksEffort effort, int repetitions) {
  EncodedGraph encoded;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    encoded.bytes.clear();
    encoded.sizes = {};
    const double start = cpu_seconds();
    for (const auto& chunk : lists) {
      LinksSizes sizes;
      encoded.bytes.push_back(encode_links(chunk, parameters_of(effort), &sizes));
      encoded.sizes.codes_bits += sizes.codes_bits;
      encoded.sizes.bitmap_bits += sizes.bitmap_bits;
      encoded.sizes.index_bits += sizes.index_bits;
      encoded.sizes.stream_bits += sizes.stream_bits;
    }
    encoded.seconds = std::min(encoded.seconds, cpu_seconds() - start);
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    encoded.chunks.push_back(LinksChunk::open(encoded.bytes[i], lists[i].first));
  }
  return encoded;
}

// All of it with the directory of the block.
std::uint64_t total_bytes(const EncodedGraph& encoded, const std::vector<LinkLists>& lists) {
  constexpr std::uint64_t kDirectoryBytes = 8;  // per chunk, at most
  std::uint64_t total = kDirectoryBytes * lists.size();
  for (const auto& bytes : encoded.bytes) total += bytes.size();
  return total;
}

double sequential_seconds(const EncodedGraph& encoded, int repetitions) {
  double best = std::numeric_limits<double>::max();
  LinkLists lists;
  for (int repetition = 0; repetition < 2 * repetitions; ++repetition) {
    const double start = cpu_seconds();
    for (const auto& chunk : encoded.chunks) chunk.decode(lists);
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

double open_seconds(const EncodedGraph& encoded, int repetitions) {
  double best = std::numeric_limits<double>::max();
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const double start = cpu_seconds();
    for (const auto& bytes : encoded.bytes) LinksChunk::open(bytes, 0);
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

// Random nodes that have links, as the papers on web graphs measure it.
double random_nanoseconds_per_link(const EncodedGraph& encoded, const std::vector<LinkLists>& lists,
                                   int repetitions) {
  struct Place {
    std::uint32_t chunk = 0;
    std::uint32_t node = 0;
  };
  std::vector<Place> places;
  for (std::uint32_t chunk = 0; chunk < lists.size(); ++chunk) {
    for (std::uint32_t node = 0; node < lists[chunk].node_count(); ++node) {
      if (!lists[chunk].list(node).empty()) places.push_back({chunk, node});
    }
  }
  Random random(7);
  std::vector<Place> queries(200'000);
  std::uint64_t link_count = 0;
  for (auto& query : queries) {
    query = places[random.below(places.size())];
    link_count += lists[query.chunk].list(query.node).size();
  }
  double best = std::numeric_limits<double>::max();
  std::vector<Uid> targets;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const double start = cpu_seconds();
    for (const auto& query : queries) encoded.chunks[query.chunk].targets(query.node, targets);
    best = std::min(best, cpu_seconds() - start);
  }
  return best * 1e9 / static_cast<double>(link_count);
}

void check(const EncodedGraph& encoded, const std::vector<LinkLists>& lists) {
  LinkLists decoded;
  std::vector<Uid> targets;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    encoded.chunks[i].decode(decoded);
    bool is_equal = decoded.ends == lists[i].ends && decoded.targets == lists[i].targets;
    for (std::size_t node = 0; node < lists[i].node_count(); node += 5) {
      encoded.chunks[i].targets(node, targets);
      is_equal = is_equal && std::ranges::equal(targets, lists[i].list(node));
    }
    if (!is_equal) throw std::runtime_error("links: decoded lists differ from what was encoded");
  }
}

// What the Rust library of WebGraph's authors takes for the same graph, ns per link.
struct PeerTimes {
  double sequential = 0;
  double random = 0;
  double index_bits = 0;
};

// Empty without cargo, or for a graph in an unusual form.
std::optional<PeerTimes> run_peer(const BenchOptions& options) {
  const std::string command =
      fmt::format("{}/bench/webgraph_times.sh '{}' '{}' {}", WEBSTRATA_SOURCE_DIR,
                  graph_base(options).string(), options.folder.string(), options.repetitions);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  PeerTimes times;
  if (!pipe || std::fscanf(pipe.get(), "%lf %lf %lf", &times.sequential, &times.random,
                           &times.index_bits) != 3) {
    return std::nullopt;
  }
  return times;
}

void add_peer(const PeerTimes& before, const PeerTimes& after, Figures& figures) {
  const double sequential = std::min(before.sequential, after.sequential);
  const double random = std::min(before.random, after.random);
  figures.add("webgraph_sequential_ns", sequential, "ns per link, the Rust crate webgraph");
  figures.add("webgraph_random_ns", random, "ns per link, the Rust crate webgraph");
  figures.add("webgraph_index_bits", before.index_bits, "bits per link of its Elias-Fano index");
  figures.add("links_sequential_over_webgraph", figures.value("links_sequential_ns") / sequential,
              "our time over its; target 5 / 8.0 = 0.62");
  figures.add("links_random_over_webgraph", figures.value("links_random_ns") / random,
              "our time over its; target 26 / 28 = 0.93");
}

struct Goals {
  std::string bits;
  std::string sequential;
  std::string random;
};

void measure(const std::string& prefix, const std::vector<LinkLists>& lists, LinksEffort effort,
             const Goals& goals, const BenchOptions& options, Figures& figures) {
  double link_count = 0;
  for (const auto& chunk : lists) link_count += static_cast<double>(chunk.targets.size());
  const EncodedGraph encoded = encode(lists, effort, std::min(options.repetitions, 3));
  check(encoded, lists);
  const auto per_link = [link_count](double value) { return value / link_count; };
  const auto bits = [&per_link](std::uint64_t count) {
    return per_link(static_cast<double>(count));
  };
  figures.add(prefix + "_stream_bits", bits(encoded.sizes.stream_bits), "bits per link: lists");
  figures.add(prefix + "_tables_bits", bits(encoded.sizes.codes_bits), "bits per link: codes");
  figures.add(prefix + "_index_bits", bits(encoded.sizes.index_bits + encoded.sizes.bitmap_bits),
              "bits per link: index and bitmap of empty nodes");
  figures.add(prefix + "_bits_per_link", bits(total_bytes(encoded, lists) * 8),
              "bits per link, everything counted" + goals.bits);
  figures.add(prefix + "_sequential_ns",
              per_link(sequential_seconds(encoded, options.repetitions) * 1e9),
              "ns per link, all lists in sequence" + goals.sequential);
  figures.add(prefix + "_random_ns",
              random_nanoseconds_per_link(encoded, lists, options.repetitions),
              "ns per link, random lists" + goals.random);
  figures.add(prefix + "_open_us",
              open_seconds(encoded, options.repetitions) * 1e6 / static_cast<double>(lists.size()),
              "µs to open a chunk");
  figures.add(prefix + "_encode_mlinks", link_count / encoded.seconds / 1e6,
              "million links per second encoded; target 3");
}

}  // namespace

void bench_links(const BenchOptions& options, Figures& figures) {
  const Snapshot graph = load_bvgraph(graph_base(options));
  const auto lists = cut_into_chunks(graph);
  const auto turned = cut_into_chunks(graph.transposed());
  const auto before = run_peer(options);
  measure("links", lists, LinksEffort::Fast, {"; target 2.15", "", ""}, options, figures);
  const auto after = run_peer(options);
  if (before && after) add_peer(*before, *after, figures);
  measure("links_compact", lists, LinksEffort::Compact, {"; target 1.90", "", ""}, options,
          figures);
  measure("in_links", turned, LinksEffort::Fast, {}, options, figures);
  measure("in_links_compact", turned, LinksEffort::Compact, {}, options, figures);
}

}  // namespace webstrata
