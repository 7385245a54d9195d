// SPDX-License-Identifier: Apache-2.0
#include "webstrata/facts/sighting.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "webstrata/facts/sighting_list.h"

namespace webstrata {
namespace {

TEST(SightingFields, AreListedOnceEach) {
  std::set<std::string_view> names;
  std::set<const void*> members;
  const Sighting sighting;
  std::size_t bytes = 0;
  each_sighting_field(kSightingFields, [&](const auto& field) {
    names.insert(field.name);
    members.insert(&(sighting.*field.member));
    bytes += sizeof(sighting.*field.member);
  });
  EXPECT_EQ(names.size(), std::tuple_size_v<decltype(kSightingFields)>);
  EXPECT_EQ(members.size(), names.size());
  // No member is missing: the rest is padding, less than any of them but the smallest.
  EXPECT_LT(sizeof(Sighting) - bytes, 16U);
}

TEST(Capture, ClearingForgetsEverything) {
  Capture capture;
  Sighting& sighting = capture.sighting;
  sighting.url = sighting.spelling = sighting.digest = sighting.text_digest = "x";
  sighting.mime = sighting.redirect_target = sighting.refers_to_url = "x";
  sighting.file = sighting.crawl = capture.title = capture.text = "x";
  sighting.time = 5;
  sighting.kind = SightingKind::Revisit;
  sighting.status = 200;
  sighting.outcome = Outcome::Alive;
  sighting.text_length = sighting.title_hash = sighting.offset = sighting.length = 1;
  sighting.truncated = true;
  sighting.revisit_profile = RevisitProfile::NotModified;
  sighting.refers_to_time = 4;
  capture.links_known = true;
  capture.links.add({"http://a/", LinkKind::Navigation});
  capture.clear();
  EXPECT_TRUE(sighting.url.empty() && sighting.spelling.empty() && sighting.digest.empty());
  EXPECT_TRUE(sighting.text_digest.empty() && sighting.mime.empty() && sighting.crawl.empty());
  EXPECT_TRUE(sighting.redirect_target.empty() && sighting.refers_to_url.empty());
  EXPECT_TRUE(sighting.file.empty() && capture.title.empty() && capture.text.empty());
  EXPECT_EQ(sighting.time, 0);
  EXPECT_EQ(sighting.kind, SightingKind::Response);
  EXPECT_FALSE(sighting.status || sighting.text_length || sighting.title_hash || sighting.offset);
  EXPECT_FALSE(sighting.length || sighting.truncated || sighting.refers_to_time);
  EXPECT_EQ(sighting.outcome, Outcome::Unknown);
  EXPECT_EQ(sighting.revisit_profile, RevisitProfile::None);
  EXPECT_FALSE(capture.links_known);
  EXPECT_TRUE(capture.links.empty());
}

}  // namespace
}  // namespace webstrata
