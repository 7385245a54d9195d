// SPDX-License-Identifier: Apache-2.0

// BVGraph, the format of the WebGraph framework: in which LAW and Common Crawl publish graphs.
//
//   const Snapshot graph = load_bvgraph("cnr-2000", {.urls = "cnr-2000.urls.gz"});
//   write_bvgraph(graph, "copy");   // copy.graph, copy.offsets, copy.properties
//
// Reads what the Java and the Rust library write: both bit orders, every code, any window. With
// the same options it writes the same bytes as WebGraph does.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "webstrata/graph/bv/properties.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

struct BvGraphReadOptions {
  std::filesystem::path urls = {};  // a name for each node, one per line, plain or gzip
  WorkOptions work = {};            // several threads need the `.offsets` file
};

// `base` with or without ".graph" or ".properties". Throws Error(NotFound), Error(BadInput) for
// other kinds of graph or too many nodes, Error(Corrupt).
Snapshot load_bvgraph(const std::filesystem::path& base, const BvGraphReadOptions& options = {});

// The same from bytes; `offsets` may be empty.
Snapshot decode_bvgraph(const bv::Properties& properties, std::string_view graph,
                        std::string_view offsets, const WorkOptions& work = {});

// The lists of a graph in parts, from node 0 on, in bounded memory.
class BvGraphParts {
 public:
  // `base` without an ending. Throws as load_bvgraph() does.
  explicit BvGraphParts(const std::filesystem::path& base, const WorkOptions& work = {});
  ~BvGraphParts();
  BvGraphParts(const BvGraphParts&) = delete;
  BvGraphParts& operator=(const BvGraphParts&) = delete;

  [[nodiscard]] Node node_count() const noexcept;
  // The lists of the next nodes; empty after the last.
  std::optional<SnapshotPart> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct BvGraphWriteOptions {
  std::uint32_t window = 7;           // lists before this one that may be copied from
  std::uint32_t chain_max = 3;        // references in a row
  std::uint32_t interval_length = 4;  // shorter runs are no intervals; 0: no intervals
  std::uint32_t zeta_k = 3;
  bool little_endian = false;  // only the Rust library reads it
  WorkOptions work = {};
};

struct BvGraphSize {
  std::uint64_t nodes = 0;
  std::uint64_t links = 0;
  std::uint64_t graph_bits = 0;
};

// Writes list after list, beginning with node 0, in bounded memory.
class BvGraphWriter {
 public:
  // Throws Error(BadInput) if an option is out of range.
  BvGraphWriter(const std::filesystem::path& base, const BvGraphWriteOptions& options = {});
  ~BvGraphWriter();
  BvGraphWriter(const BvGraphWriter&) = delete;
  BvGraphWriter& operator=(const BvGraphWriter&) = delete;

  // The targets of the next node, strictly ascending.
  void add(std::span<const Node> targets);
  // Puts the files in place, `.properties` last; without this call no file is left. Throws
  // Error(BadInput) if a target is not a node.
  BvGraphSize finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

BvGraphSize write_bvgraph(const Snapshot& graph, const std::filesystem::path& base,
                          const BvGraphWriteOptions& options = {});

}  // namespace webstrata
