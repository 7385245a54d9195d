// SPDX-License-Identifier: Apache-2.0

// One row for each optional layer.
// Tested by tests/archive/optional_layers_test.cpp.

#include "webstrata/archive/gather/optional_facts.h"

#include <array>
#include <cassert>
#include <string_view>

#include "webstrata/codec/texts.h"

namespace webstrata {
namespace {

struct OptionalFacts {
  std::string_view name;  // of the layer
  LayerRow (*row_of)(const PageFacts& page);
  void (*restore)(const LayerRow& row, PageFacts& page);  // null: follows from the other layers
};

// ---- texts: links, texts, first rows, end rows --------------------------------------------------

LayerRow row_of_texts(const PageFacts& page) {
  std::vector<TextSpan> spans = spans_of_texts(page);
  if (spans.empty()) return {};
  if (spans.size() > kTextItemsMax) spans.resize(kTextItemsMax);  // only of a page made to harm
  LayerRow row(4);
  for (const TextSpan& span : spans) {
    row[0].numbers.push_back(static_cast<std::int64_t>(span.link));
    row[1].texts.emplace_back(span.text);
    row[2].numbers.push_back(static_cast<std::int64_t>(span.first_row));
    row[3].numbers.push_back(static_cast<std::int64_t>(span.end_row));
  }
  return row;
}

void restore_texts(const LayerRow& row, PageFacts& page) {
  add_spans(page, spans_of_row(row));
  normalise(page.texts);
}

constexpr std::array kOptionalFacts = {
    OptionalFacts{"texts", row_of_texts, restore_texts},
};

const OptionalFacts* facts_of(Layer layer) noexcept {
  for (const OptionalFacts& facts : kOptionalFacts) {
    if (facts.name == to_string(layer)) return &facts;
  }
  return nullptr;
}

}  // namespace

std::vector<TextSpan> spans_of_row(const LayerRow& row) {
  std::vector<TextSpan> spans;
  if (row.empty()) return spans;
  for (std::size_t i = 0; i < row[1].texts.size(); ++i) {
    const auto number = [&](std::size_t column) {
      return static_cast<std::uint64_t>(row[column].numbers[i]);
    };
    spans.push_back({number(0), number(2), number(3), row[1].texts[i]});
  }
  return spans;
}

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
