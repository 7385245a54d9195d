// Expected values: RFC 4648 section 10, and `sha1sum` of no bytes in base32.

#include "webstrata/capture/digest.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Digest, Base32IsRfc4648) {
  EXPECT_EQ(base32(""), "");
  EXPECT_EQ(base32("f"), "MY======");
  EXPECT_EQ(base32("fo"), "MZXQ====");
  EXPECT_EQ(base32("foo"), "MZXW6===");
  EXPECT_EQ(base32("foobar"), "MZXW6YTBOI======");
}

TEST(Digest, Sha1OfNothingIsTheFamousOne) {
  EXPECT_EQ(sha1_base32(""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

}  // namespace
}  // namespace webstrata
