// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/formats/warc_reader.h"

#include "compressing.h"
#include "reading.h"
#include "webstrata/capture/record/digest.h"

namespace webstrata {
namespace {

TEST(WarcReader, APageIsACapture) {
  const std::string bytes = page_record("http://a.example/x/", "<a href='../y#z'>y</a>");
  const Reading reading = read_bytes(bytes);
  EXPECT_EQ(reading.format, "warc");
  ASSERT_EQ(reading.captures.size(), 1U);
  const KeptCapture& capture = reading.captures[0];
  EXPECT_TRUE(capture.links_known);
  ASSERT_EQ(capture.links.size(), 1U);
  EXPECT_EQ(capture.links[0].target, "http://a.example/y");
  EXPECT_EQ(capture.sighting.status, 200);
  EXPECT_EQ(capture.sighting.outcome, Outcome::Alive);
  EXPECT_EQ(capture.sighting.mime, "text/html");
  EXPECT_EQ(capture.sighting.digest, sha1_base32("<a href='../y#z'>y</a>"));
  EXPECT_EQ(to_rfc3339(capture.sighting.time), "2023-06-10T00:00:00Z");
  EXPECT_EQ(capture.sighting.offset, 0U);
  EXPECT_EQ(capture.sighting.length, bytes.size());
}

TEST(WarcReader, ARedirectHasOneLink) {
  const std::string moved = "HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\n<a href=/ignored>here</a>";
  const std::string to_itself = "HTTP/1.1 302 Found\r\nLocation: http://a.example/self\r\n\r\n";
  const Reading reading = read_bytes(warc_record("response", "http://a.example/old", moved) +
                                     warc_record("response", "http://a.example/self", to_itself));
  ASSERT_EQ(reading.captures.size(), 2U);
  ASSERT_EQ(reading.captures[0].links.size(), 1U);
  EXPECT_EQ(reading.captures[0].links[0].target, "http://a.example/new");
  EXPECT_EQ(reading.captures[0].links[0].kinds, LinkKinds(LinkKind::Redirect));
  EXPECT_EQ(reading.captures[0].sighting.outcome, Outcome::Moved);
  EXPECT_TRUE(reading.captures[1].links_known);
  EXPECT_TRUE(reading.captures[1].links.empty());
}

TEST(WarcReader, ErrorsAndOtherTypesAreSightings) {
  const std::string gone =
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<a href=/x>x</a>";
  const std::string pdf = "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n%PDF";
  const Reading reading = read_bytes(warc_record("response", "http://a.example/1", gone) +
                                     warc_record("response", "http://a.example/2", pdf));
  ASSERT_EQ(reading.captures.size(), 2U);
  EXPECT_FALSE(reading.captures[0].links_known);
  EXPECT_EQ(reading.captures[0].sighting.outcome, Outcome::Gone);
  EXPECT_FALSE(reading.captures[1].links_known);
  EXPECT_EQ(reading.captures[1].sighting.mime, "application/pdf");
}

TEST(WarcReader, OnlyAnswersToGetCount) {
  const std::string post = warc_record("request", "http://a.example/", "POST / HTTP/1.1\r\n\r\n");
  const std::string get = warc_record("request", "http://a.example/", "GET / HTTP/1.1\r\n\r\n");
  const std::string answer = page_record("http://a.example/", "x");
  EXPECT_EQ(read_bytes(answer + post).captures.size(), 0U);  // as Heritrix orders them
  EXPECT_EQ(read_bytes(post + answer).captures.size(), 0U);  // as wget does
  EXPECT_EQ(read_bytes(answer + get).captures.size(), 1U);
  EXPECT_EQ(read_bytes(get + answer).captures.size(), 1U);
  EXPECT_EQ(read_bytes(post + answer + get + answer).captures.size(), 1U);
}

TEST(WarcReader, ARevisitIsAFactOfItsOwn) {
  const std::string fields =
      "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\r\n"
      "WARC-Refers-To-Target-URI: http://a.example/\r\n"
      "WARC-Refers-To-Date: 2021-08-14T00:00:00Z\r\nWARC-Truncated: length\r\n";
  const Reading reading = read_bytes(
      warc_record("revisit", "<http://a.example/>", "HTTP/1.1 304 Same\r\n\r\n", fields));
  ASSERT_EQ(reading.captures.size(), 1U);
  const Sighting& sighting = reading.captures[0].sighting;
  EXPECT_EQ(sighting.kind, SightingKind::Revisit);
  EXPECT_EQ(sighting.revisit_profile, RevisitProfile::NotModified);
  EXPECT_EQ(sighting.refers_to_url, "http://a.example/");
  EXPECT_EQ(sighting.refers_to_time, parse_time("20210814000000"));
  EXPECT_EQ(sighting.outcome, Outcome::Alive);
  EXPECT_FALSE(sighting.truncated);
  EXPECT_FALSE(reading.captures[0].links_known);
}

TEST(WarcReader, CodingsAreTakenOff) {
  const std::string page = "<a href=/x>x</a>";
  const std::string packed =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
      "Transfer-Encoding: chunked\r\n\r\n" +
      fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", gzip_member(page).size(), gzip_member(page));
  const Reading reading = read_bytes(warc_record("response", "http://a.example/", packed));
  ASSERT_EQ(reading.captures.size(), 1U);
  EXPECT_EQ(reading.captures[0].links.size(), 1U);
  EXPECT_EQ(reading.report.damage_count(), 0U);
}

TEST(WarcReader, HeadersGiveLinksToo) {
  ReadOptions all;
  all.kinds = kAllKinds;
  const std::string answer =
      http_page("x", "Link: </c>; rel=canonical\r\nRefresh: 3; url=/next\r\n");
  const Reading reading = read_bytes(warc_record("response", "http://a.example/", answer), all);
  ASSERT_EQ(reading.captures[0].links.size(), 2U);
  EXPECT_EQ(reading.captures[0].links[0].target, "http://a.example/c");
  EXPECT_EQ(reading.captures[0].links[0].kinds, LinkKinds(LinkKind::Relation));
  EXPECT_EQ(reading.captures[0].links[1].kinds, LinkKind::Refresh | LinkKind::Navigation);
}

TEST(WarcReader, ARecordWithoutDateIsDamage) {
  std::string bytes = page_record("http://a.example/", "x");
  bytes.replace(bytes.find("WARC-Date"), 9, "WARC-Dat_");
  const Reading reading = read_bytes(bytes);
  EXPECT_TRUE(reading.captures.empty());
  EXPECT_EQ(reading.report.damage_count(), 1U);
  EXPECT_EQ(reading.record_count, 1U);
}

TEST(WarcReader, ADamagedStartDoesNotHideTheRest) {
  std::string first = gzip_member(page_record("http://a.example/1", "first"));
  first[3] = '\xff';  // flags that no gzip has
  const Reading reading =
      read_bytes(first + gzip_member(page_record("http://a.example/2", "second")));
  EXPECT_EQ(reading.format, "warc");
  ASSERT_EQ(reading.captures.size(), 1U);
  EXPECT_EQ(reading.captures[0].sighting.url, "http://a.example/2");
  EXPECT_EQ(reading.captures[0].sighting.offset, first.size());
  EXPECT_EQ(reading.report.damage_count(), 1U);
}

TEST(WarcReader, AResourceIsCapturedWithoutStatus) {
  const Reading reading = read_bytes(warc_record("resource", "http://a.example/", "<a href=b>b</a>",
                                                 "Content-Type: text/html\r\n"));
  ASSERT_EQ(reading.captures.size(), 1U);
  EXPECT_FALSE(reading.captures[0].sighting.status);
  EXPECT_EQ(reading.captures[0].sighting.outcome, Outcome::Alive);
  EXPECT_EQ(reading.captures[0].links.size(), 1U);
}

// As ClueWeb09 writes its records: version 0.18, line feeds alone, and the day of the year in the
// date.
TEST(WarcReader, ClueWeb09IsReadAndItsDatesAreCorrected) {
  const auto record = [](std::string_view date, std::string_view url) {
    const std::string block = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=b>b</a>";
    return fmt::format(
        "WARC/0.18\nWARC-Type: response\nWARC-Target-URI: {}\nWARC-Date: {}\n"
        "WARC-Record-ID: <urn:uuid:1>\nWARC-TREC-ID: clueweb09-en0000-00-00000\n"
        "Content-Type: application/http;msgtype=response\nContent-Length: {}\n\n{}\n\n",
        url, date, block.size(), block);
  };
  const Reading reading = read_bytes(record("2008-10-294T10:00:00-0700", "http://a.example/1") +
                                     record("2009-03-65T08:43:19-0800", "http://a.example/2") +
                                     record("2009-01-12T08:43:19-0800", "http://a.example/3"));
  EXPECT_EQ(reading.report.damage_count(), 0U);
  ASSERT_EQ(reading.captures.size(), 3U);
  EXPECT_EQ(to_rfc3339(reading.captures[0].sighting.time), "2008-10-20T17:00:00Z");
  EXPECT_EQ(to_rfc3339(reading.captures[1].sighting.time), "2009-03-06T16:43:19Z");
  EXPECT_EQ(to_rfc3339(reading.captures[2].sighting.time), "2009-01-12T16:43:19Z");
  EXPECT_EQ(reading.captures[0].links.size(), 1U);
  EXPECT_EQ(reading.report.counts().at("dates with the day of the year corrected"), 2U);
}

TEST(WarcReader, DatesThatDoNotExistAreReported) {
  const auto record = [](std::string_view date) {
    return warc_record("response", "http://a.example/", http_page("x"), "", date);
  };
  const Reading reading =
      read_bytes(record("2020-02-30T10:00:00Z") + record("0000-01-01T00:00:00Z"));
  ASSERT_EQ(reading.captures.size(), 1U);
  EXPECT_EQ(to_rfc3339(reading.captures[0].sighting.time), "2020-02-29T10:00:00Z");
  ASSERT_EQ(reading.report.damage_count(), 2U);
  EXPECT_EQ(reading.report.damages()[0].reason,
            "no such date: '2020-02-30T10:00:00Z', read as 2020-02-29T10:00:00Z");
  EXPECT_EQ(reading.report.damages()[1].reason, "not a time: '0000-01-01T00:00:00Z'");
}

TEST(WarcReader, ADateOfARevisitsOriginalThatIsNoneIsReported) {
  const Reading reading = read_bytes(
      warc_record("revisit", "http://a.example/", "HTTP/1.1 304 Same\r\n\r\n",
                  "WARC-Refers-To-Date: 2020-02-30T10:00:00Z\r\nWARC-Payload-Digest: sha1:X\r\n"));
  ASSERT_EQ(reading.captures.size(), 1U);
  EXPECT_EQ(reading.report.damage_count(), 1U);
}

TEST(WarcReader, ControlCharactersAreEscapedInReasons) {
  const Reading reading = read_bytes(
      warc_record("response", "http://a.example/", http_page("x"), "", "\x1b]0;owned\x07"));
  ASSERT_EQ(reading.report.damage_count(), 1U);
  EXPECT_EQ(reading.report.damages()[0].reason, "not a time: '\\u001b]0;owned\\u0007'");
}

// The digest of the empty string on different pages comes from an old writer of ours.
TEST(WarcReader, AWrongPayloadDigestIsReportedAndReplaced) {
  const std::string empty = "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n";
  const Reading reading =
      read_bytes(warc_record("response", "http://a.example/1", http_page("one"), empty) +
                 warc_record("response", "http://a.example/2", http_page("two"), empty) +
                 warc_record("response", "http://a.example/3", http_page(""), empty) +
                 warc_record("resource", "http://a.example/4", "four", empty));
  ASSERT_EQ(reading.captures.size(), 4U);
  EXPECT_EQ(reading.captures[0].sighting.digest, sha1_base32("one"));
  EXPECT_EQ(reading.captures[1].sighting.digest, sha1_base32("two"));
  EXPECT_EQ(reading.captures[2].sighting.digest, sha1_base32(""));
  EXPECT_EQ(reading.captures[3].sighting.digest, sha1_base32("four"));
  ASSERT_EQ(reading.report.damage_count(), 3U);
  EXPECT_EQ(
      reading.report.damages()[0].reason,
      "wrong payload digest 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ': that of the payload is " +
          sha1_base32("one"));
  EXPECT_EQ(reading.report.counts().at("wrong payload digests replaced"), 3U);
}

TEST(WarcReader, ADigestOfTheBodyInAnyCodingIsRight) {
  const std::string packed = gzip_member("<p>packed</p>");
  const std::string chunked = fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", packed.size(), packed);
  const std::string answer =
      http_page(chunked, "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n");
  for (const std::string& digested : {chunked, packed, std::string("<p>packed</p>")}) {
    const Reading reading =
        read_bytes(warc_record("response", "http://a.example/", answer,
                               "WARC-Payload-Digest: " + sha1_base32(digested) + "\r\n"));
    EXPECT_EQ(reading.report.damage_count(), 0U);
    ASSERT_EQ(reading.captures.size(), 1U);
    EXPECT_EQ(reading.captures[0].sighting.digest, sha1_base32(digested));
  }
}

TEST(WarcReader, DigestsThatCannotBeCheckedStay) {
  const std::string cut =
      "WARC-Truncated: length\r\nWARC-Payload-Digest: " + sha1_base32("whole") + "\r\n";
  const std::string odd = "WARC-Payload-Digest: blake3:abc\r\n";
  const Reading reading =
      read_bytes(warc_record("response", "http://a.example/1", http_page("who"), cut) +
                 warc_record("response", "http://a.example/2", http_page("odd"), odd));
  EXPECT_EQ(reading.report.damage_count(), 0U);
  ASSERT_EQ(reading.captures.size(), 2U);
  EXPECT_EQ(reading.captures[0].sighting.digest, sha1_base32("whole"));
  EXPECT_EQ(reading.captures[1].sighting.digest, "blake3:abc");
}

TEST(WarcReader, AWrongBlockDigestIsReportedWhereNoOtherWasChecked) {
  const Reading reading =
      read_bytes(warc_record("response", "http://a.example/1", http_page("x"),
                             "WARC-Block-Digest: " + sha1_base32("x") + "\r\n") +
                 warc_record("response", "http://a.example/2", http_page("x"),
                             "WARC-Block-Digest: " + sha1_base32(http_page("x")) + "\r\n"));
  EXPECT_EQ(reading.captures.size(), 2U);
  ASSERT_EQ(reading.report.damage_count(), 1U);
  EXPECT_EQ(reading.report.damages()[0].offset, 0U);
}

TEST(WarcReader, CarriageReturnsBeforeALineEndDoNotMatter) {
  const std::string page =
      "HTTP/1.1 200 OK\r\r\nContent-Type: text/html\r\r\n\r\r\n<a href=b>b</a>";
  std::string bytes = warc_record("response", "http://a.example/", page);
  std::string doubled;
  const std::size_t head_end = bytes.find("HTTP/");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i < head_end && bytes[i] == '\n') doubled += '\r';
    doubled += bytes[i];
  }
  for (const std::string& text : {bytes, doubled}) {
    const Reading reading = read_bytes(text);
    EXPECT_EQ(reading.report.damage_count(), 0U);
    ASSERT_EQ(reading.captures.size(), 1U);
    EXPECT_EQ(reading.captures[0].links.size(), 1U);
    EXPECT_EQ(reading.captures[0].sighting.digest, sha1_base32("<a href=b>b</a>"));
  }
}

}  // namespace
}  // namespace webstrata
