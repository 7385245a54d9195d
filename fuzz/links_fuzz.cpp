// SPDX-License-Identifier: Apache-2.0

// A chunk of the links layer: an Error, or lists that ascend and keep to the chunk's limits.

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/links.h"

namespace {

void require_ascending(std::span<const webstrata::Uid> list) {
  for (std::size_t i = 1; i < list.size(); ++i) require(list[i - 1] < list[i]);
}

// A few lists at random: every one of them may have a million targets in a few bytes.
void read_some(const webstrata::LinksChunk& chunk) {
  std::vector<webstrata::Uid> targets;
  const std::size_t step = chunk.node_count() / 8 + 1;
  for (std::size_t node = 0; node < chunk.node_count(); node += step) {
    try {
      chunk.targets(node, targets);
      require(targets.size() <= webstrata::kChunkItems);
      require_ascending(targets);
    } catch (const webstrata::Error&) {
      continue;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto chunk = webstrata::LinksChunk::open(bytes, 1000);
    read_some(chunk);
    webstrata::LinkLists lists;
    chunk.decode(lists);
    require(lists.node_count() == chunk.node_count());
    require(lists.targets.size() == chunk.link_count());
    for (std::size_t node = 0; node < lists.node_count(); ++node) {
      require_ascending(lists.list(node));
    }
  } catch (const webstrata::Error&) {
  }
  return 0;
}
