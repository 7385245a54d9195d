// SPDX-License-Identifier: Apache-2.0

// The input is a chunk of times. Whatever it is, what comes out ascends, and a node read alone
// equals the same node read with all others; a broken promise traps.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/times.h"

namespace {

using namespace webstrata;

void check_nodes(const TimesChunk& chunk) {
  TimeLists lists;
  chunk.decode(lists);
  require(lists.node_count() == chunk.node_count());
  std::vector<Time> times;
  const std::size_t step = 1 + lists.node_count() / 64;
  for (std::size_t node = 0; node < lists.node_count(); node += step) {
    chunk.times(node, times);
    require(std::ranges::equal(times, lists.list(node)));
    require(std::ranges::is_sorted(times, std::less_equal{}));
    require(chunk.count(node) == times.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    check_nodes(TimesChunk::open(bytes));
  } catch (const Error&) {
  }
  return 0;
}
