// Sorting many keys that look alike, as URLs do.
//
// A comparison sort reads the shared beginning of two URLs again at each comparison, and misses the
// cache at each. This is multikey quicksort (Bentley and Sedgewick 1997) with the next eight bytes
// of each key kept beside it (Rantala's caching variant): a key's memory is touched once per eight
// bytes that tell it apart.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace webstrata {

struct KeyEntry {
  std::string_view key;
  std::uint64_t tag = 0;
};

// Bytewise ascending by key, equal keys by tag. Takes 32 bytes of memory per entry meanwhile.
void sort_keys(std::span<KeyEntry> entries);

}  // namespace webstrata
