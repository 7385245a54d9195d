// SPDX-License-Identifier: Apache-2.0

// The layer says which rows have a text by positions among the links and rows of its stratum, so
// each stratum is read by itself, and what they say is united.
// Tested by tests/archive/texts_test.cpp.

#include "webstrata/archive/read/page_texts_reader.h"

#include "webstrata/archive/gather/optional_facts.h"
#include "webstrata/archive/gather/page.h"

namespace webstrata {
namespace {

// The rows of the sections of one stratum, with uids.
void read_rows_of_stratum(const StratumNumbers& numbers, std::span<const Section> sections,
                          PageFacts& page) {
  PageLayers layers;
  PageFacts part;
  page.clear();
  for (const Section& section : sections) {
    section.chunk->section(section.node, layers);
    numbers.translate(layers.links);
    from_layers(layers, part);
    append(page, part);
  }
  if (sections.size() > 1) normalise(page);
}

}  // namespace

void read_texts(const CachedStack& stack, Uid uid, const Uid* target, PageTexts& texts) {
  texts.clear();
  const StackReader& reader = stack.reader();
  if (!reader.has(texts_layer())) return;
  std::vector<Section> sections;
  stack.sections(Direction::Out, uid, sections);
  PageFacts page;
  for (std::size_t first = 0; first < sections.size();) {
    const std::size_t stratum = sections[first].stratum;
    std::size_t end = first + 1;
    while (end < sections.size() && sections[end].stratum == stratum) ++end;
    const StratumNumbers& numbers = reader.numbers(stratum);
    const auto row = stack.optional_row(texts_layer(), stratum, numbers.number(uid).value());
    if (!row->empty()) {
      read_rows_of_stratum(numbers, std::span(sections).subspan(first, end - first), page);
      add_spans(page, spans_of_row(*row), target);
      append(texts, page.texts);
    }
    first = end;
  }
  normalise(texts);
}

}  // namespace webstrata
