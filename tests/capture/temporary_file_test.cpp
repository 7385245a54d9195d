// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/formats/temporary_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

class TemporaryFileTest : public testing::Test {
 protected:
  TemporaryFileTest() { ::setenv("TMPDIR", folder_.path().c_str(), 1); }
  ~TemporaryFileTest() override { ::unsetenv("TMPDIR"); }

  TemporaryFolder folder_;
};

TEST_F(TemporaryFileTest, IsReadByItsPathAndHasNoNameInTheFolder) {
  TemporaryFile file;
  file.write("some ");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  file.write("bytes");
  EXPECT_EQ(read_file(file.path()), "some bytes");
}

TEST_F(TemporaryFileTest, DoesNotGrowBeyondItsLimit) {
  TemporaryFile file(10);
  file.write("0123456789");
  try {
    file.write("x");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find(folder_.path().string()), std::string::npos);
  }
  EXPECT_EQ(read_file(file.path()), "0123456789");
}

}  // namespace
}  // namespace webstrata
