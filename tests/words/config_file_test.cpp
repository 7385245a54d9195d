// SPDX-License-Identifier: Apache-2.0

#include "webstrata/words/config_file.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

TEST(ConfigFile, EntriesHaveTheirSectionAndLine) {
  const auto entries = parse_config(
      "# defaults\n\nthreads = 4\n  agent=\"me (me@a.example)\"  \r\n[export]\n--key = ia\n"
      "[ liverank plan ]\ntests = '5'\ninclude = a=b",
      "config");
  const std::vector<ConfigEntry> expected = {{"", "threads", "4", 3},
                                             {"", "agent", "me (me@a.example)", 4},
                                             {"export", "key", "ia", 6},
                                             {"liverank plan", "tests", "5", 8},
                                             {"liverank plan", "include", "a=b", 9}};
  EXPECT_EQ(entries, expected);
  EXPECT_TRUE(parse_config("", "config").empty());
}

TEST(ConfigFile, BadLinesAreNamed) {
  for (const std::string_view bad : {"threads", "= 4", "[export"}) {
    try {
      parse_config("a = b\n" + std::string(bad), "the/config");
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with("the/config:2: ")) << error.what();
    }
  }
}

}  // namespace
}  // namespace webstrata
