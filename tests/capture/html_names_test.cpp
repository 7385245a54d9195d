// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/html/html_names.h"

#include <string>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

TEST(HtmlNames, EveryTagFindsItselfInBothCases) {
  for (std::size_t i = 1; i < static_cast<std::size_t>(HtmlTag::Count); ++i) {
    const auto tag = static_cast<HtmlTag>(i);
    EXPECT_EQ(html_tag(to_string(tag)), tag) << to_string(tag);
    EXPECT_EQ(html_tag(upper_case(to_string(tag))), tag) << to_string(tag);
  }
}

TEST(HtmlNames, EveryAttributeFindsItselfInBothCases) {
  for (std::size_t i = 1; i < static_cast<std::size_t>(HtmlAttribute::Count); ++i) {
    const auto name = static_cast<HtmlAttribute>(i);
    EXPECT_EQ(html_attribute(to_string(name)), name) << to_string(name);
    EXPECT_EQ(html_attribute(upper_case(to_string(name))), name) << to_string(name);
  }
}

TEST(HtmlNames, NeighboursOfANameAreUnknown) {
  using std::string_literals::operator""s;
  for (const std::string& name : {""s, "ab"s, "a\0"s, "hrefs"s, "foreignobjecs"s, "foreignobjectx"s,
                                  "blockquot"s, "annotation_xml"s, "\xc1"s, "h\x11"s, "@"s}) {
    EXPECT_EQ(html_tag(name), HtmlTag::Unknown) << name;
  }
  EXPECT_EQ(html_attribute("http_equiv"), HtmlAttribute::Unknown);
  EXPECT_EQ(html_attribute("http-equi"), HtmlAttribute::Unknown);
}

TEST(HtmlNames, BytesBehindTheNameDoNotMatter) {
  const std::string_view text = "href=\"x\"";
  EXPECT_EQ(html_attribute(text.data(), 4, text.size()), HtmlAttribute::Href);
  EXPECT_EQ(html_tag("a>", 1, 2), HtmlTag::A);
}

}  // namespace
}  // namespace webstrata
