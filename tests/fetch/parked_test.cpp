// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/probe/parked.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Parked, PhrasesInAnyCase) {
  EXPECT_EQ(sale_phrase("Great news: This Domain Is For Sale!"), "domain is for sale");
  EXPECT_EQ(sale_phrase("The king's domain was large."), "");
}

TEST(Parked, ServicesWithTheirSubdomains) {
  EXPECT_EQ(parking_service("www.sedo.com"), "sedo.com");
  EXPECT_EQ(parking_service("sedo.com"), "sedo.com");
  EXPECT_EQ(parking_service("notsedo.com"), "");
  EXPECT_EQ(parking_service("example.org"), "");
}

}  // namespace
}  // namespace webstrata
