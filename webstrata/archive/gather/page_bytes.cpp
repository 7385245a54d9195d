// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/gather/page_bytes.h"

#include <algorithm>

namespace webstrata {
namespace {

bool same_targets(const PageFacts& page, std::size_t row) {
  if (row == 0) return false;
  const auto start = [&](std::size_t i) { return page.targets.begin() + page.row_start(i); };
  return std::equal(start(row - 1), start(row), start(row),
                    page.targets.begin() + page.row_ends[row]);
}

bool same_values(const PageFacts& page, std::size_t row) {
  const auto start = [&](std::size_t i) { return page.values.begin() + page.row_start(i); };
  return std::equal(start(row - 1), start(row), start(row),
                    page.values.begin() + page.row_ends[row]);
}

}  // namespace

void append_sightings(std::string& out, const PageFacts& page) {
  append_varint(out, page.sightings.size());
  for (const SightingRecord& record : page.sightings) append_record(out, record);
}

void append_row(std::string& out, const PageFacts& page, std::size_t row) {
  const bool has_same_targets = same_targets(page, row);
  const bool is_same = has_same_targets && same_values(page, row);
  out += static_cast<char>(is_same            ? RowForm::SameRow
                           : has_same_targets ? RowForm::SameTargets
                                              : RowForm::NewRow);
  append_signed(out, row == 0 ? page.times[row] : page.times[row] - page.times[row - 1]);
  if (is_same) return;
  const std::size_t start = page.row_start(row);
  const std::size_t end = page.row_ends[row];
  if (!has_same_targets) append_varint(out, end - start);
  Uid last = 0;
  for (std::size_t i = start; i < end; ++i) {
    if (!has_same_targets) append_varint(out, page.targets[i] - last);
    last = page.targets[i];
    out += static_cast<char>(page.values[i].kinds);
    out += static_cast<char>(page.values[i].count);
  }
}

void append_texts(std::string& out, const PageFacts& page) {
  const std::vector<TextSpan> spans = spans_of_texts(page);
  append_varint(out, spans.size());
  if (spans.empty()) return;
  append_varint(out, page.texts.words.size());
  for (const std::string& word : page.texts.words) append_text(out, word);
  std::uint64_t link = 0;
  for (const TextSpan& span : spans) {
    append_varint(out, span.link - link);
    append_varint(out, span.first_row);
    append_varint(out, span.end_row);
    const auto word = std::ranges::lower_bound(page.texts.words, span.text);
    append_varint(out, static_cast<std::uint64_t>(word - page.texts.words.begin()));
    link = span.link;
  }
}

void append_page(std::string& out, const PageFacts& page) {
  append_sightings(out, page);
  append_varint(out, page.row_count());
  for (std::size_t row = 0; row < page.row_count(); ++row) append_row(out, page, row);
  append_texts(out, page);
}

}  // namespace webstrata
