// SPDX-License-Identifier: Apache-2.0

// The union of a part and what was known must be the page, and stay so when strata are merged:
// - A link of a second is in one of the two only, with its final kinds and count.
// - A row of captures brings a capture of its second along. Otherwise it would look like the row of
//   a revisit, which a merge drops and derives again.
// - The row of a revisit is never extended: merges would drop one half.
// - The texts of a link of a second are where the link is.
// Whatever does not fit is written as a whole.
// Tested by tests/archive/page_delta_test.cpp.

#include "webstrata/archive/gather/page_delta.h"

#include <algorithm>
#include <iterator>

namespace webstrata {
namespace {

bool is_captured(const PageFacts& page, Time time) {
  auto sighting = std::ranges::lower_bound(page.sightings, time, {}, &SightingRecord::time);
  for (; sighting != page.sightings.end() && sighting->time == time; ++sighting) {
    if (sighting->has_links) return true;
  }
  return false;
}

// Appends the links of row `now_row` that row `before_row` does not have. False if a link that both
// have differs, or if one is lost.
bool append_new_links(const PageFacts& now, std::size_t now_row, const PageFacts& before,
                      std::size_t before_row, PageFacts& delta) {
  std::size_t at = before.row_start(before_row);
  const std::size_t end = before.row_ends[before_row];
  for (std::size_t i = now.row_start(now_row); i < now.row_ends[now_row]; ++i) {
    if (at == end || now.targets[i] < before.targets[at]) {
      delta.add_link(now.targets[i], now.values[i]);
      continue;
    }
    if (now.targets[i] != before.targets[at] || now.values[i] != before.values[at]) return false;
    ++at;
  }
  return at == end;
}

// A second in which both have a row. False if that does not fit.
bool subtract_row(const PageFacts& now, std::size_t now_row, const PageFacts& before,
                  std::size_t before_row, PageFacts& delta) {
  const Time time = now.times[now_row];
  const std::size_t links_before = delta.targets.size();
  if (!append_new_links(now, now_row, before, before_row, delta)) return false;
  const bool has_new_links = delta.targets.size() > links_before;
  const bool was_captured = is_captured(before, time);
  if (!was_captured) return !has_new_links && !is_captured(now, time);
  const bool has_new_capture = is_captured(delta, time);
  if (has_new_links && !has_new_capture) return false;
  if (has_new_capture) delta.end_row(time);
  return true;
}

void append_row_of(const PageFacts& page, std::size_t row, PageFacts& delta) {
  for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
    delta.add_link(page.targets[i], page.values[i]);
  }
  delta.end_row(page.times[row]);
}

// False if the rows that were known are not a part of those of now.
bool subtract_rows(const PageFacts& now, const PageFacts& before, PageFacts& delta) {
  std::size_t known = 0;
  for (std::size_t row = 0; row < now.row_count(); ++row) {
    const bool is_known = known < before.row_count() && before.times[known] == now.times[row];
    if (known < before.row_count() && before.times[known] < now.times[row]) return false;
    if (!is_known) {
      append_row_of(now, row, delta);
    } else if (!subtract_row(now, row, before, known++, delta)) {
      return false;
    }
  }
  return known == before.row_count();
}

bool has_link(const PageFacts& page, Time time, Uid target) {
  const auto row = std::ranges::lower_bound(page.times, time);
  if (row == page.times.end() || *row != time) return false;
  const auto at = static_cast<std::size_t>(row - page.times.begin());
  const auto first = page.targets.begin() + static_cast<std::ptrdiff_t>(page.row_start(at));
  return std::binary_search(first, page.targets.begin() + page.row_ends[at], target);
}

// The uses of `texts` with the numbers that `words` gives them; all of them are there, or false.
bool renumber_words(const PageTexts& texts, const std::vector<std::string>& words,
                    std::vector<TextUse>& uses) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& word : texts.words) {
    const auto found = std::ranges::lower_bound(words, word);
    if (found == words.end() || *found != word) return false;
    numbers.push_back(static_cast<std::uint32_t>(found - words.begin()));
  }
  uses = texts.uses;
  for (TextUse& use : uses) use.text = numbers[use.text];
  return true;
}

// `delta` has its rows. False if a link that was known has other texts now.
bool subtract_texts(const PageFacts& now, const PageFacts& before, PageFacts& delta) {
  std::vector<TextUse> known;
  if (!renumber_words(before.texts, now.texts.words, known)) return false;
  if (!std::ranges::includes(now.texts.uses, known)) return false;
  delta.texts.words = now.texts.words;
  std::ranges::set_difference(now.texts.uses, known, std::back_inserter(delta.texts.uses));
  normalise(delta.texts);
  return std::ranges::all_of(
      delta.texts.uses, [&](const TextUse& use) { return has_link(delta, use.time, use.target); });
}

}  // namespace

PageDelta subtract(const PageFacts& now, const PageFacts& before, PageFacts& delta) {
  delta.clear();
  if (std::ranges::includes(now.sightings, before.sightings)) {
    std::ranges::set_difference(now.sightings, before.sightings,
                                std::back_inserter(delta.sightings));
    if (subtract_rows(now, before, delta) && subtract_texts(now, before, delta)) {
      return delta.empty() ? PageDelta::Nothing : PageDelta::Part;
    }
  }
  delta = now;
  return PageDelta::Whole;
}

}  // namespace webstrata
