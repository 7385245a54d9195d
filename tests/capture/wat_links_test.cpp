// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/formats/wat_links.h"

#include "reading.h"

namespace webstrata {
namespace {

struct WatReading {
  bool gave_fact = false;
  KeptCapture capture;
  Report report;
};

WatReading read(std::string_view json, const ReadOptions& options = {}) {
  WatReading reading;
  LinkCollector collector(options, reading.report);
  Capture capture;
  reading.gave_fact = read_wat(json, options, collector, reading.report, 99, capture);
  reading.capture = keep(capture);
  return reading;
}

// An answer as ia-web-commons describes it, with the given parts in their places.
std::string record(const std::string& status, const std::string& headers, const std::string& html,
                   const std::string& date = "2024-05-18T01:58:10Z") {
  return R"({"Container":{"Filename":"crawl/x.warc.gz","Compressed":true,"Offset":"80610731",)"
         R"("Gzip-Metadata":{"Deflate-Length":"17423","Header-Length":"10"}},)"
         R"("Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{)"
         R"("Response-Message":{"Status":")" +
         status + R"(","Version":"HTTP/1.1","Reason":"x"},"Headers":{)" + headers + "}," + html +
         R"("Entity-Digest":"sha1:RY7PLBUFQNI2FFV5FTUQK72W6SNPXLQU"}},"Format":"WARC/1.0",)"
         R"("WARC-Header-Metadata":{"WARC-Type":"response","WARC-Date":")" +
         date + R"(","WARC-Target-URI":"https://a.example/dir/page"}}})";
}

std::map<std::string, std::string> kinds_by_target(const KeptCapture& capture) {
  std::map<std::string, std::string> found;
  for (const KeptLink& link : capture.links) found[link.target] = to_string(link.kinds);
  return found;
}

TEST(WatLinks, APageTellsWhatItIsAndWhereItLies) {
  for (const char* date : {"2024-05-18T01:58:10Z", "20240518015810"}) {
    const WatReading reading = read(record("200", R"("Content-Type":"text/html; charset=UTF-8")",
                                           R"("HTML-Metadata":{"Head":{"Title":"A page"}},)", date),
                                    {.with_title = true});
    ASSERT_TRUE(reading.gave_fact) << date;
    const Sighting& sighting = reading.capture.sighting;
    EXPECT_EQ(sighting.url, "https://a.example/dir/page");
    EXPECT_EQ(to_timestamp14(sighting.time), "20240518015810");
    EXPECT_EQ(sighting.status, 200);
    EXPECT_EQ(sighting.mime, "text/html");
    EXPECT_EQ(sighting.digest, "sha1:RY7PLBUFQNI2FFV5FTUQK72W6SNPXLQU");
    EXPECT_EQ(sighting.file, "x.warc.gz");
    EXPECT_EQ(sighting.offset, 80610731u);
    EXPECT_EQ(sighting.length, 17423u);
    EXPECT_EQ(reading.capture.title, "A page");
    EXPECT_TRUE(reading.capture.links_known);
    EXPECT_TRUE(reading.capture.links.empty());
  }
}

TEST(WatLinks, LinksAreResolvedAndTheirPathTellsTheirKind) {
  const WatReading reading = read(
      record(
          "200", "",
          R"("HTML-Metadata":{"Head":{"Base":"/base/","Link":[)"
          R"({"path":"LINK@/href","url":"style.css","rel":"stylesheet"},)"
          R"({"path":"LINK@/href","url":"/canonical","rel":"canonical"}],)"
          R"("Scripts":[{"path":"SCRIPT@/src","url":"s.js","type":"text/javascript"}],)"
          R"("Metas":[{"http-equiv":"Refresh","content":"5; URL='later'"},)"
          R"({"name":"robots","content":"index"}]},)"
          R"("Links":[{"path":"A@/href","url":"one","text":"One"},)"
          R"({"path":"A@/href","url":"../two","rel":"external nofollow"},)"
          R"({"path":"A@/href","url":"#top"},{"path":"IMG@/src","url":"i.png","alt":"I"},)"
          R"({"path":"FORM@/action","url":"/search","method":"get"},)"
          R"({"path":"FRAME@/src","url":"frame"},{"path":"IFRAME@/src","url":"iframe"},)"
          R"({"path":"AREA@/href","url":"area"},{"path":"TD@/background","url":"b.gif"},)"
          R"({"path":"Q@/cite","url":"quoted"},{"path":"A@/href","url":"mailto:me@a.example"},)"
          R"({"path":"INPUT@/onclick","url":"guess"},{"url":"bare"},"junk",{"path":"A@/href"}]},)"),
      {.kinds = kAllKinds, .with_anchor_text = true});
  ASSERT_TRUE(reading.gave_fact);
  const std::string base = "https://a.example/base/";
  const std::map<std::string, std::string> expected = {
      {base + "style.css", "embed"},
      {"https://a.example/canonical", "relation"},
      {base + "s.js", "embed"},
      {base + "later", "navigation+refresh"},
      {base + "one", "navigation"},
      {"https://a.example/two", "navigation+nofollow"},
      {base, "navigation"},
      {base + "i.png", "embed"},
      {"https://a.example/search", "form"},
      {base + "frame", "navigation"},
      {base + "iframe", "embed"},
      {base + "area", "navigation"},
      {base + "b.gif", "embed"},
      {base + "quoted", "relation"},
      {base + "bare", "navigation"}};
  EXPECT_EQ(kinds_by_target(reading.capture), expected);
  EXPECT_EQ(reading.capture.links[4].text, "One");
}

TEST(WatLinks, ARedirectsOnlyLinkIsItsTarget) {
  for (const char* location : {R"("location":"/new")", R"("Location":["/new","/other"])"}) {
    const WatReading reading = read(record("301", location, ""));
    ASSERT_TRUE(reading.gave_fact);
    EXPECT_EQ(reading.capture.sighting.redirect_target, "https://a.example/new");
    EXPECT_EQ(reading.capture.sighting.outcome, Outcome::Moved);
    EXPECT_TRUE(reading.capture.links_known);
    EXPECT_EQ(kinds_by_target(reading.capture),
              (std::map<std::string, std::string>{{"https://a.example/new", "redirect"}}));
  }
}

TEST(WatLinks, ErrorPagesAndOtherContentAreSightings) {
  const std::string html = R"("HTML-Metadata":{"Links":[{"path":"A@/href","url":"one"}]},)";
  const WatReading missing = read(record("404", "", html));
  ASSERT_TRUE(missing.gave_fact);
  EXPECT_EQ(missing.capture.sighting.outcome, Outcome::Gone);
  EXPECT_FALSE(missing.capture.links_known);
  const WatReading picture = read(record("200", R"("Content-Type":"image/png")", ""));
  ASSERT_TRUE(picture.gave_fact);
  EXPECT_FALSE(picture.capture.links_known);
}

TEST(WatLinks, RevisitsAndArcRecordsAreUnderstood) {
  const WatReading revisit = read(
      R"({"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"revisit","WARC-Date":"2024-05-18T01:58:10Z",)"
      R"("WARC-Target-URI":"https://a.example/","WARC-Payload-Digest":"sha1:AAAA",)"
      R"("WARC-Profile":"http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",)"
      R"("WARC-Refers-To-Target-URI":"https://a.example/old","WARC-Refers-To-Date":"2023-05-18T01:58:10Z"}}})");
  ASSERT_TRUE(revisit.gave_fact);
  EXPECT_EQ(revisit.capture.sighting.kind, SightingKind::Revisit);
  EXPECT_EQ(revisit.capture.sighting.revisit_profile, RevisitProfile::IdenticalDigest);
  EXPECT_EQ(revisit.capture.sighting.refers_to_url, "https://a.example/old");
  EXPECT_EQ(revisit.capture.sighting.outcome, Outcome::Alive);
  EXPECT_FALSE(revisit.capture.links_known);
  const WatReading arc = read(
      R"({"Envelope":{"ARC-Header-Metadata":{"Target-URI":"http://a.example/","Date":"20050101000000",)"
      R"("Content-Type":"text/html"},"Payload-Metadata":{"HTTP-Response-Metadata":)"
      R"({"Response-Message":{"Status":"200"},"HTML-Metadata":{}}}}})");
  ASSERT_TRUE(arc.gave_fact);
  EXPECT_TRUE(arc.capture.links_known);
  EXPECT_EQ(to_timestamp14(arc.capture.sighting.time), "20050101000000");
}

TEST(WatLinks, RequestsGiveNothingAndDamageIsTold) {
  const WatReading request = read(
      R"({"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"request","WARC-Date":"2024-05-18T01:58:10Z",)"
      R"("WARC-Target-URI":"https://a.example/"}}})");
  EXPECT_FALSE(request.gave_fact);
  EXPECT_EQ(request.report.damage_count(), 0u);
  const std::string whole = record("200", "", "");
  for (const std::string& json :
       {std::string("{}"), std::string(R"({"Envelope":{}})"), std::string(R"({"Envelope":[1]})"),
        whole.substr(0, whole.size() / 2), std::string("[") + whole, std::string()}) {
    const WatReading damaged = read(json);
    EXPECT_FALSE(damaged.gave_fact) << json;
    ASSERT_EQ(damaged.report.damage_count(), 1u) << json;
    EXPECT_EQ(damaged.report.damages()[0].offset, 99u);
  }
}

// Its one metadata record describes a request.
TEST(WatLinks, CommonCrawlsSampleIsSound) {
  for (const char* name : {"whirlwind.warc.wat", "whirlwind.warc.wat.gz"}) {
    const auto path =
        shared_file(std::string("data/warc-corpus/commoncrawl+whirlwind-python/") + name);
    if (path.empty()) GTEST_SKIP() << name << " is not here: set WEBSTRATA_SHARED";
    const Reading reading = read_path(path);
    EXPECT_EQ(reading.format, "warc");
    EXPECT_EQ(reading.record_count, 2u);
    EXPECT_TRUE(reading.captures.empty());
    EXPECT_EQ(reading.report.damage_count(), 0u);
  }
}

}  // namespace
}  // namespace webstrata
