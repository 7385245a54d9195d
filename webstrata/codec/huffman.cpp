// SPDX-License-Identifier: Apache-2.0

// Tested by tests/codec/token_coder_test.cpp.

#include "webstrata/codec/huffman.h"

#include <algorithm>
#include <cassert>

namespace webstrata {
namespace {

// One level of package-merge: leaves and packages by weight, a leaf before a package of its weight.
struct Level {
  std::vector<std::uint64_t> weights;
  std::vector<bool> is_leaf;
};

Level merge_level(std::span<const std::uint64_t> leaves, const Level& below) {
  Level level;
  std::size_t leaf = 0;
  std::size_t package = 0;
  const std::size_t package_count = below.weights.size() / 2;
  const auto package_weight = [&below](std::size_t i) {
    return below.weights[2 * i] + below.weights[2 * i + 1];
  };
  while (leaf < leaves.size() || package < package_count) {
    const bool takes_leaf = package == package_count ||
                            (leaf < leaves.size() && leaves[leaf] <= package_weight(package));
    level.weights.push_back(takes_leaf ? leaves[leaf++] : package_weight(package++));
    level.is_leaf.push_back(takes_leaf);
  }
  return level;
}

// The lengths of the leaves, which ascend by weight: how often each is in the first 2n - 2 items of
// the top level, counting what is inside packages.
std::vector<std::uint8_t> leaf_lengths(std::span<const std::uint64_t> leaves, unsigned bits_max) {
  std::vector<Level> levels(1);
  for (unsigned bits = 0; bits < bits_max; ++bits) {
    levels.push_back(merge_level(leaves, levels.back()));
  }
  std::vector<std::uint8_t> lengths(leaves.size(), 0);
  std::size_t taken = 2 * leaves.size() - 2;
  for (auto level = levels.rbegin(); taken > 0; ++level) {
    const auto first = level->is_leaf.begin();
    const auto leaf_count = std::count(first, first + static_cast<std::ptrdiff_t>(taken), true);
    for (std::ptrdiff_t leaf = 0; leaf < leaf_count; ++leaf) ++lengths[leaf];
    taken = 2 * (taken - static_cast<std::size_t>(leaf_count));
  }
  return lengths;
}

}  // namespace

std::vector<std::uint8_t> huffman_lengths(std::span<const std::uint64_t> counts,
                                          unsigned bits_max) {
  std::vector<std::uint32_t> symbols;
  for (std::uint32_t symbol = 0; symbol < counts.size(); ++symbol) {
    if (counts[symbol] != 0) symbols.push_back(symbol);
  }
  assert(symbols.size() <= std::size_t{1} << bits_max);
  std::vector<std::uint8_t> lengths(counts.size(), 0);
  if (symbols.size() < 2) return lengths;
  std::stable_sort(symbols.begin(), symbols.end(),
                   [counts](std::uint32_t a, std::uint32_t b) { return counts[a] < counts[b]; });
  std::vector<std::uint64_t> leaves;
  leaves.reserve(symbols.size());
  for (const auto symbol : symbols) leaves.push_back(counts[symbol]);
  const auto found = leaf_lengths(leaves, bits_max);
  for (std::size_t leaf = 0; leaf < symbols.size(); ++leaf) lengths[symbols[leaf]] = found[leaf];
  return lengths;
}

std::vector<std::uint16_t> canonical_codes(std::span<const std::uint8_t> lengths) {
  std::vector<std::uint16_t> codes(lengths.size(), 0);
  std::uint32_t next = 0;
  for (unsigned length = 1; length <= kCodeBitsMax; ++length, next <<= 1) {
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != length) continue;
      std::uint32_t reversed = 0;
      for (unsigned bit = 0; bit < length; ++bit) {
        reversed |= (next >> bit & 1) << (length - 1 - bit);
      }
      codes[symbol] = static_cast<std::uint16_t>(reversed);
      ++next;
    }
  }
  return codes;
}

bool is_complete(std::span<const std::uint8_t> lengths) noexcept {
  std::uint64_t filled = 0;
  for (const auto length : lengths) {
    if (length > kCodeBitsMax) return false;
    if (length != 0) filled += std::uint64_t{1} << (kCodeBitsMax - length);
  }
  return filled == std::uint64_t{1} << kCodeBitsMax;
}

}  // namespace webstrata
