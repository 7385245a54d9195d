// SPDX-License-Identifier: Apache-2.0

#include "webstrata/frontier/store/records.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata::frontier {
namespace {

const UrlRecord kUrl{UrlState::Leased,
                     77,
                     1'700'000'000,
                     12,
                     1'700'000'000'123,
                     1'600'000'000,
                     {{"status", {"200"}}, {"empty", {}}}};
const QueueRecord kQueue{"crawl", "key", 0, 5, 6, 7, 8, 9, 10, 11};

TEST(FrontierRecords, AreReadAsTheyWereWritten) {
  EXPECT_EQ(decode_url(encode(kUrl)), kUrl);
  EXPECT_EQ(decode_queue(encode(kQueue)), kQueue);
  EXPECT_EQ(decode_queue(encode(QueueRecord{})).delay, kDefaultDelay);
}

TEST(FrontierRecords, ThatAreCutAreCorrupt) {
  const std::string url = encode(kUrl);
  for (std::size_t size = 0; size < url.size(); ++size) {
    EXPECT_THROW(decode_url(url.substr(0, size)), Error) << size;
  }
  const std::string queue = encode(kQueue);
  for (std::size_t size = 0; size < queue.size(); ++size) {
    EXPECT_THROW(decode_queue(queue.substr(0, size)), Error) << size;
  }
}

TEST(FrontierRecords, ReadyKeysAreOrderedByScoreDateAndArrival) {
  const auto key = [](std::uint32_t score, std::uint64_t date, std::uint64_t arrival) {
    return ready_key(3, {.score = score, .date = date, .arrival = arrival});
  };
  EXPECT_LT(key(2, 9, 9), key(1, 0, 0));
  EXPECT_LT(key(1, 0, 9), key(1, 1, 0));
  EXPECT_LT(key(1, 1, 255), key(1, 1, 256));
}

TEST(FrontierRecords, KeysHaveTheirParts) {
  EXPECT_EQ(queue_in(queue_key(300)), 300);
  EXPECT_EQ(url_in(url_key(300, "http://a.org/")), "http://a.org/");
  EXPECT_EQ(time_in(timer_key(300, kUrl)), kUrl.timer);
  EXPECT_EQ(queue_of_timer(timer_key(300, kUrl)), 300);
  EXPECT_THROW(queue_in("q"), Error);
}

}  // namespace
}  // namespace webstrata::frontier
