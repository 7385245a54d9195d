// SPDX-License-Identifier: Apache-2.0

// How much two texts have in common, from a few hundred numbers each.
//
//   similarity(sketch_text(one, {}), sketch_text(other, {}));   // 1: the same text
//
// A sketch holds the smallest hashes of all runs of four words (Broder 1997): the share of hashes
// in common estimates the share of runs that the texts have in common.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

struct TextSketch {
  std::vector<std::uint64_t> hashes;  // ascending, at most kSketchSize
  std::uint64_t words = 0;
};
inline constexpr std::size_t kSketchSize = 256;

// Case and punctuation are ignored. Words that contain one of `without` (lower case) are left out:
// error pages repeat the requested name.
TextSketch sketch_text(std::string_view text, std::span<const std::string> without);

// From 0 to 1; two texts without words are the same.
double similarity(const TextSketch& one, const TextSketch& other);

}  // namespace webstrata
