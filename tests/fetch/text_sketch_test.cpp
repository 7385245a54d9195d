// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/probe/text_sketch.h"

#include <gtest/gtest.h>

#include <array>

namespace webstrata {
namespace {

std::string words(int first, int last) {
  std::string text;
  for (int i = first; i < last; ++i) text += "word" + std::to_string(i) + " ";
  return text;
}

TEST(TextSketch, EqualTextsAreTheSame) {
  const std::string text = words(0, 500);
  EXPECT_EQ(similarity(sketch_text(text, {}), sketch_text(text, {})), 1);
  EXPECT_EQ(similarity(sketch_text("Not found!", {}), sketch_text("not  FOUND", {})), 1);
  EXPECT_EQ(similarity(sketch_text("", {}), sketch_text(" . ,", {})), 1);
}

TEST(TextSketch, DifferentTextsHaveNothingInCommon) {
  EXPECT_EQ(similarity(sketch_text(words(0, 500), {}), sketch_text(words(500, 900), {})), 0);
  EXPECT_EQ(similarity(sketch_text("a b c d e", {}), sketch_text("", {})), 0);
}

// 1,000 words and 1,500 that begin with the same: 997 of 1,497 runs are shared, 0.666.
TEST(TextSketch, EstimatesTheShareOfCommonRuns) {
  EXPECT_NEAR(similarity(sketch_text(words(0, 1000), {}), sketch_text(words(0, 1500), {})), 0.666,
              0.1);
}

TEST(TextSketch, TheNameThatWasAskedForDoesNotCount) {
  const std::array<std::string, 1> one = {"abc.html"};
  const std::array<std::string, 1> other = {"xyz.html"};
  EXPECT_EQ(similarity(sketch_text("The page /abc.html was not found here", one),
                       sketch_text("The page /xyz.html was not found here", other)),
            1);
}

}  // namespace
}  // namespace webstrata
