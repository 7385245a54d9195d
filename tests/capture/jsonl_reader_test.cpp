// SPDX-License-Identifier: Apache-2.0
#include "reading.h"
#include "webstrata/capture/capture_lines.h"

namespace webstrata {
namespace {

Sighting sighting_of(const std::string& line) {
  const Reading reading = read_bytes(line);
  EXPECT_EQ(reading.captures.size(), 1u) << line;
  return reading.captures.empty() ? Sighting{} : reading.captures[0].sighting;
}

TEST(JsonlReader, LinksAreStringsOrObjects) {
  const Reading reading = read_bytes(
      R"({"url":"http://a.example/x/","ts":"20210814000000","links":["y","http://b.example/",)"
      R"({"url":"y","text":"Y","context":"see Y here"},{"url":"z","rel":"nofollow"},)"
      R"({"url":"mailto:me@a.example"}]})"
      "\n",
      {.with_anchor_text = true, .with_context = true});
  EXPECT_EQ(reading.format, "jsonl");
  ASSERT_EQ(reading.captures.size(), 1u);
  const KeptCapture& capture = reading.captures[0];
  EXPECT_TRUE(capture.links_known);
  EXPECT_EQ(capture.sighting.kind, SightingKind::Response);
  EXPECT_EQ(capture.sighting.outcome, Outcome::Alive);
  EXPECT_FALSE(capture.sighting.status.has_value());
  ASSERT_EQ(capture.links.size(), 3u);
  EXPECT_EQ(capture.links[0].target, "http://a.example/x/y");
  EXPECT_EQ(capture.links[0].count, 2);
  EXPECT_EQ(capture.links[0].text, "Y");
  EXPECT_EQ(capture.links[0].context, "see Y here");
  EXPECT_EQ(capture.links[1].target, "http://b.example/");
  EXPECT_EQ(capture.links[2].kinds, LinkKind::Navigation | LinkKind::Nofollow);
  EXPECT_EQ(reading.report.counts().at("links of other schemes left out"), 1u);
}

TEST(JsonlReader, AnEmptyListOfLinksIsACaptureAndNoListASighting) {
  const Reading reading =
      read_bytes(R"({"url":"http://a.example/","time":"2021-08-14T00:00:00Z","links":[]})"
                 "\r\n"
                 R"({"url":"http://a.example/","time":"2021-08-14T00:00:00Z","status":404})"
                 "\n"
                 R"({"url":"http://a.example/","time":"2021-08-14T00:00:00Z","links":null})");
  ASSERT_EQ(reading.captures.size(), 3u);
  EXPECT_TRUE(reading.captures[0].links_known);
  EXPECT_FALSE(reading.captures[1].links_known);
  EXPECT_EQ(reading.captures[1].sighting.kind, SightingKind::IndexLine);
  EXPECT_EQ(reading.captures[1].sighting.outcome, Outcome::Gone);
  EXPECT_FALSE(reading.captures[2].links_known);
  EXPECT_EQ(reading.captures[2].sighting.outcome, Outcome::Unknown);
}

TEST(JsonlReader, TimesAreReadInEveryForm) {
  for (const char* time : {R"("20210814120000")", R"("2021-08-14T12:00:00Z")", "20210814120000",
                           "1628942400", "1628942400.75", R"("2021-08-14T14:00:00+02:00")"}) {
    const Sighting sighting =
        sighting_of(R"({"url":"http://a.example/","ts":)" + std::string(time) + "}");
    EXPECT_EQ(to_rfc3339(sighting.time), "2021-08-14T12:00:00Z") << time;
  }
}

TEST(JsonlReader, DigestsAndLengthsAreTakenAsGivenOrFollowFromTheText) {
  const Sighting given =
      sighting_of(R"({"url":"http://a.example/","ts":"2021","sha1":"6774d98ddcc31b13",)"
                  R"("text_sha1":"70e8ddb495dbd77a","text_len":3873,"text":"abc"})");
  EXPECT_EQ(given.digest, "sha1:6774d98ddcc31b13");
  EXPECT_EQ(given.text_digest, "sha1:70e8ddb495dbd77a");
  EXPECT_EQ(given.text_length, 3873u);
  // SHA-1 of "abc": FIPS 180-2; of "é" in UTF-8: sha1sum.
  const Sighting computed = sighting_of(R"({"url":"http://a.example/","ts":"2021","text":"abc"})");
  EXPECT_EQ(computed.text_digest, "sha1:a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(computed.text_length, 3u);
  const Sighting accent = sighting_of(R"({"url":"http://a.example/","ts":"2021","text":"\u00e9"})");
  EXPECT_EQ(accent.text_digest, "sha1:bf15be717ac1b080b4f1c456692825891ff5073d");
  EXPECT_EQ(accent.text_length, 1u);
}

TEST(JsonlReader, ReadsBackWhatExtractPrints) {
  const Reading reading = read_bytes(
      R"({"url":"http://a.example/b","time":"2021-08-14T00:00:00Z","kind":"revisit","status":200,)"
      R"("outcome":"soft-gone","digest":"sha1:AAAA","text_digest":"sha1:bbbb","text_length":5,)"
      R"("mime":"text/html","redirect":"http://a.example/c","truncated":true,)"
      R"("spelling":"http://A.example/b","file":"x.warc.gz","offset":12,"length":34,"crawl":"c",)"
      R"("refers_to":{"url":"http://a.example/d","time":"2020-08-14T00:00:00Z"},)"
      R"("profile":"server-not-modified","title":"T","links":)"
      R"([{"url":"http://a.example/e","kinds":"navigation+nofollow","count":3,"text":"E"},)"
      R"({"url":"http://a.example/i.png","kinds":"embed","count":1}]})"
      "\n",
      {.with_title = true});
  ASSERT_EQ(reading.captures.size(), 1u);
  const KeptCapture& capture = reading.captures[0];
  const Sighting& sighting = capture.sighting;
  EXPECT_EQ(sighting.kind, SightingKind::Revisit);
  EXPECT_EQ(sighting.status, 200);
  EXPECT_EQ(sighting.outcome, Outcome::SoftGone);
  EXPECT_EQ(sighting.digest, "sha1:AAAA");
  EXPECT_EQ(sighting.text_digest, "sha1:bbbb");
  EXPECT_EQ(sighting.text_length, 5u);
  EXPECT_EQ(sighting.mime, "text/html");
  EXPECT_EQ(sighting.redirect_target, "http://a.example/c");
  EXPECT_TRUE(sighting.truncated);
  EXPECT_EQ(sighting.spelling, "http://A.example/b");
  EXPECT_EQ(sighting.file, "x.warc.gz");
  EXPECT_EQ(sighting.offset, 12u);
  EXPECT_EQ(sighting.length, 34u);
  EXPECT_EQ(sighting.crawl, "c");
  EXPECT_EQ(sighting.refers_to_url, "http://a.example/d");
  EXPECT_EQ(to_timestamp14(sighting.refers_to_time.value_or(0)), "20200814000000");
  EXPECT_EQ(sighting.revisit_profile, RevisitProfile::NotModified);
  EXPECT_EQ(capture.title, "T");
  ASSERT_EQ(capture.links.size(), 1u);  // embeds are not asked for
  EXPECT_EQ(capture.links[0].kinds, LinkKind::Navigation | LinkKind::Nofollow);
  EXPECT_EQ(capture.links[0].count, 3);
}

TEST(JsonlReader, TheHeaderOfAListOfPagesIsPassedOver) {
  const Reading reading =
      read_bytes(R"({"format":"json-pages-1.0","id":"pages","title":"All Pages"})"
                 "\n"
                 R"({"url":"http://a.example/","ts":"2021-08-14T00:00:00Z","title":"A"})");
  EXPECT_EQ(reading.captures.size(), 1u);
  EXPECT_EQ(reading.report.damage_count(), 0u);
}

TEST(JsonlReader, LinksWithoutAUrlAreLeftOutAndCounted) {
  const Reading reading = read_bytes(
      R"({"url":"http://a.example/","ts":"2021","links":[{"url":"","text":"x"},{"url":"b"},""]})");
  ASSERT_EQ(reading.captures.size(), 1u);
  ASSERT_EQ(reading.captures[0].links.size(), 1u);
  EXPECT_EQ(reading.captures[0].links[0].target, "http://a.example/b");
  EXPECT_EQ(reading.report.damage_count(), 0u);
  EXPECT_EQ(reading.report.counts().at("links without a URL left out"), 2u);
}

TEST(JsonlReader, DamagedLinesAreToldAndTheRestIsRead) {
  const std::string good = R"({"url":"http://a.example/","ts":"2021","links":["b"]})";
  const std::vector<std::string> bad = {
      R"({"url":"http://a.example/","ts":"2021")",             // cut
      R"({"url":"http://a.example/"})",                        // no time
      R"({"url":"http://a.example/","ts":"soon"})",            // no time either
      R"({"ts":"2021"})",                                      // no URL
      R"({"url":"a.html","ts":"2021"})",                       // relative
      R"({"url":"http://a.example/","ts":"2021","links":3})",  // no list
      R"({"url":"http://a.example/","ts":"2021","links":[3]})",
      R"({"url":"http://a.example/","ts":"2021","status":"ok"})",
      R"({"url":"http://a.example/","ts":"2021","kind":"rumour"})",
      R"({"url":"http://a.example/","ts":"2021","x":)" + std::string(10000, '['),
      R"(["url"])",
      "{\"url\":\"http://a.example/\xff\",\"ts\":\"2021\"}",  // not UTF-8
      R"({"url":"http://a.example/","ts":"2021","text":"\ud800"})",
  };
  std::string bytes = good + "\n";
  std::vector<std::size_t> offsets;
  for (const std::string& line : bad) {
    offsets.push_back(bytes.size());
    bytes += line + "\n";
  }
  bytes += good;
  const Reading reading = read_bytes(bytes);
  EXPECT_EQ(reading.captures.size(), 2u);
  ASSERT_EQ(reading.report.damage_count(), bad.size());
  for (std::size_t i = 0; i < bad.size(); ++i) {
    EXPECT_EQ(reading.report.damages()[i].offset, offsets[i]) << bad[i];
  }
}

// Reads with every option but the text, and prints as `extract` does.
std::string printed(InputStream& in, Report& report) {
  ReadOptions options;
  options.kinds = kAllKinds;
  options.with_anchor_text = options.with_context = options.with_title = true;
  options.keep_other_schemes = true;
  const auto reader = recognise(in.peek(kRecogniseBytes))->open({in, options, report, "input"});
  Capture capture;
  std::string lines;
  while (reader->next(capture)) append_jsonl(lines, capture);
  return lines;
}

TEST(JsonlReader, WhatExtractPrintsOfRealWarcsPrintsTheSameWhenReadAgain) {
  for (const char* name : {"netarchivesuite+jwat/jwat-warc/src/test/resources/"
                           "IAH-20080430204825-00000-blackbook.warc.gz",
                           "iipc+warc-specifications/specifications/warc-deduplication/samples/"
                           "20141124-heritrix-server-not-modified.warc.gz",
                           "commoncrawl+whirlwind-python/whirlwind.warc.gz"}) {
    const auto path = shared_file(std::string("data/warc-corpus/") + name);
    if (path.empty()) GTEST_SKIP() << name << " is not here: set WEBSTRATA_SHARED";
    Report of_warc, of_lines;
    InputStream warc(path, of_warc);
    const std::string lines = printed(warc, of_warc);
    EXPECT_FALSE(lines.empty()) << name;
    InputStream again(InMemory{lines}, of_lines);
    EXPECT_EQ(printed(again, of_lines), lines) << name;
    EXPECT_EQ(of_lines.damage_count(), 0u) << name;
  }
}

// Counts from the data's README, confirmed by a recount with Python's json module.
struct Truth {
  const char* name;
  std::uint64_t pages;
  std::uint64_t link_entries;
};

// Every entry of a page's list is a link, one more occurrence of one, or left out and counted.
std::uint64_t entries_accounted_for(const std::filesystem::path& path, std::uint64_t& pages) {
  Report report;
  InputStream in(path, report);
  const ReaderEntry* entry = recognise(in.peek(kRecogniseBytes));
  EXPECT_NE(entry, nullptr);
  const ReadOptions options;
  const auto reader = entry->open({in, options, report, path.filename().string()});
  Capture capture;
  std::uint64_t entries = 0;
  std::uint64_t capped = 0;
  pages = 0;
  while (reader->next(capture)) {
    EXPECT_TRUE(capture.links_known);
    ++pages;
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      entries += capture.links[i].count;
      capped += capture.links[i].count == 255;
    }
  }
  EXPECT_EQ(report.damage_count(), 0u);
  EXPECT_EQ(capped, 0u);
  for (const char* left_out :
       {"links of other schemes left out", "links that are no URLs left out"}) {
    const auto found = report.counts().find(left_out);
    if (found != report.counts().end()) entries += found->second;
  }
  return entries;
}

TEST(JsonlReader, TheDebianAndWikipediaSetsAreReadAsTheyAre) {
  constexpr Truth kTruths[] = {
      {"debweb/captures.bullseye.jsonl.zst", 79971, 2159657},
      {"debweb/captures.bookworm.jsonl.zst", 83765, 3793981},
      {"debpkg/captures.bullseye.jsonl.zst", 58653, 311145},
      {"debpkg/captures.bookworm.jsonl.zst", 63436, 338982},
      {"debpkg/captures.trixie.jsonl.zst", 68820, 368125},
      {"schools-wiki/captures.2007.jsonl.zst", 5232, 136389},
  };
  for (const Truth& truth : kTruths) {
    const auto path = shared_file(std::string("data/") + truth.name);
    if (path.empty()) GTEST_SKIP() << truth.name << " is not here: set WEBSTRATA_SHARED";
    std::uint64_t pages = 0;
    EXPECT_EQ(entries_accounted_for(path, pages), truth.link_entries) << truth.name;
    EXPECT_EQ(pages, truth.pages) << truth.name;
  }
}

}  // namespace
}  // namespace webstrata
