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

TEST(CaptureLines, TsvIsATableWhateverTheTextHolds) {
  std::string lines;
  append_tsv(lines, make_capture());
  EXPECT_EQ(lines,
            "20230610123456\thttp://www.a.example/b?c=1\thttp://a.example/1\tone tab\n"
            "20230610123456\thttp://www.a.example/b?c=1\thttp://a.example/2\t\n");
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
