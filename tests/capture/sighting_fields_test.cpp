// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/record/sighting_fields.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

struct UrlCase {
  bool kept = false;
  Sighting sighting;
  Report report;
};

UrlCase try_url(std::string_view raw, const ReadOptions& options = {}) {
  UrlCase result;
  Url url;
  result.kept = set_url(result.sighting, raw, options, result.report, 7, url);
  return result;
}

std::string digest_of(std::string_view text, std::string_view algorithm = {}) {
  std::string digest = "old";
  set_digest(digest, text, algorithm);
  return digest;
}

std::string mime_of(std::string_view text) {
  Sighting sighting;
  set_mime(sighting, text);
  return sighting.mime;
}

TEST(SightingFields, UrlsAreNormalisedAndTheirSpellingIsKeptIfItDiffers) {
  const UrlCase odd = try_url("HTTP://Example.ORG:80/a/../b#c");
  EXPECT_TRUE(odd.kept);
  EXPECT_EQ(odd.sighting.url, "http://example.org/b");
  EXPECT_EQ(odd.sighting.spelling, "HTTP://Example.ORG:80/a/../b#c");
  const UrlCase plain = try_url(" <http://example.org/b> ");
  EXPECT_EQ(plain.sighting.url, "http://example.org/b");
  EXPECT_EQ(plain.sighting.spelling, "");
}

TEST(SightingFields, PasswordsAreNeitherKeptNorQuoted) {
  const UrlCase known = try_url("http://me:secret@example.org/");
  EXPECT_TRUE(known.kept);
  EXPECT_EQ(known.sighting.url, "http://example.org/");
  EXPECT_EQ(known.sighting.spelling, "");
  EXPECT_EQ(known.report.counts().at("records stripped of userinfo"), 1u);
  const UrlCase broken = try_url("http://me:secret@exa mple.org:port/");
  EXPECT_FALSE(broken.kept);
  ASSERT_EQ(broken.report.damage_count(), 1u);
  EXPECT_EQ(broken.report.damages()[0].reason.find("secret"), std::string::npos);
}

TEST(SightingFields, WhatIsNoUrlIsDamageWithItsOffset) {
  const UrlCase relative = try_url("/index.html");
  EXPECT_FALSE(relative.kept);
  ASSERT_EQ(relative.report.damage_count(), 1u);
  EXPECT_EQ(relative.report.damages()[0].offset, 7u);
  EXPECT_EQ(relative.report.damages()[0].reason, "not a URL: '/index.html'");
  EXPECT_EQ(try_url("").report.damages().at(0).reason, "no URL");
}

TEST(SightingFields, OtherSchemesAreCountedAndKeptOnlyIfAsked) {
  const UrlCase mail = try_url("mailto:me@example.org");
  EXPECT_FALSE(mail.kept);
  EXPECT_EQ(mail.report.damage_count(), 0u);
  EXPECT_EQ(mail.report.counts().at("records of other schemes left out"), 1u);
  EXPECT_TRUE(try_url("mailto:me@example.org", {.keep_other_schemes = true}).kept);
  for (const char* name : {"dns:example.org", "warcinfo:/a.arc", "filedesc://a.arc", "urn:uuid:1",
                           "metadata://gnu.org/x", "DNS:example.org"}) {
    const UrlCase record = try_url(name, {.keep_other_schemes = true});
    EXPECT_FALSE(record.kept) << name;
    EXPECT_EQ(record.report.damage_count(), 0u) << name;
    EXPECT_EQ(record.report.counts().at("records about the crawl itself left out"), 1u) << name;
  }
}

TEST(SightingFields, TooLongAUrlIsCountedNotDamage) {
  const UrlCase too_long = try_url("http://example.org/" + std::string(kUrlBytesMax, 'a'));
  EXPECT_FALSE(too_long.kept);
  EXPECT_EQ(too_long.report.damage_count(), 0u);
  EXPECT_EQ(too_long.report.counts().at("records with too long a URL left out"), 1u);
}

TEST(SightingFields, DigestsCarryTheirAlgorithm) {
  EXPECT_EQ(digest_of("CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6"), "sha1:CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6");
  EXPECT_EQ(digest_of("sha1:CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6"),
            "sha1:CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6");
  EXPECT_EQ(digest_of("urn:sha1:CZBH"), "sha1:CZBH");
  EXPECT_EQ(digest_of("275de46a0f57a5dff84f2c6c7c667620fac8f62c"),
            "sha1:275de46a0f57a5dff84f2c6c7c667620fac8f62c");
  EXPECT_EQ(digest_of("6774d98ddcc31b13"), "sha1:6774d98ddcc31b13");
  EXPECT_EQ(digest_of("SHA-256:ab12"), "sha256:ab12");
  EXPECT_EQ(digest_of("d41d8cd98f00b204e9800998ecf8427e"), "md5:d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(digest_of("-"), "");
  EXPECT_EQ(digest_of(""), "");
  EXPECT_EQ(digest_of("xyz"), "xyz");
  EXPECT_EQ(digest_of("xyz", "sha1"), "sha1:xyz");
}

TEST(SightingFields, MimeTypesLoseParametersAndCase) {
  EXPECT_EQ(mime_of("Text/HTML; charset=utf-8"), "text/html");
  EXPECT_EQ(mime_of(" text/html,text/plain"), "text/html");
  EXPECT_EQ(mime_of("unk"), "");
  EXPECT_EQ(mime_of("no-type"), "");
  EXPECT_EQ(mime_of("-"), "");
}

TEST(SightingFields, AStatusDecidesTheOutcome) {
  Sighting sighting;
  EXPECT_TRUE(set_status(sighting, "404"));
  EXPECT_EQ(sighting.status, 404);
  EXPECT_EQ(sighting.outcome, Outcome::Gone);
  EXPECT_TRUE(set_status(sighting, "-2"));
  EXPECT_EQ(sighting.outcome, Outcome::Unreachable);
  sighting.redirect_target = "http://example.org/";
  set_status(sighting, 301);
  EXPECT_EQ(sighting.outcome, Outcome::Moved);
  Sighting unknown;
  EXPECT_TRUE(set_status(unknown, "-"));
  EXPECT_FALSE(unknown.status.has_value());
  EXPECT_FALSE(set_status(unknown, "2oo"));
  EXPECT_FALSE(set_status(unknown, "70000"));
}

TEST(SightingFields, RedirectsAreResolved) {
  Url page;
  ASSERT_TRUE(parse_url("http://example.org/a/b", page));
  Sighting sighting;
  EXPECT_TRUE(set_redirect(sighting, page, "../c#d"));
  EXPECT_EQ(sighting.redirect_target, "http://example.org/c");
  EXPECT_FALSE(set_redirect(sighting, page, "-"));
  EXPECT_FALSE(set_redirect(sighting, page, "mailto:me@example.org"));
  EXPECT_EQ(sighting.redirect_target, "http://example.org/c");
}

// FIPS 180-2, appendix A.1.
TEST(SightingFields, Sha1OfAbcIsTheStandardsExample) {
  EXPECT_EQ(sha1_digest("abc"), "sha1:a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(SightingFields, CharactersAreCountedNotBytes) {
  EXPECT_EQ(character_count("na\xc3\xafve"), 5u);
  EXPECT_EQ(character_count("\xff\xfe"), 2u);
  EXPECT_EQ(character_count(""), 0u);
}

TEST(SightingFields, TitlesHashAlikeWhateverTheirWhiteSpace) {
  Capture folded, plain;
  set_title(folded, "  About\n\tthe  Author ", {.with_title = true});
  set_title(plain, "About the Author", {});
  EXPECT_EQ(folded.title, "About the Author");
  EXPECT_EQ(plain.title, "");
  EXPECT_EQ(folded.sighting.title_hash, plain.sighting.title_hash);
  EXPECT_TRUE(plain.sighting.title_hash.has_value());
}

}  // namespace
}  // namespace webstrata
