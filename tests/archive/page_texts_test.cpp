// SPDX-License-Identifier: Apache-2.0

// A page with five rows; what its spans are was found by hand.

#include "webstrata/archive/gather/page_texts.h"

#include <gtest/gtest.h>

#include "webstrata/archive/gather/page.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Rows at times 10, 20, 30, 40, 50. Target 7 is in all of them, target 9 in the second, fourth and
// fifth.
PageFacts page_of_five_rows() {
  PageFacts page;
  for (const Time time : {10, 20, 30, 40, 50}) {
    page.add_link(7, {1, 1});
    if (time == 20 || time >= 40) page.add_link(9, {1, 1});
    page.end_row(time);
  }
  return page;
}

std::string in_words(const std::vector<TextSpan>& spans) {
  std::string words;
  for (const TextSpan& span : spans) {
    words += std::to_string(span.link) + " " + std::string(span.text) + " " +
             std::to_string(span.first_row) + ".." + std::to_string(span.end_row) + "; ";
  }
  return words;
}

void add(PageFacts& page, Uid target, std::string_view text, std::initializer_list<Time> times) {
  for (const Time time : times) page.texts.add(target, time, text);
}

TEST(PageTexts, ATextThatALinkAlwaysHadIsOneSpanWithoutEnds) {
  PageFacts page = page_of_five_rows();
  add(page, 7, "home", {50, 40, 30, 20, 10});
  add(page, 9, "news", {20, 40, 50});
  normalise(page.texts);
  EXPECT_EQ(in_words(spans_of_texts(page)), "0 home 0..0; 1 news 0..0; ");
}

TEST(PageTexts, ChangesAreSpansWithRows) {
  PageFacts page = page_of_five_rows();
  add(page, 7, "old", {10, 20});
  add(page, 7, "new", {30, 40, 50});
  add(page, 9, "x", {20, 50});  // and not in the fourth row
  normalise(page.texts);
  EXPECT_EQ(in_words(spans_of_texts(page)), "0 old 0..2; 0 new 2..0; 1 x 0..3; 1 x 4..0; ");
}

TEST(PageTexts, SpansGiveTheTextsBack) {
  PageFacts page = page_of_five_rows();
  add(page, 7, "a", {10, 30});
  add(page, 7, "b", {10, 20, 30, 40});
  add(page, 9, "b", {40});
  normalise(page.texts);
  PageFacts again = page_of_five_rows();
  add_spans(again, spans_of_texts(page));
  normalise(again.texts);
  EXPECT_EQ(again.texts, page.texts);
  PageFacts of_nine = page_of_five_rows();
  const Uid nine = 9;
  add_spans(of_nine, spans_of_texts(page), &nine);
  ASSERT_EQ(of_nine.texts.uses.size(), 1U);
  EXPECT_EQ(of_nine.texts.uses[0].time, 40);
}

TEST(PageTexts, SpansOfOtherRowsAreCorrupt) {
  for (const TextSpan& span : {TextSpan{2, 0, 0, "x"}, TextSpan{1, 5, 0, "x"},
                               TextSpan{0, 3, 3, "x"}, TextSpan{1, 2, 3, "x"}}) {
    PageFacts page = page_of_five_rows();
    try {
      add_spans(page, std::span(&span, 1));
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    }
  }
}

TEST(PageTexts, JoinAsASet) {
  PageTexts texts;
  texts.add(1, 10, "b");
  texts.add(1, 10, "a");
  PageTexts more;
  more.add(1, 10, "b");
  more.add(0, 20, "a");
  append(texts, more);
  normalise(texts);
  EXPECT_EQ(texts.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(texts.uses, (std::vector<TextUse>{{0, 0, 20}, {1, 0, 10}, {1, 1, 10}}));
  const std::vector<Time> kept = {20};
  keep_times(texts, kept);
  normalise(texts);
  EXPECT_EQ(texts.words, (std::vector<std::string>{"a"}));
}

// A revisit repeats the links of its original, with their texts.
TEST(PageTexts, ARevisitHasTheTextsOfItsOriginal) {
  PageFacts page;
  SightingRecord capture;
  capture.time = 10;
  capture.has_links = true;
  capture.digest = "sha1:1";
  SightingRecord revisit;
  revisit.time = 30;
  revisit.kind = 1;
  revisit.digest = "sha1:1";
  page.sightings = {capture, revisit};
  page.add_link(7, {1, 1});
  page.end_row(10);
  page.texts.add(7, 10, "home");
  normalise(page);
  PageFacts derived = page;
  derive_rows(derived);
  EXPECT_EQ(derived.texts.uses, (std::vector<TextUse>{{7, 0, 10}, {7, 0, 30}}));
  drop_derived_rows(derived);
  EXPECT_EQ(derived, page);
}

}  // namespace
}  // namespace webstrata
