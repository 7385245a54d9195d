// SPDX-License-Identifier: Apache-2.0

// The input is "properties <zero byte> size of the stream (2 bytes) stream offsets". Whatever it
// is, either Error comes out or a graph that keeps its promises and survives being encoded again.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fuzz/require.h"
#include "webstrata/base/error.h"
#include "webstrata/graph/bv/decoder.h"
#include "webstrata/graph/bv/encoder.h"
#include "webstrata/graph/bvgraph.h"

namespace {

using namespace webstrata;  // NOLINT

constexpr std::uint64_t kLinksMax = 1 << 16;

void expect_sense(const Snapshot& graph, const bv::Properties& properties) {
  require(graph.node_count() == properties.nodes && graph.link_count() == properties.links);
  for (Node node = 0; node < graph.node_count(); ++node) {
    const auto list = graph.successors(node);
    for (std::size_t i = 0; i < list.size(); ++i) {
      require(list[i] < graph.node_count() && (i == 0 || list[i - 1] < list[i]));
    }
  }
}

void expect_round_trip(const Snapshot& graph, const bv::Properties& properties) {
  bv::ListEncoder encoder(properties);
  bv::BitBuffer bits(properties.order);
  for (Node node = 0; node < graph.node_count(); ++node) {
    const bool has_reference = node > 0 && properties.window > 0;
    const auto reference = has_reference ? graph.successors(node - 1) : std::span<const Node>();
    encoder.write(node, graph.successors(node), has_reference ? 1 : 0, reference, bits);
  }
  require(same_links(decode_bvgraph(properties, bits.finish(), {}, {.threads = 1}), graph));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\0');
  if (end == std::string_view::npos || input.size() < end + 3) return 0;
  const std::size_t stream_size = data[end + 1] | data[end + 2] << 8;
  const std::string_view stream = input.substr(end + 3).substr(0, stream_size);
  const std::string_view offsets = input.substr(end + 3 + stream.size());
  try {
    const bv::Properties properties = bv::parse_properties(input.substr(0, end));
    if (properties.links > kLinksMax || properties.nodes > stream.size() * 8) return 0;
    if (properties.window <= 64 && !offsets.empty()) {
      const auto starts = bv::decode_offsets(offsets, properties);
      bv::lists_before(stream, properties, static_cast<Node>(properties.nodes / 2), starts);
    }
    const Snapshot graph = decode_bvgraph(properties, stream, {}, {.threads = 1});
    expect_sense(graph, properties);
    expect_round_trip(graph, properties);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::Corrupt || error.kind() == ErrorKind::BadInput);
  }
  return 0;
}
