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

}  // namespace

// The lists in order, a range at a time.
class RangeDecoder {
 public:
  // All outlive the decoder.
  RangeDecoder(const bv::Properties& properties, std::string_view graph, const WorkOptions& work)
      : properties_(properties),
        graph_(graph),
        work_(work),
        step_(properties.window > kSplitWindowMax ? properties.nodes : kRangeNodes) {}

  std::optional<SnapshotPart> next() {
    if (first_ >= properties_.nodes) {
      if (links_ != properties_.links) fail("there are fewer links than the properties say");
      return std::nullopt;
    }
    work_.check_cancelled();
    const std::uint64_t last = std::min(first_ + step_, properties_.nodes);
    auto range =
        bv::decode_range(graph_, properties_, static_cast<Node>(first_), static_cast<Node>(last),
                         position_, past_, properties_.links - links_);
    position_ = range.end_position;
    links_ += range.part.targets.size();
    past_ = bv::last_lists(range.part, past_, properties_.window);
    first_ = last;
    if (work_.progress) work_.progress({"reading the graph", last, properties_.nodes, "nodes"});
    return std::move(range.part);
  }

 private:
  const bv::Properties& properties_;
  std::string_view graph_;
  const WorkOptions& work_;
  std::uint64_t step_;
  std::uint64_t first_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t links_ = 0;
  bv::PastLists past_;
};

namespace {

Snapshot decode_in_order(const bv::Properties& properties, std::string_view graph,
                         const WorkOptions& work) {
  SnapshotBuilder builder(properties.nodes);
  RangeDecoder ranges(properties, graph, work);
  while (auto part = ranges.next()) builder.add(std::move(*part));
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

struct BvGraphParts::State {
  State(const std::filesystem::path& base, WorkOptions how)
      : name(base.string() + ".graph"),
        work(std::move(how)),
        properties(
            naming(base.string() + ".properties",
                   [&] { return bv::parse_properties(read_file(base.string() + ".properties")); })),
        graph(MappedFile::open(name)),
        ranges(properties, graph.bytes(), work) {}

  std::filesystem::path name;
  WorkOptions work;
  bv::Properties properties;
  MappedFile graph;
  RangeDecoder ranges;
};

BvGraphParts::BvGraphParts(const std::filesystem::path& base, const WorkOptions& work)
    : state_(std::make_unique<State>(base, work)) {
  naming(state_->name, [&] { check_size(state_->properties, state_->graph.bytes()); });
}

BvGraphParts::~BvGraphParts() = default;

Node BvGraphParts::node_count() const noexcept {
  return static_cast<Node>(state_->properties.nodes);
}

std::optional<SnapshotPart> BvGraphParts::next() {
  return naming(state_->name, [&] { return state_->ranges.next(); });
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
