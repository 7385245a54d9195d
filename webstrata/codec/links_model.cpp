// SPDX-License-Identifier: Apache-2.0

// Tested by tests/codec/links_test.cpp.

#include "webstrata/codec/links_model.h"

namespace webstrata::links_model {
namespace {

// Distances from a node to its first target are more spread out than other numbers, for both signs.
PrefixCode default_first_code() {
  std::array<std::uint64_t, 2 * kTokenCount> weights{};
  for (std::uint32_t symbol = 0; symbol < weights.size(); ++symbol) {
    weights[symbol] = 20000 / (symbol / 2 + 12);
  }
  return default_code(weights);
}

// Few blocks and few numbers are likely.
PrefixCode default_shape_code() {
  std::array<std::uint64_t, kShapeCount> weights{};
  for (std::uint32_t symbol = 0; symbol < kShapeCount; ++symbol) {
    weights[symbol] = 4096 >> (symbol / (kRestInShape + 1) + symbol % (kRestInShape + 1) / 2);
  }
  return default_code(weights);
}

CodeLayout make_layout() {
  CodeLayout made;
  for (std::uint32_t context = 0; context < kContextCount; ++context) {
    made.family_of.push_back(family_of(context));
  }
  made.default_codes.assign(kFamilyCount, default_token_code());
  made.default_codes[kFirsts] = default_first_code();
  made.default_codes[kShapes] = default_shape_code();
  return made;
}

}  // namespace

const CodeLayout& layout() {
  static const CodeLayout made = make_layout();
  return made;
}

TokenShape symbol_shape(Family family, std::uint32_t symbol) {
  if (family == kShapes) return {symbol, 0};
  return token_shape(family == kFirsts ? symbol / 2 : symbol);
}

}  // namespace webstrata::links_model
