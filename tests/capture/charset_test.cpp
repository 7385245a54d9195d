// SPDX-License-Identifier: Apache-2.0

// Labels are the Encoding standard's; prescan cases follow the HTML standard's steps.

#include "webstrata/capture/html/charset.h"

#include <string>

#include <gtest/gtest.h>

namespace webstrata {
namespace {

Charset detected(std::string_view body, std::string_view label = "") {
  return detect_charset(body, label).charset;
}

TEST(Charset, LabelsMeanWhatTheWebMeansByThem) {
  EXPECT_EQ(charset_of_label("utf8"), Charset::Utf8);
  EXPECT_EQ(charset_of_label(" ISO-8859-1\t"), Charset::Windows1252);
  EXPECT_EQ(charset_of_label("us-ascii"), Charset::Windows1252);
  EXPECT_EQ(charset_of_label("latin5"), Charset::Windows1254);
  EXPECT_EQ(charset_of_label("gb2312"), Charset::Gbk);
  EXPECT_EQ(charset_of_label("x-sjis"), Charset::ShiftJis);
  EXPECT_EQ(charset_of_label("ks_c_5601-1987"), Charset::EucKr);
  EXPECT_EQ(charset_of_label("utf-16"), Charset::Utf16Le);
  EXPECT_EQ(charset_of_label("tis-620"), Charset::Windows874);
}

TEST(Charset, UnknownAndRefusedLabelsAreNone) {
  for (const std::string_view label : {"", "utf", "utf-7", "hz-gb-2312", "iso-2022-kr", "none"}) {
    EXPECT_EQ(charset_of_label(label), std::nullopt) << label;
  }
}

TEST(Charset, EveryNameIsALabelOfItself) {
  for (int i = 0; i < static_cast<int>(Charset::Count); ++i) {
    const auto charset = static_cast<Charset>(i);
    EXPECT_EQ(charset_of_label(to_string(charset)), charset) << to_string(charset);
  }
}

TEST(Charset, TheByteOrderMarkComesFirst) {
  EXPECT_EQ(detected("\xef\xbb\xbfx", "koi8-r"), Charset::Utf8);
  EXPECT_EQ(detect_charset("\xef\xbb\xbfx", "").bom_size, 3U);
  EXPECT_EQ(detected("\xfe\xff", "koi8-r"), Charset::Utf16Be);
  EXPECT_EQ(detected("\xff\xfe", "koi8-r"), Charset::Utf16Le);
}

TEST(Charset, TheHeaderComesBeforeTheMeta) {
  EXPECT_EQ(detected("<meta charset=utf-8>", "koi8-r"), Charset::Koi8R);
  EXPECT_EQ(detected("<meta charset=koi8-r>", "unknown"), Charset::Koi8R);
}

TEST(Charset, MetaIsFoundInBothForms) {
  for (const std::string_view page :
       {"<meta charset=koi8-r>", "<META CHARSET='KOI8-R'/>", "<meta/charset=\"koi8-r\">",
        "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
        "<meta content='text/html;charset = \"koi8-r\"' http-equiv=content-type>",
        "<meta content='charset charset=koi8-r;x' http-equiv=content-type>",
        "<!-- <meta charset=utf-8> --><meta charset=koi8-r>", "<!--><meta charset=koi8-r>",
        "<a title='<meta charset=utf-8>'><meta charset=koi8-r>",
        "<?x?><!x></x y='>'><meta charset=koi8-r>", "<meta charset=nonsense><meta charset=koi8-r>",
        "<?xml version='1.0' encoding=\"koi8-r\"?><html>"}) {
    EXPECT_EQ(prescan_charset(page), Charset::Koi8R) << page;
  }
}

TEST(Charset, MetaIsNotFoundInOthers) {
  for (const std::string_view page :
       {"<metacharset=koi8-r>", "<meta content='text/html; charset=koi8-r'>", "<meta name=charset>",
        "<meta http-equiv=content-type content='charset=\"koi8-r'>", "<!-- <meta charset=koi8-r>",
        "<meta charset=koi8-r", "<meta", "<", "", "<?xml encoding=koi8-r?>"}) {
    EXPECT_EQ(prescan_charset(page), std::nullopt) << page;
  }
}

TEST(Charset, AMetaCannotSayUtf16) {
  EXPECT_EQ(prescan_charset("<meta charset=utf-16be>"), Charset::Utf8);
  EXPECT_EQ(prescan_charset("<meta charset=x-user-defined>"), Charset::Windows1252);
}

TEST(Charset, WithoutALabelTheBytesDecide) {
  EXPECT_EQ(detected("plain"), Charset::Utf8);
  EXPECT_EQ(detected("\xc3\xa9"), Charset::Utf8);
  EXPECT_TRUE(detect_charset("\xc3\xa9", "").is_checked_utf8);
  EXPECT_EQ(detected("\xe9t\xe9"), Charset::Windows1252);
}

TEST(Charset, ALateMetaCountsWhereThePageIsNotUtf8) {
  const std::string comment = "<!--" + std::string(2000, 'x') + "-->";
  EXPECT_EQ(detected(comment + "<meta charset=koi8-r>\xc1"), Charset::Koi8R);
  EXPECT_EQ(detected(comment + "<meta charset=koi8-r>a"), Charset::Utf8);
}

}  // namespace
}  // namespace webstrata
