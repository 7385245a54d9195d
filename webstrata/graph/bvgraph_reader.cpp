// SPDX-License-Identifier: Apache-2.0

// A graph without offsets is one long stream; with them, ranges of nodes are decoded in parallel,
// each after finding the few lists before it that it may copy from.
//
// Tested by tests/graph/bvgraph_test.cpp.

#include <algorithm>
#include <atomic>
#include <functional>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/threads.h"
#include "webstrata/graph/bv/decoder.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/line_reader.h"

namespace webstrata {
namespace {

constexpr Node kRangeNodes = 1 << 15;
// A graph with a larger window is decoded as one range.
constexpr std::uint64_t kSplitWindowMax = 1024;

[[noreturn]] void fail(const char* what) { throw Error(ErrorKind::Corrupt, what); }

void check_size(const bv::Properties& properties, std::string_view graph) {
  if (properties.nodes > kNodesMax) {
    throw Error(ErrorKind::BadInput, fmt::format("a snapshot holds at most {} nodes, not {}",
                                                 kNodesMax, properties.nodes));
  }
  // No code is shorter than a bit, so the size of the stream bounds the nodes.
  if (properties.nodes > graph.size() * 8) fail("the stream is too short for its nodes");
  if (properties.nodes == 0 ? properties.links > 0
                            : properties.links / properties.nodes > properties.nodes) {
    fail("the number of links is impossible");
  }
}

Snapshot decode_in_order(const bv::Properties& properties, std::string_view graph,
                         const WorkOptions& work) {
  SnapshotBuilder builder(properties.nodes);
  const std::uint64_t step = properties.window > kSplitWindowMax ? properties.nodes : kRangeNodes;
  std::uint64_t position = 0;
  std::uint64_t links = 0;
  bv::PastLists past;
  for (std::uint64_t first = 0; first < properties.nodes; first += step) {
    work.check_cancelled();
    const std::uint64_t last = std::min(first + step, properties.nodes);
    auto range =
        bv::decode_range(graph, properties, static_cast<Node>(first), static_cast<Node>(last),
                         position, past, properties.links - links);
    position = range.end_position;
    links += range.part.targets.size();
    past = bv::last_lists(range.part, past, properties.window);
    builder.add(std::move(range.part));
    if (work.progress) work.progress({"reading the graph", last, properties.nodes, "nodes"});
  }
  if (links != properties.links) fail("there are fewer links than the properties say");
  return builder.finish({.threads = work.threads, .cancel = work.cancel});
}

Snapshot decode_side_by_side(const bv::Properties& properties, std::string_view graph,
                             std::string_view offset_bytes, const WorkOptions& work) {
  const auto offsets = bv::decode_offsets(offset_bytes, properties);
  SnapshotBuilder builder(properties.nodes);
  std::atomic<std::uint64_t> links = 0;
  const std::uint64_t ranges = (properties.nodes + kRangeNodes - 1) / kRangeNodes;
  run_tasks(ranges, work, "reading the graph", [&](std::size_t i) {
    const auto first = static_cast<Node>(i * kRangeNodes);
    const auto last =
        static_cast<Node>(std::min(std::uint64_t{first} + kRangeNodes, properties.nodes));
    const auto past = bv::lists_before(graph, properties, first, offsets);
    auto range =
        bv::decode_range(graph, properties, first, last, offsets[first], past, properties.links);
    if (range.end_position != offsets[last]) fail("the offsets belong to another graph");
    links += range.part.targets.size();
    builder.add(std::move(range.part));
  });
  if (links != properties.links) fail("there are not as many links as the properties say");
  return builder.finish({.threads = work.threads, .cancel = work.cancel});
}

// Errors say which file they are about.
template <typename Function>
auto naming(const std::filesystem::path& path, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    throw Error(error.kind(), fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace

Snapshot decode_bvgraph(const bv::Properties& properties, std::string_view graph,
                        std::string_view offsets, const WorkOptions& work) {
  check_size(properties, graph);
  const unsigned threads = work.threads == 0 ? default_thread_count() : work.threads;
  const bool in_order = offsets.empty() || threads == 1 || properties.nodes <= kRangeNodes ||
                        properties.window > kSplitWindowMax || properties.chain_max > bv::kChainMax;
  try {
    return in_order ? decode_in_order(properties, graph, work)
                    : decode_side_by_side(properties, graph, offsets, work);
  } catch (const Error& error) {
    // What the builder rejects came from the stream.
    if (error.kind() != ErrorKind::BadInput) throw;
    throw Error(ErrorKind::Corrupt, error.what());
  }
}

Snapshot load_bvgraph(const std::filesystem::path& base, const BvGraphReadOptions& options) {
  std::filesystem::path stem = base;
  if (base.extension() == ".graph" || base.extension() == ".properties") stem.replace_extension();
  const auto file = [&](const char* extension) {
    return std::filesystem::path(stem.string() + extension);
  };
  const auto properties = naming(
      file(".properties"), [&] { return bv::parse_properties(read_file(file(".properties"))); });
  const MappedFile graph = MappedFile::open(file(".graph"));
  std::optional<MappedFile> offsets;
  if (std::filesystem::exists(file(".offsets"))) offsets = MappedFile::open(file(".offsets"));
  Snapshot snapshot = naming(file(".graph"), [&] {
    return decode_bvgraph(properties, graph.bytes(), offsets ? offsets->bytes() : "", options.work);
  });
  if (options.urls.empty()) return snapshot;
  return snapshot.with_names(load_name_list(options.urls, snapshot.node_count(), options.work));
}

}  // namespace webstrata
