// SPDX-License-Identifier: Apache-2.0
#include "webstrata/cli/frame/terminal.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Terminal, ProgressTellsRateAndTimeLeft) {
  EXPECT_EQ(progress_text({"reading", 300'000'000, 1'200'000'000, "B"}, 10),
            "reading 300 MB of 1.2 GB (25 %), 30.0 MB/s, 30 s left");
  EXPECT_EQ(progress_text({"reading", 300'000'000, 0, "B"}, 10), "reading 300 MB, 30.0 MB/s");
  EXPECT_EQ(progress_text({"merging", 12345, 20000, "pages"}, 0.1),
            "merging 12,345 pages of 20,000 pages (61 %)");
  EXPECT_EQ(progress_text({"reading", 1'000'000, 3'700'000'000, "B"}, 1),
            "reading 1.0 MB of 3.7 GB (0 %), 1.0 MB/s, 61 min left");
}

}  // namespace
}  // namespace webstrata
