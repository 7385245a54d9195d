// SPDX-License-Identifier: Apache-2.0

// Any bytes as a table of links and as an ASCII graph: Error or a graph that keeps its promises.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fuzz/require.h"
#include "webstrata/base/error.h"
#include "webstrata/graph/graph_text.h"

namespace {

using namespace webstrata;  // NOLINT

void expect_sense(const Snapshot& graph) {
  for (Node node = 0; node < graph.node_count(); ++node) {
    const auto list = graph.successors(node);
    for (std::size_t i = 0; i < list.size(); ++i) {
      require(list[i] < graph.node_count() && (i == 0 || list[i - 1] < list[i]));
    }
    if (graph.has_names()) require(graph.find(graph.name(node)) == node);
  }
}

template <typename Function>
void parse(const Function& function) {
  try {
    expect_sense(function());
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::Corrupt || error.kind() == ErrorKind::BadInput);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  parse([&] { return parse_tsv(text); });
  parse([&] { return parse_ascii_graph(text); });
  return 0;
}
