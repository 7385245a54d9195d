// SPDX-License-Identifier: Apache-2.0

// The plain byte form of a page in runs, and between the tasks of a cluster.
//
// Rows of a page mostly repeat the previous row, so repetition is marked with one byte; everything
// else is gaps and varints. It exists for minutes: fast writing matters more than small size.

#pragma once

#include <cstdint>
#include <string>

#include "webstrata/archive/gather/fact_bytes.h"
#include "webstrata/archive/gather/page.h"

namespace webstrata {

enum class RowForm : std::uint8_t { SameRow, SameTargets, NewRow };

void append_sightings(std::string& out, const PageFacts& page);
// Row number `row`; those before it were appended.
void append_row(std::string& out, const PageFacts& page, std::size_t row);
// The texts of the links, after the rows.
void append_texts(std::string& out, const PageFacts& page);
// The whole page: its sightings, the number of rows, the rows, and the texts.
void append_page(std::string& out, const PageFacts& page);

template <typename Reader>
LinkValue read_value(Reader& reader) {
  const std::uint8_t kinds = reader.u8();
  return {kinds, reader.u8()};
}

template <typename Reader>
void read_row(Reader& reader, PageFacts& page) {
  const std::size_t row = page.row_count();
  const auto form = static_cast<RowForm>(reader.u8());
  const Time time = read_signed(reader) + (row == 0 ? 0 : page.times.back());
  const std::size_t last_start = row == 0 ? 0 : page.row_start(row - 1);
  const std::size_t last_end = page.targets.size();
  if (form == RowForm::NewRow) {
    Uid target = 0;
    for (std::uint64_t left = reader.varint(); left > 0; --left) {
      target += reader.varint();
      page.add_link(target, read_value(reader));
    }
  } else {
    for (std::size_t i = last_start; i < last_end; ++i) {
      const LinkValue value = form == RowForm::SameRow ? page.values[i] : read_value(reader);
      page.add_link(page.targets[i], value);
    }
  }
  page.end_row(time);
}

// After the rows.
template <typename Reader>
void read_texts(Reader& reader, PageFacts& page) {
  const std::uint64_t count = reader.varint();
  if (count == 0) return;
  std::vector<std::string> words(reader.varint());
  for (std::string& word : words) read_text(reader, word);
  std::vector<TextSpan> spans(count);
  std::uint64_t link = 0;
  for (TextSpan& span : spans) {
    span.link = link += reader.varint();
    span.first_row = reader.varint();
    span.end_row = reader.varint();
    span.text = words.at(reader.varint());
  }
  add_spans(page, spans);
  normalise(page.texts);
}

// Replaces `page`.
template <typename Reader>
void read_page(Reader& reader, PageFacts& page) {
  page.clear();
  page.sightings.resize(reader.varint());
  for (SightingRecord& record : page.sightings) read_record(reader, record);
  for (std::uint64_t rows = reader.varint(); rows > 0; --rows) read_row(reader, page);
  read_texts(reader, page);
}

}  // namespace webstrata
