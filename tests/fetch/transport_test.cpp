// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/wire/transport.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Transport, FailuresKeepTheirNames) {
  for (int i = 0; i <= static_cast<int>(Failure::Cancelled); ++i) {
    const auto failure = static_cast<Failure>(i);
    EXPECT_EQ(parse_failure(to_string(failure)), failure);
  }
  EXPECT_EQ(to_string(Failure::Tls), "tls");
  EXPECT_EQ(to_string(Failure::Cancelled), "cancelled");
  EXPECT_EQ(parse_failure("bad luck"), std::nullopt);
}

TEST(Transport, AnAnswerIsArchivedAsItCame) {
  Response answer;
  answer.head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  answer.body = "1\r\na\r\n0\r\n\r\n";
  EXPECT_EQ(archived_answer(answer), answer.head + answer.body);
  answer.head = "HTTP/2 200 \r\nserver: x\r\n\r\n";
  answer.body = "a";
  EXPECT_EQ(archived_answer(answer), "HTTP/1.1 200 \r\nserver: x\r\n\r\na");
  EXPECT_EQ(header_value(answer, "Server"), "x");
  EXPECT_EQ(header_value(answer, "Age"), "");
}

}  // namespace
}  // namespace webstrata
