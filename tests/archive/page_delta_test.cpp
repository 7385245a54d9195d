// SPDX-License-Identifier: Apache-2.0

#include "webstrata/archive/gather/page_delta.h"

#include <gtest/gtest.h>

#include "webstrata/facts/sighting.h"

namespace webstrata {
namespace {

SightingRecord capture_at(Time time, std::string digest = "sha1:a") {
  SightingRecord record;
  record.time = time;
  record.has_links = true;
  record.digest = std::move(digest);
  return record;
}

SightingRecord revisit_at(Time time, std::string digest = "sha1:a") {
  SightingRecord record = capture_at(time, std::move(digest));
  record.has_links = false;
  record.kind = static_cast<std::uint8_t>(SightingKind::Revisit);
  return record;
}

void add_row(PageFacts& page, Time time, std::initializer_list<Uid> targets) {
  for (const Uid target : targets) page.add_link(target, {1, 1});
  page.end_row(time);
}

// What both know, with the rows of revisits.
PageFacts joined(PageFacts page, const PageFacts& more) {
  append(page, more);
  normalise(page);
  drop_derived_rows(page);
  derive_rows(page);
  return page;
}

PageFacts first_capture() {
  PageFacts page;
  page.sightings = {capture_at(100)};
  add_row(page, 100, {1, 2});
  return page;
}

TEST(PageDelta, OfKnownFactsIsNothing) {
  PageFacts delta;
  EXPECT_EQ(subtract(first_capture(), first_capture(), delta), PageDelta::Nothing);
  EXPECT_TRUE(delta.empty());
}

TEST(PageDelta, OfALaterCaptureIsThatCapture) {
  PageFacts later;
  later.sightings = {capture_at(200, "sha1:b")};
  add_row(later, 200, {2, 3});
  PageFacts delta;
  EXPECT_EQ(subtract(joined(first_capture(), later), first_capture(), delta), PageDelta::Part);
  EXPECT_EQ(delta, later);
}

TEST(PageDelta, OfACaptureInTheSameSecondHasTheNewLinksOnly) {
  PageFacts other;
  other.sightings = {capture_at(100, "sha1:b")};
  add_row(other, 100, {2, 3});
  PageFacts expected;
  expected.sightings = other.sightings;
  add_row(expected, 100, {3});
  PageFacts delta;
  EXPECT_EQ(subtract(joined(first_capture(), other), first_capture(), delta), PageDelta::Part);
  EXPECT_EQ(delta, expected);
}

TEST(PageDelta, IsThePageIfAKnownLinkGetsAnotherKind) {
  PageFacts other;
  other.sightings = {capture_at(100, "sha1:b")};
  other.add_link(2, {2, 1});
  other.end_row(100);
  const PageFacts now = joined(first_capture(), other);
  PageFacts delta;
  EXPECT_EQ(subtract(now, first_capture(), delta), PageDelta::Whole);
  EXPECT_EQ(delta, now);
}

// Alone, the row would look like that of a revisit.
TEST(PageDelta, IsThePageIfAKnownCaptureGetsALink) {
  PageFacts same;
  same.sightings = {capture_at(100)};
  add_row(same, 100, {3});
  PageFacts delta;
  EXPECT_EQ(subtract(joined(first_capture(), same), first_capture(), delta), PageDelta::Whole);
}

TEST(PageDelta, OfARevisitHasTheRowOfItsOriginal) {
  PageFacts revisit;
  revisit.sightings = {revisit_at(200)};
  PageFacts expected = revisit;
  add_row(expected, 200, {1, 2});
  PageFacts delta;
  EXPECT_EQ(subtract(joined(first_capture(), revisit), first_capture(), delta), PageDelta::Part);
  EXPECT_EQ(delta, expected);
}

TEST(PageDelta, IsThePageIfARevisitGetsAnotherOriginal) {
  PageFacts before;
  before.sightings = {capture_at(100), revisit_at(300)};
  add_row(before, 100, {1, 2});
  before = joined(before, {});
  PageFacts nearer;
  nearer.sightings = {capture_at(200)};
  add_row(nearer, 200, {5});
  PageFacts delta;
  EXPECT_EQ(subtract(joined(before, nearer), before, delta), PageDelta::Whole);
}

TEST(PageDelta, IsThePageIfASightingGetsASmallerPlace) {
  PageFacts before = first_capture();
  before.sightings[0].file = "b.warc";
  PageFacts copy = first_capture();
  copy.sightings[0].file = "a.warc";
  PageFacts delta;
  EXPECT_EQ(subtract(joined(before, copy), before, delta), PageDelta::Whole);
}

}  // namespace
}  // namespace webstrata
