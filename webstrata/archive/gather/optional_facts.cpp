// SPDX-License-Identifier: Apache-2.0

// One row for each optional layer; there is none yet.
// Tested by tests/archive/optional_layers_test.cpp.

#include "webstrata/archive/gather/optional_facts.h"

#include <array>
#include <cassert>
#include <string_view>

namespace webstrata {
namespace {

struct OptionalFacts {
  std::string_view name;  // of the layer
  LayerRow (*row_of)(const PageFacts& page);
  void (*restore)(const LayerRow& row, PageFacts& page);  // null: follows from the other layers
};

constexpr std::array<OptionalFacts, 0> kOptionalFacts = {};

const OptionalFacts* facts_of(Layer layer) noexcept {
  for (const OptionalFacts& facts : kOptionalFacts) {
    if (facts.name == to_string(layer)) return &facts;
  }
  return nullptr;
}

}  // namespace

LayerRow row_of(Layer layer, const PageFacts& page) {
  const OptionalFacts* const facts = facts_of(layer);
  assert(facts != nullptr);
  return facts == nullptr ? LayerRow() : facts->row_of(page);
}

bool is_restored(Layer layer) noexcept {
  const OptionalFacts* const facts = facts_of(layer);
  return facts != nullptr && facts->restore != nullptr;
}

void restore(Layer layer, const LayerRow& row, PageFacts& page) {
  assert(is_restored(layer));
  if (is_restored(layer)) facts_of(layer)->restore(row, page);
}

}  // namespace webstrata
