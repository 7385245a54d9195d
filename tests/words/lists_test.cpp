// SPDX-License-Identifier: Apache-2.0
#include "webstrata/words/lists.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

TEST(Inputs, ListsAreReplacedByWhatTheyName) {
  const auto path =
      std::filesystem::temp_directory_path() / ("webstrata-list-" + std::to_string(::getpid()));
  write_file(path, "b.warc\r\n# a remark\n\nc.warc");
  EXPECT_EQ(expand_inputs({"a.warc", "@" + path.string(), "-"}),
            (std::vector<std::string>{"a.warc", "b.warc", "c.warc", "-"}));
  write_file(path, "# nothing\n");
  EXPECT_THROW(expand_inputs({"@" + path.string()}), Error);
  std::filesystem::remove(path);
  EXPECT_THROW(expand_inputs({"@" + path.string()}), Error);
}

TEST(Inputs, StandardInputIsReadOnce) { EXPECT_THROW(expand_inputs({"-", "-"}), Error); }

}  // namespace
}  // namespace webstrata
