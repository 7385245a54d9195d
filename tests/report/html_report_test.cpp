// SPDX-License-Identifier: Apache-2.0
#include "webstrata/report/html_report.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <simdjson.h>

#include <cmath>
#include <limits>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/random.h"
#include "webstrata/report/bundle.h"

namespace webstrata::report {
namespace {

constexpr std::string_view kDataStart = R"(<script type="application/json" id="data">)";

// The content between the tags of the data, as an HTML parser extracts it: up to the first
// "</script".
std::string data_of(const std::string& html) {
  const std::size_t start = html.find(kDataStart) + kDataStart.size();
  return html.substr(start, html.find("</script", start) - start);
}

simdjson::dom::element parse(simdjson::dom::parser& parser, const HtmlReport& report) {
  return parser.parse(data_of(to_html(report)));
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

HtmlReport with(Section section) { return {.title = "t", .sections = {std::move(section)}}; }

std::string complaint(Section section) {
  try {
    to_html(with(std::move(section)));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

TEST(HtmlReport, HoldsAllPartsInOrder) {
  simdjson::dom::parser parser;
  const auto data = parse(
      parser, {.title = "A & B",
               .subtitle = "sub",
               .generated_by = "me",
               .sections = {Text{"h", "p"}, KeyFigures{{{"l", "v", "n"}}},
                            Plot{.title = "p",
                                 .kind = PlotKind::Bar,
                                 .x = {.label = "x", .scale = Scale::Log},
                                 .series = {{.name = "s", .x = {1, 2}, .y = {3, 4.5}}}},
                            Drawing{.nodes = {{.x = 1, .y = 2, .label = "n"}}, .links = {{0, 0}}},
                            Table{.columns = {{"c", ColumnKind::Link}}, .rows = {{"http://x/"}}}}});
  EXPECT_EQ(std::string_view(data["title"]), "A & B");
  EXPECT_EQ(std::string_view(data["generated_by"]), "me");
  const char* parts[] = {"text", "figures", "plot", "drawing", "table"};
  std::size_t i = 0;
  for (const auto section : data["sections"])
    EXPECT_EQ(std::string_view(section["part"]), parts[i++]);
  EXPECT_EQ(i, 5u);
  const auto plot = data["sections"].at(2);
  EXPECT_EQ(std::string_view(plot["kind"]), "bar");
  EXPECT_EQ(std::string_view(plot["x"]["scale"]), "log");
  EXPECT_EQ(double(plot["series"].at(0)["y"].at(1)), 4.5);
  EXPECT_EQ(std::string_view(data["sections"].at(4)["columns"].at(0)["kind"]), "link");
}

// An HTML parser ends a script element at "</script" and enters other modes at "<!--": no text may
// bring a single "<" into the data, and every text must come out as it went in.
TEST(HtmlReport, HostileTextsAreDataAndComeBackUnchanged) {
  const std::string texts[] = {"</script><script>alert(1)</script>",
                               "<!--<script>",
                               "]]>",
                               "&lt;&amp;",
                               "\"><img src=x onerror=alert(1)>",
                               "\xe2\x80\xa8\xe2\x80\xa9",
                               "\xe2\x80\xae right to left",
                               "\\u003c \\ \" '",
                               "{0} {title} {{}} %s",
                               std::string("a\0b", 3),
                               std::string(10000, '<')};
  for (const std::string& text : texts) {
    const HtmlReport report{
        .title = text,
        .subtitle = text,
        .generated_by = text,
        .sections = {Text{text, text}, Table{.columns = {{text}}, .rows = {{text}}}}};
    const std::string html = to_html(report);
    const std::string data = data_of(html);
    EXPECT_EQ(data.find_first_of("<>&"), data.npos) << text.substr(0, 50);
    EXPECT_EQ(data.find("\xe2\x80\xa8"), data.npos);
    EXPECT_EQ(count_of(html, "<script"), 2 + count_of(kBundleScript, "<script"));
    EXPECT_EQ(count_of(html, "<img"), count_of(kBundleScript, "<img"));
    simdjson::dom::parser parser;
    const auto read = parser.parse(data);
    EXPECT_EQ(std::string_view(read["title"]), text);
    EXPECT_EQ(std::string_view(read["sections"].at(1)["rows"].at(0).at(0)), text);
  }
}

TEST(HtmlReport, RandomBytesNeverLeaveTheData) {
  Random random(20261116);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      text += random.chance(0.5) ? "</script<!--&\"'\xe2\x80\xa8"[random.below(18)]
                                 : static_cast<char>(random.below(256));
    }
    const std::string html = to_html({.title = text, .sections = {Text{text, text}}});
    EXPECT_EQ(data_of(html).find_first_of("<>&"), std::string::npos);
    simdjson::dom::parser parser;
    EXPECT_EQ(parser.parse(data_of(html)).error(), simdjson::SUCCESS) << "seed 20261116, " << round;
  }
}

TEST(HtmlReport, FrameShowsTitleAndSubtitleEscaped) {
  const std::string html = to_html({.title = "<b>\"a\" & 'b'\xe2\x80\xae", .subtitle = "</p><i>"});
  EXPECT_NE(html.find("<title>&#60;b&#62;&#34;a&#34; &#38; &#39;b&#39;\xef\xbf\xbd</title>"),
            html.npos);
  EXPECT_NE(html.find("<p class=\"subtitle\">&#60;/p&#62;&#60;i&#62;</p>"), html.npos);
}

TEST(HtmlReport, TheResultIsOnTopEscapedAndOnlyIfThereIsOne) {
  const std::string html = to_html({.title = "t", .result = "</p><i> won."});
  const std::size_t place =
      html.find("<p class=\"result\"><bdi>&#60;/p&#62;&#60;i&#62; won.</bdi></p>");
  EXPECT_NE(place, html.npos);
  EXPECT_LT(place, html.find("<p class=\"subtitle\">"));
  EXPECT_EQ(to_html({.title = "t"}).find("<p class=\"result\">"), html.npos);
}

TEST(HtmlReport, QuietSeriesSaySo) {
  simdjson::dom::parser parser;
  const auto data = parse(
      parser, {.sections = {Plot{.series = {{.name = "a", .x = {1}, .y = {1}},
                                            {.name = "b", .x = {1}, .y = {1}, .quiet = true}}}}});
  const auto series = data["sections"].at(0)["series"];
  EXPECT_EQ(series.at(0)["quiet"].error(), simdjson::NO_SUCH_FIELD);
  EXPECT_TRUE(bool(series.at(1)["quiet"]));
}

TEST(HtmlReport, NumbersThatAreNotFiniteAreGapsOrWords) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  simdjson::dom::parser parser;
  const auto data = parse(
      parser, {.sections = {Plot{.series = {{.x = {1, 2, 3}, .y = {nan, infinity, 1e-300}}}},
                            Table{.columns = {{"n", ColumnKind::Number}},
                                  .rows = {{nan},
                                           {infinity},
                                           {-infinity},
                                           {Cell()},
                                           {0.1},
                                           {std::uint64_t{18446744073709551615u}}}}}});
  const auto y = data["sections"].at(0)["series"].at(0)["y"];
  EXPECT_TRUE(y.at(0).is_null());
  EXPECT_TRUE(y.at(1).is_null());
  EXPECT_EQ(double(y.at(2)), 1e-300);
  const auto rows = data["sections"].at(1)["rows"];
  EXPECT_TRUE(rows.at(0).at(0).is_null());
  EXPECT_EQ(std::string_view(rows.at(1).at(0)), "inf");
  EXPECT_EQ(std::string_view(rows.at(2).at(0)), "-inf");
  EXPECT_TRUE(rows.at(3).at(0).is_null());
  EXPECT_EQ(double(rows.at(4).at(0)), 0.1);
  EXPECT_EQ(std::uint64_t(rows.at(5).at(0)), 18446744073709551615u);
}

TEST(HtmlReport, EmptyPartsAreFine) {
  simdjson::dom::parser parser;
  const auto data = parse(parser, {.sections = {Text{}, KeyFigures{}, Plot{}, Table{}, Drawing{},
                                                Plot{.series = {Series{}}}}});
  EXPECT_EQ(data["sections"].get_array().size(), 6u);
  EXPECT_EQ(parse(parser, {})["sections"].get_array().size(), 0u);
}

TEST(HtmlReport, HugeTablesAreWhole) {
  Table table{.columns = {{"n", ColumnKind::Number}, {"url", ColumnKind::Link}}};
  for (std::uint64_t n = 0; n < 200'000; ++n)
    table.rows.push_back({n, "http://x/<" + std::to_string(n)});
  simdjson::dom::parser parser;
  const auto rows = parse(parser, with(table))["sections"].at(0)["rows"].get_array();
  std::uint64_t n = 0;
  for (const auto row : rows) {
    ASSERT_EQ(std::uint64_t(row.at(0)), n);
    ASSERT_EQ(std::string_view(row.at(1)), "http://x/<" + std::to_string(n));
    ++n;
  }
  EXPECT_EQ(n, 200'000u);
}

TEST(HtmlReport, PartsThatDoNotFitAreRefused) {
  EXPECT_NE(complaint(Plot{.title = "p", .series = {{.name = "s", .x = {1}, .y = {}}}})
                .find("\"p\": series \"s\" has 1 x and 0 y"),
            std::string::npos);
  EXPECT_NE(complaint(Plot{.series = {{.x = {1}, .y = {1}, .labels = {"a", "b"}}}}), "");
  EXPECT_NE(complaint(Plot{.series = {{.x = {1}, .y = {1}, .low = {0}}}}), "");
  EXPECT_NE(complaint(Plot{.series = {{.x = {2}, .y = {1}}}, .categories = {"a", "b"}}), "");
  EXPECT_NE(complaint(Plot{.series = {{.x = {0.5}, .y = {1}}}, .categories = {"a", "b"}}), "");
  EXPECT_NE(complaint(Plot{.series = {{.x = {NAN}, .y = {1}}}, .categories = {"a", "b"}}), "");
  EXPECT_EQ(complaint(Plot{.series = {{.x = {1}, .y = {1}}}, .categories = {"a", "b"}}), "");
  EXPECT_NE(complaint(Table{.columns = {{"a"}}, .rows = {{}}}), "");
  EXPECT_NE(complaint(Table{.columns = {{"a"}}, .rows = {{1.0}}}), "");
  EXPECT_NE(complaint(Table{.columns = {{"a", ColumnKind::Percent}}, .rows = {{"x"}}}), "");
  EXPECT_NE(complaint(Drawing{.nodes = {{.x = NAN}}}), "");
  EXPECT_NE(complaint(Drawing{.nodes = {{.size = -1}}}), "");
  EXPECT_NE(complaint(Drawing{.nodes = {{}}, .links = {{0, 1}}}), "");
}

// ---- nothing from elsewhere ---------------------------------------------------------------------

// By hand: SHA-256 of the bytes between the tags, in base64.
std::string hash_of(std::string_view block) {
  unsigned char digest[32];
  EVP_Digest(block.data(), block.size(), digest, nullptr, EVP_sha256(), nullptr);
  unsigned char text[45];
  EVP_EncodeBlock(text, digest, 32);
  return "'sha256-" + std::string(reinterpret_cast<char*>(text)) + "'";
}

std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t start = text.find(open) + open.size();
  return text.substr(start, text.find(close, start) - start);
}

TEST(HtmlReport, ThePolicyAllowsTheTwoInlineBlocksAlone) {
  const std::string html = to_html({.title = "t"});
  const std::string_view policy =
      between(html, "http-equiv=\"Content-Security-Policy\" content=\"", "\">");
  const std::string_view style = between(html, "<style>", "</style>");
  const std::string_view script = between(html, "\n<script>", "</script>");
  EXPECT_EQ(policy, "default-src 'none'; script-src " + hash_of(script) + "; style-src " +
                        hash_of(style) +
                        "; img-src data:; base-uri 'none'; form-action 'none'; "
                        "require-trusted-types-for 'script'; trusted-types 'none'");
  EXPECT_LT(html.find("Content-Security-Policy"), html.find("<style>"));
}

// A parser must find the end of the bundle where we put it, and its bytes as we hashed them.
TEST(HtmlReport, TheBundleCanStandInAPage) {
  EXPECT_GT(kBundleScript.size(), 100'000u);
  EXPECT_LT(kBundleScript.size() + kBundleStyle.size(), 400'000u);
  for (const char* part : {"</script", "<!--", "<script", "\r"}) {
    EXPECT_EQ(kBundleScript.find(part), kBundleScript.npos) << part;
  }
  for (const char* part : {"</style", "<!--", "\r", "url(", "@import"}) {
    EXPECT_EQ(kBundleStyle.find(part), kBundleStyle.npos) << part;
  }
}

TEST(HtmlReport, TheFrameNamesNothingOutside) {
  const std::string html = to_html({.title = "t"});
  std::string frame = html;
  frame.erase(frame.find(kBundleScript), kBundleScript.size());
  frame.erase(frame.find(kBundleStyle), kBundleStyle.size());
  EXPECT_EQ(frame.find("//"), frame.npos);
  EXPECT_EQ(count_of(frame, "src="), 0u);
  EXPECT_EQ(count_of(frame, "href="), 1u);  // the empty icon, so that none is requested
  EXPECT_NE(frame.find("href=\"data:,\""), frame.npos);
}

TEST(HtmlReport, TheSameReportGivesTheSameBytes) {
  const HtmlReport report = with(Plot{.series = {{.x = {1}, .y = {0.1}}}});
  EXPECT_EQ(to_html(report), to_html(report));
}

TEST(HtmlReport, AFileAppearsWholeOrNotAtAll) {
  const TemporaryFolder folder;
  write_html({.title = "t"}, folder / "r.html");
  EXPECT_EQ(read_file(folder / "r.html"), to_html({.title = "t"}));
  EXPECT_THROW(write_html(with(Table{.rows = {{1.0}}}), folder / "r.html"), Error);
  EXPECT_EQ(read_file(folder / "r.html"), to_html({.title = "t"}));
  EXPECT_THROW(write_html({.title = "t"}, folder / "none" / "r.html"), Error);
}

TEST(HtmlReport, StrataHaveRunsAndGroups) {
  simdjson::dom::parser parser;
  const Strata strata{.title = "links",
                      .times = {100, 200, 300},
                      .rows = {{.name = "a", .runs = {0, 1, 2, 1}}, {.name = "b", .runs = {0, 3}}},
                      .groupings = {{.name = "kind", .groups = {"x", "y"}, .of = {1, 0}}}};
  const auto data = parse(parser, with(strata));
  const auto part = data["sections"].at(0);
  EXPECT_EQ(std::string_view(part["part"]), "strata");
  EXPECT_EQ(std::int64_t(part["runs"].at(0).at(2)), 2);
  EXPECT_EQ(std::string_view(part["names"].at(1)), "b");
  EXPECT_EQ(std::int64_t(part["groupings"].at(0)["of"].at(0)), 1);
  EXPECT_EQ(part["notes"].error(), simdjson::NO_SUCH_FIELD);
}

TEST(HtmlReport, StrataOutsideTheirColumnsAreRefused) {
  const auto with_runs = [](std::vector<std::uint32_t> runs) {
    return Strata{
        .title = "s", .times = {1, 2, 3}, .rows = {{.name = "a", .runs = std::move(runs)}}};
  };
  EXPECT_EQ(complaint(with_runs({0, 3})), "");
  EXPECT_NE(complaint(with_runs({0, 4})), "");        // too long
  EXPECT_NE(complaint(with_runs({0, 2, 1, 1})), "");  // overlap
  EXPECT_NE(complaint(with_runs({0})), "");           // half a run
  EXPECT_NE(complaint(with_runs({1, 0})), "");        // nothing
  Strata grouped = with_runs({0, 1});
  grouped.groupings = {{.name = "kind", .groups = {"x"}, .of = {1}}};
  EXPECT_NE(complaint(grouped), "");
}

}  // namespace
}  // namespace webstrata::report
