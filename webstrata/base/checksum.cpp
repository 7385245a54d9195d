// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/checksum_test.cpp.

#include "webstrata/base/checksum.h"

// Inlined: most inputs are short, and the call would cost as much as the hash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace webstrata {

std::uint64_t checksum64(std::string_view bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Checksum128 checksum128(std::string_view bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

}  // namespace webstrata
