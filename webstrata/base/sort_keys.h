// SPDX-License-Identifier: Apache-2.0

// Sorting many keys that look alike, as URLs do.
//
// A comparison sort reads the shared beginning of two URLs again at each comparison, and misses the
// cache at each. This is multikey quicksort (Bentley and Sedgewick 1997) with the next eight bytes
// of each key cached next to its pointer (Rantala's caching variant): a key's memory is touched
// once per eight bytes that distinguish it.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace webstrata {

struct KeyEntry {
  std::string_view key;
  std::uint64_t tag = 0;
};

// Bytewise ascending by key, equal keys by tag. Needs 32 bytes of temporary memory per entry.
void sort_keys(std::span<KeyEntry> entries);

}  // namespace webstrata
