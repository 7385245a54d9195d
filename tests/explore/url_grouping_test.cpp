// SPDX-License-Identifier: Apache-2.0
#include "webstrata/explore/url_grouping.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace webstrata {
namespace {

using Groups = std::array<Group, kUrlGroupLevels>;

TEST(UrlGrouping, JoinsWhatIsAlikeLevelByLevel) {
  UrlGrouping grouping;
  const auto of = [&](const std::string& url) {
    Groups groups{};
    grouping.groups_of(url, groups);
    return groups;
  };
  const Groups a = of("http://a.example/x/south-bridge.html");
  const Groups b = of("http://a.example/x/south-wall.html?q=1");
  const Groups c = of("http://b.example/x/old_bridge.htm");
  EXPECT_EQ(a[0], b[0]);
  EXPECT_NE(a[0], c[0]);
  EXPECT_EQ(a[1], b[1]);
  EXPECT_NE(a[1], c[1]);
  EXPECT_EQ(a[2], b[2]);  // south
  EXPECT_EQ(a[3], c[3]);  // bridge
  EXPECT_NE(a[3], b[3]);
  const Groups single = of("http://a.example/x/index.html");
  EXPECT_EQ(single[3], kNoGroup);
  EXPECT_EQ(of("some node")[0], kNoGroup);
}

}  // namespace
}  // namespace webstrata
