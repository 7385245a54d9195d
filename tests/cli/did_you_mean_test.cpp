// SPDX-License-Identifier: Apache-2.0
#include "webstrata/cli/frame/did_you_mean.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

// Counted by hand; "ca" to "abc" is 3 because no letter of a swap is edited again.
TEST(DidYouMean, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("lniks", "links"), 1U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);
}

TEST(DidYouMean, NamesTheClosestWord) {
  const std::vector<std::string> known = {"extract", "explore", "export", "url"};
  EXPECT_EQ(nearest("extrakt", known), "extract");
  EXPECT_EQ(nearest("exprot", known), "export");
  EXPECT_EQ(nearest("ulr", known), "url");
  EXPECT_EQ(nearest("extr", known), "extract");
  EXPECT_EQ(did_you_mean("extrakt", known), "; did you mean extract?");
}

TEST(DidYouMean, SaysNothingWhenNothingIsClose) {
  EXPECT_EQ(nearest("build", {"extract", "url"}), "");
  EXPECT_EQ(nearest("x", {"extract", "url"}), "");
  EXPECT_EQ(did_you_mean("build", {}), "");
}

}  // namespace
}  // namespace webstrata
