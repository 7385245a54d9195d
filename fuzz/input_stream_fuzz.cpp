// SPDX-License-Identifier: Apache-2.0

// Compressed streams with damage: every byte that is shown is skipped once, windows never go back,
// and the end comes.

#include <algorithm>

#include "reader_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webstrata;
  Report report;
  InputStream in(InMemory{{reinterpret_cast<const char*>(data), size}}, report);
  std::uint64_t last_offset = 0;
  for (std::size_t step = 1; !in.at_end(); step = step * 3 % 5000 + 1) {
    const std::uint64_t offset = in.offset();
    expect(offset >= last_offset && offset <= size);
    last_offset = offset;
    const std::size_t shown = in.peek(step).size();
    expect(shown > 0);
    expect(in.skip(std::min(step, shown)) == std::min(step, shown));
    in.lost_place();
  }
  return 0;
}
