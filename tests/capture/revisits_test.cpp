// SPDX-License-Identifier: Apache-2.0

// The rules are "Revisits" in docs/ARCHITECTURE.md.

#include "webstrata/capture/record/revisits.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

Capture page(const char* url, Time time, const char* digest, std::uint64_t offset) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = time;
  capture.sighting.digest = digest;
  capture.sighting.offset = offset;
  capture.links_known = true;
  return capture;
}

Sighting revisit(const char* url, Time time, const char* digest, RevisitProfile profile) {
  Sighting sighting;
  sighting.url = url;
  sighting.time = time;
  sighting.digest = digest;
  sighting.kind = SightingKind::Revisit;
  sighting.revisit_profile = profile;
  return sighting;
}

class Revisits : public testing::Test {
 protected:
  Revisits() {
    for (const Capture& capture :
         {page("http://a/", 10, "sha1:A", 100), page("http://a/", 20, "sha1:B", 200),
          page("http://a/", 30, "sha1:A", 300), page("http://b/", 5, "sha1:A", 400)}) {
      index_.add(*RevisitIndex::entry_of(capture, 0));
    }
  }
  [[nodiscard]] std::uint64_t offset_of(const Sighting& sighting) const {
    const auto place = index_.original(sighting);
    return place ? place->offset : 0;
  }
  RevisitIndex index_;
};

TEST_F(Revisits, TheSameDigestOfTheSameUrl) {
  constexpr auto kSame = RevisitProfile::IdenticalDigest;
  EXPECT_EQ(offset_of(revisit("http://a/", 25, "sha1:A", kSame)), 100U);
  EXPECT_EQ(offset_of(revisit("http://a/", 35, "sha1:A", kSame)), 300U);
  EXPECT_EQ(offset_of(revisit("http://a/", 5, "sha1:A", kSame)), 100U);  // arrived out of order
  EXPECT_EQ(offset_of(revisit("http://a/", 35, "sha1:C", kSame)), 0U);
  EXPECT_EQ(offset_of(revisit("http://c/", 35, "sha1:A", kSame)), 0U);
}

TEST_F(Revisits, NotModifiedNamesATimeOrMeansTheLatestBefore) {
  Sighting sighting = revisit("http://a/", 40, "", RevisitProfile::NotModified);
  EXPECT_EQ(offset_of(sighting), 300U);
  sighting.refers_to_time = 20;
  EXPECT_EQ(offset_of(sighting), 200U);
  EXPECT_EQ(offset_of(revisit("http://a/", 25, "", RevisitProfile::NotModified)), 200U);
  EXPECT_EQ(offset_of(revisit("http://a/", 5, "", RevisitProfile::NotModified)), 0U);
}

TEST_F(Revisits, AnotherUrlsPayloadSaysNothing) {
  Sighting sighting = revisit("http://a/", 40, "sha1:A", RevisitProfile::IdenticalDigest);
  sighting.refers_to_url = "http://b/";
  EXPECT_EQ(offset_of(sighting), 0U);
}

TEST(RevisitIndex, KeepsOnlyWhatCanBeFoundAgain) {
  Capture capture = page("http://a/", 1, "sha1:A", 1);
  capture.links_known = false;
  EXPECT_FALSE(RevisitIndex::entry_of(capture, 0));
  capture.links_known = true;
  capture.sighting.offset.reset();
  EXPECT_FALSE(RevisitIndex::entry_of(capture, 0));
}

}  // namespace
}  // namespace webstrata
