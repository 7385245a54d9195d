// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/wire/agent.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(Agent, APageOrAMailboxIsAContact) {
  for (const char* agent : {"bot/1 (+https://archive.example/bot)", "bot http://a.example",
                            "bot (mail@archive.example)", "bot x.y+z@archive.example."}) {
    EXPECT_TRUE(names_a_contact(agent)) << agent;
    EXPECT_EQ(checked_agent(agent), agent);
  }
}

TEST(Agent, WithoutOneItIsRefused) {
  for (const char* agent :
       {"", "  ", "bot", "bot/1.0", "bot (+https://)", "bot https://localhost", "bot @example.org",
        "bot me@", "bot me@host", "bot\nX: a@b.example", "1bot a@b.example"}) {
    EXPECT_THROW(checked_agent(agent), Error) << agent;
  }
}

TEST(Agent, RobotsKnowItByItsFirstWord) {
  EXPECT_EQ(product_token("my-archive_bot/1.0 (x)"), "my-archive_bot");
  EXPECT_EQ(product_token("bot"), "bot");
  EXPECT_EQ(product_token("/1"), "");
}

}  // namespace
}  // namespace webstrata
