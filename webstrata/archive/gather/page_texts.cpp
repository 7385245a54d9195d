// SPDX-License-Identifier: Apache-2.0

// A span is a maximal run of rows inside the rows that have the link. Rows without the link in
// between say nothing, and a text that a link always had begins at row 0 and has no end, whichever
// rows those are: that is one number for nearly all texts of a page.
// Tested by tests/archive/page_texts_test.cpp.

#include "webstrata/archive/gather/page_texts.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "webstrata/archive/gather/page.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// The rows that have each link.
class RowsOfLinks {
 public:
  explicit RowsOfLinks(const PageFacts& page) {
    PageLayers layers;
    to_layers(page, layers);
    links_ = std::move(layers.links);
    ends_.assign(links_.size() + 1, 0);
    for (const std::uint32_t link : layers.ones) ++ends_[link + 1];
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    rows_.resize(layers.ones.size());
    std::vector<std::uint32_t> next(ends_.begin(), ends_.end() - 1);
    std::size_t one = 0;
    for (std::size_t row = 0; row < layers.one_ends.size(); ++row) {
      for (; one < layers.one_ends[row]; ++one) {
        rows_[next[layers.ones[one]]++] = static_cast<std::uint32_t>(row);
      }
    }
  }

  [[nodiscard]] const std::vector<Uid>& links() const noexcept { return links_; }
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t link) const noexcept {
    return std::span(rows_).subspan(ends_[link], ends_[link + 1] - ends_[link]);
  }

 private:
  std::vector<Uid> links_;
  std::vector<std::uint32_t> ends_;  // where each link begins in rows_, and the end of the last
  std::vector<std::uint32_t> rows_;
};

// The spans of one text of one link. `uses` have the times of its rows, ascending.
void add_spans_of_text(const PageFacts& page, std::size_t link, std::span<const TextUse> uses,
                       std::span<const std::uint32_t> rows, std::vector<TextSpan>& spans) {
  auto use = uses.begin();
  bool is_open = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool has_text = use != uses.end() && use->time == page.times[rows[i]];
    if (has_text) {
      if (!is_open) {
        spans.push_back({link, i == 0 ? 0 : rows[i], 0, page.texts.words[use->text]});
      }
      ++use;
    } else if (is_open) {
      spans.back().end_row = rows[i];
    }
    is_open = has_text;
  }
}

[[noreturn]] void throw_misfit() {
  throw Error(ErrorKind::Corrupt, "texts of links that the page does not have");
}

}  // namespace

void append(PageTexts& texts, const PageTexts& more) {
  const auto words_before = static_cast<std::uint32_t>(texts.words.size());
  texts.words.insert(texts.words.end(), more.words.begin(), more.words.end());
  texts.uses.reserve(texts.uses.size() + more.uses.size());
  for (const TextUse& use : more.uses) {
    texts.uses.push_back({use.target, use.text + words_before, use.time});
  }
}

void normalise(PageTexts& texts) {
  if (texts.words.empty()) return;
  std::vector<bool> is_used(texts.words.size());
  for (const TextUse& use : texts.uses) is_used[use.text] = true;
  std::vector<std::uint32_t> order(texts.words.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::uint32_t word) { return !is_used[word]; });
  std::ranges::sort(order, {},
                    [&](std::uint32_t word) -> const std::string& { return texts.words[word]; });
  std::vector<std::string> words;
  std::vector<std::uint32_t> numbers(texts.words.size());
  for (const std::uint32_t word : order) {
    if (words.empty() || words.back() != texts.words[word]) words.push_back(texts.words[word]);
    numbers[word] = static_cast<std::uint32_t>(words.size() - 1);
  }
  texts.words = std::move(words);
  for (TextUse& use : texts.uses) use.text = numbers[use.text];
  std::ranges::sort(texts.uses);
  texts.uses.erase(std::unique(texts.uses.begin(), texts.uses.end()), texts.uses.end());
}

void keep_times(PageTexts& texts, std::span<const Time> times) {
  std::erase_if(texts.uses,
                [&](const TextUse& use) { return !std::ranges::binary_search(times, use.time); });
}

void repeat_texts(PageTexts& texts, std::vector<RepeatedRow> rows) {
  std::ranges::sort(rows, {}, &RepeatedRow::from);
  for (std::size_t i = 0, size = texts.uses.size(); i < size; ++i) {
    const TextUse use = texts.uses[i];
    for (const RepeatedRow& row :
         std::ranges::equal_range(rows, use.time, {}, &RepeatedRow::from)) {
      texts.uses.push_back({use.target, use.text, row.time});
    }
  }
}

std::vector<TextSpan> spans_of_texts(const PageFacts& page) {
  std::vector<TextSpan> spans;
  if (page.texts.empty()) return spans;
  const RowsOfLinks links(page);
  const std::span<const TextUse> uses(page.texts.uses);
  std::size_t link = 0;
  for (std::size_t first = 0; first < uses.size();) {
    std::size_t end = first + 1;
    while (end < uses.size() && uses[end].target == uses[first].target &&
           uses[end].text == uses[first].text) {
      ++end;
    }
    while (link < links.links().size() && links.links()[link] < uses[first].target) ++link;
    add_spans_of_text(page, link, uses.subspan(first, end - first), links.rows(link), spans);
    first = end;
  }
  std::ranges::sort(spans, {}, [](const TextSpan& span) {
    return std::tuple(span.link, span.first_row, span.text);
  });
  return spans;
}

void add_spans(PageFacts& page, std::span<const TextSpan> spans, const Uid* target) {
  if (spans.empty()) return;
  const RowsOfLinks links(page);
  for (const TextSpan& span : spans) {
    if (span.link >= links.links().size()) throw_misfit();
    if (target != nullptr && links.links()[span.link] != *target) continue;
    const auto rows = links.rows(span.link);
    const auto first = std::ranges::lower_bound(rows, span.first_row);
    const auto end = span.end_row == 0 ? rows.end() : std::ranges::lower_bound(rows, span.end_row);
    if (first >= end) throw_misfit();
    const auto word = static_cast<std::uint32_t>(page.texts.words.size());
    page.texts.words.emplace_back(span.text);
    for (auto row = first; row != end; ++row) {
      page.texts.uses.push_back({links.links()[span.link], word, page.times[*row]});
    }
  }
}

}  // namespace webstrata
