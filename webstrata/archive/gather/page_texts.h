// SPDX-License-Identifier: Apache-2.0

// The texts of a page's links: which text a link had in which row.
//
// They form a set, so joining is commutative, associative and idempotent. On disk and in runs they
// are spans of rows (TextSpan): most links have one text, and have it wherever they are.
// docs/decisions/026-texts.md says why.

#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/base/time.h"

namespace webstrata {

struct PageFacts;

// A link to `target` had a text in the row of `time`.
struct TextUse {
  Uid target = 0;
  std::uint32_t text = 0;  // position in PageTexts::words
  Time time = 0;
  friend auto operator<=>(const TextUse&, const TextUse&) = default;
};

struct PageTexts {
  std::vector<std::string> words;
  std::vector<TextUse> uses;

  [[nodiscard]] bool empty() const noexcept { return uses.empty(); }
  void clear() noexcept {
    words.clear();
    uses.clear();
  }
  // Any order, repetitions allowed, until normalise().
  void add(Uid target, Time time, std::string_view text) {
    uses.push_back({target, static_cast<std::uint32_t>(words.size()), time});
    words.emplace_back(text);
  }

  friend bool operator==(const PageTexts&, const PageTexts&) = default;
};

void append(PageTexts& texts, const PageTexts& more);
// Words ascend, each once, none unused; uses ascend, each once.
void normalise(PageTexts& texts);
// Removes the texts of rows of other times; `times` ascend.
void keep_times(PageTexts& texts, std::span<const Time> times);
// A row that repeats the links of another, with their texts.
struct RepeatedRow {
  Time from = 0;  // time of the row that it repeats
  Time time = 0;
};
void repeat_texts(PageTexts& texts, std::vector<RepeatedRow> rows);

// A text of a link in consecutive rows of those that have the link. Rows and links are positions
// among those of the page: its times, and the union of its targets, ascending.
struct TextSpan {
  std::uint64_t link = 0;
  std::uint64_t first_row = 0;  // 0: from the first row with the link on
  // The first row after it that has the link, but not with this text; 0: no such row.
  std::uint64_t end_row = 0;
  std::string_view text;  // ascending within one link and first row
};
// The spans of a page, ascending by link, first row and text. Views live as long as the page is
// unchanged. Rows and texts are normalised, and every use is of a link in a row.
std::vector<TextSpan> spans_of_texts(const PageFacts& page);

// Adds what spans say to the texts of a page whose rows are normalised; normalise() then joins.
// With a target, only its texts. Throws Error(Corrupt) if they do not fit the rows.
void add_spans(PageFacts& page, std::span<const TextSpan> spans, const Uid* target = nullptr);

}  // namespace webstrata
