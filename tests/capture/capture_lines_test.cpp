// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/capture_lines.h"

#include "reading.h"

namespace webstrata {
namespace {

Capture make_capture() {
  Capture capture;
  Sighting& sighting = capture.sighting;
  sighting.url = "http://www.a.example/b?c=1";
  sighting.spelling = "http://WWW.a.example/b?c=1";
  sighting.time = *parse_time("20230610123456");
  sighting.status = 200;
  sighting.outcome = Outcome::Alive;
  sighting.mime = "text/html";
  sighting.digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  sighting.file = "x.warc.gz";
  sighting.offset = 5;
  sighting.length = 70;
  sighting.crawl = "june";
  capture.title = "A \"title\"";
  capture.links_known = true;
  capture.links.add({"http://a.example/1", LinkKind::Navigation, 2, "one\ttab", "around"});
  capture.links.add({"http://a.example/2", LinkKind::Embed, 1, "", ""});
  return capture;
}

TEST(CaptureLines, JsonIsWhatTheJsonlReaderReads) {
  const Capture capture = make_capture();
  std::string line;
  append_jsonl(line, capture);
  ReadOptions options;
  options.kinds = kAllKinds;
  options.with_title = options.with_anchor_text = options.with_context = true;
  const Reading reading = read_bytes(line, options);
  ASSERT_EQ(reading.captures.size(), 1U) << line;
  const KeptCapture& again = reading.captures[0];
  EXPECT_EQ(again.sighting.url, capture.sighting.url);
  EXPECT_EQ(again.sighting.time, capture.sighting.time);
  EXPECT_EQ(again.sighting.status, 200);
  EXPECT_EQ(again.sighting.digest, capture.sighting.digest);
  EXPECT_EQ(again.sighting.mime, "text/html");
  EXPECT_EQ(again.title, capture.title);
  ASSERT_EQ(again.links.size(), 2U);
  EXPECT_EQ(again.links[0].target, "http://a.example/1");
  EXPECT_EQ(again.links[0].count, 2);
  EXPECT_EQ(again.links[0].context, "around");
  EXPECT_EQ(again.links[1].kinds, LinkKinds(LinkKind::Embed));
  const KeptCapture whole = keep(capture);
  EXPECT_EQ(again.sighting.crawl, whole.sighting.crawl);
  EXPECT_EQ(again.sighting.file, whole.sighting.file);
  EXPECT_EQ(again.sighting.offset, whole.sighting.offset);
  EXPECT_EQ(again.sighting.length, whole.sighting.length);
}

TEST(CaptureLines, ASightingHasNoLinks) {
  Capture capture = make_capture();
  capture.links_known = false;
  capture.links.clear();
  std::string line;
  append_jsonl(line, capture);
  EXPECT_EQ(line.find("\"links\""), std::string::npos);
  EXPECT_FALSE(read_bytes(line).captures.at(0).links_known);
}

// Every field, with what is hard to write: times before 1970, bytes that are not UTF-8, digests
// without an algorithm, no file.
TEST(CaptureLines, NoFieldIsLost) {
  Capture capture;
  Sighting& sighting = capture.sighting;
  sighting.url = "http://a.example/";
  sighting.spelling = "http://A.example/\xff\x01";
  sighting.time = -5;
  sighting.kind = SightingKind::Revisit;
  sighting.status = -6;
  sighting.outcome = Outcome::SoftGone;
  sighting.digest = "???";
  sighting.text_digest = "xxh3:0123456789abcdef";
  sighting.text_length = 0;
  sighting.title_hash = UINT64_MAX - 1;
  sighting.mime = "text/html";
  sighting.redirect_target = "http://b.example/";
  sighting.truncated = true;
  sighting.refers_to_url = "http://c.example/";
  sighting.refers_to_time = -1;
  sighting.crawl = "\xe9t\xe9";
  for (const RevisitProfile profile :
       {RevisitProfile::None, RevisitProfile::IdenticalDigest, RevisitProfile::NotModified}) {
    sighting.revisit_profile = profile;
    for (const char* file : {"", "x\xfe.warc"}) {
      sighting.file = file;
      std::string line;
      append_jsonl(line, capture);
      const Reading reading = read_bytes(line);
      ASSERT_EQ(reading.captures.size(), 1U) << line;
      const Sighting& again = reading.captures[0].sighting;
      EXPECT_EQ(again.spelling, sighting.spelling);
      EXPECT_EQ(again.time, sighting.time);
      EXPECT_EQ(again.kind, sighting.kind);
      EXPECT_EQ(again.status, sighting.status);
      EXPECT_EQ(again.outcome, sighting.outcome);
      EXPECT_EQ(again.digest, sighting.digest);
      EXPECT_EQ(again.text_digest, sighting.text_digest);
      EXPECT_EQ(again.text_length, sighting.text_length);
      EXPECT_EQ(again.title_hash, sighting.title_hash);
      EXPECT_EQ(again.mime, sighting.mime);
      EXPECT_EQ(again.redirect_target, sighting.redirect_target);
      EXPECT_EQ(again.truncated, sighting.truncated);
      EXPECT_EQ(again.revisit_profile, sighting.revisit_profile);
      EXPECT_EQ(again.refers_to_url, sighting.refers_to_url);
      EXPECT_EQ(again.refers_to_time, sighting.refers_to_time);
      EXPECT_EQ(again.file, sighting.file);
      EXPECT_EQ(again.offset, sighting.offset);
      EXPECT_EQ(again.length, sighting.length);
      EXPECT_EQ(again.crawl, sighting.crawl);
    }
  }
}

TEST(CaptureLines, TsvIsATableWhateverTheTextHolds) {
  std::string lines;
  append_tsv(lines, make_capture());
  EXPECT_EQ(lines,
            "2023-06-10T12:34:56Z\thttp://www.a.example/b?c=1\thttp://a.example/1\tone tab\n"
            "2023-06-10T12:34:56Z\thttp://www.a.example/b?c=1\thttp://a.example/2\t\n");
}

TEST(CaptureLines, CdxjIsWhatPywbReads) {
  std::string line;
  append_cdxj(line, make_capture(), Dialect::Pywb);
  EXPECT_EQ(line,
            "example,a)/b?c=1 20230610123456 {\"url\":\"http://WWW.a.example/b?c=1\","
            "\"mime\":\"text/html\",\"status\":\"200\","
            "\"digest\":\"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\",\"length\":\"70\","
            "\"offset\":\"5\",\"filename\":\"x.warc.gz\"}\n");
}

}  // namespace
}  // namespace webstrata
