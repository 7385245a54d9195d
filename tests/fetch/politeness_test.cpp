// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/rules/politeness.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

Response answer_with(int status, std::string_view fields = "") {
  Response response;
  response.status = status;
  response.head = "HTTP/1.1 " + std::to_string(status) + " x\r\n" + std::string(fields) + "\r\n";
  return response;
}

TEST(Politeness, TheLongestDelayCounts) {
  Place place{.last_lease = 1000, .last_end = 1500};
  EXPECT_EQ(free_at(place, 2000), 3501);  // after the end of the answer_with, not its beginning
  place.delay_ms = 5000;                  // Crawl-delay
  EXPECT_EQ(free_at(place, 2000), 6501);
  place.not_before = 60'000;  // Retry-After
  EXPECT_EQ(free_at(place, 2000), 60'000);
}

TEST(Politeness, BackOffDoublesUntilTheHostAnswersAgain) {
  const PolitenessRules rules{.backoff_first_ms = 1000, .backoff_max_ms = 3000, .failures_max = 9};
  Place host;
  Place origin;
  note_answer(host, origin, HostSign::Overloaded, {}, 0, rules);
  EXPECT_EQ(host.not_before, 1000);
  note_answer(host, origin, HostSign::Overloaded, {}, 1000, rules);
  EXPECT_EQ(host.not_before, 3000);
  note_answer(host, origin, HostSign::Silent, {}, 3000, rules);
  EXPECT_EQ(origin.not_before, 6000);  // 4000 would be beyond the most
  EXPECT_EQ(host.not_before, 3000);    // silence says nothing about other ports
  note_answer(host, origin, HostSign::Well, {}, 6000, rules);
  note_answer(host, origin, HostSign::Overloaded, {}, 10'000, rules);
  EXPECT_EQ(host.not_before, 11'000);
}

TEST(Politeness, OriginsFailOnTheirOwn) {
  const PolitenessRules rules{.failures_max = 2};
  Place host;
  Place dead;
  Place living;
  for (int i = 0; i < 2; ++i) {
    note_answer(host, dead, HostSign::Silent, {}, 2 * i, rules);
    note_answer(host, living, HostSign::Well, {}, 2 * i + 1, rules);
  }
  EXPECT_TRUE(dead.is_given_up);
  EXPECT_FALSE(living.is_given_up);
  EXPECT_FALSE(host.is_given_up);
  EXPECT_EQ(host.last_end, 3);
}

TEST(Politeness, RetryAfterOutlastsTheBackOff) {
  const PolitenessRules rules{.backoff_first_ms = 1000};
  Place host;
  Place origin;
  note_answer(host, origin, HostSign::Overloaded, 500'000, 0, rules);
  EXPECT_EQ(host.not_before, 500'000);
}

TEST(Politeness, AnOriginThatNeverAnswersIsGivenUp) {
  const PolitenessRules rules{.failures_max = 3};
  Place host;
  Place origin;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(free_at(origin, 0), kNever);
    note_answer(host, origin, HostSign::Silent, {}, i, rules);
  }
  EXPECT_EQ(free_at(origin, 0), kNever);
}

TEST(Politeness, RetryAfterIsSecondsOrADate) {
  const Moment now = Moment{1'628'899'200} * 1000;  // 2021-08-14
  EXPECT_EQ(retry_after(answer_with(429, "Retry-After: 120\r\n"), now), now + 120'000);
  EXPECT_EQ(retry_after(answer_with(503, "retry-after: Sat, 14 Aug 2021 00:10:00 GMT\r\n"), now),
            now + 600'000);
  EXPECT_EQ(retry_after(answer_with(503, "Retry-After: soon\r\n"), now), std::nullopt);
  EXPECT_EQ(retry_after(answer_with(503, "Retry-After: -5\r\n"), now), std::nullopt);
  EXPECT_EQ(retry_after(answer_with(503), now), std::nullopt);
  // No answer_with keeps a job waiting for ever.
  EXPECT_LE(*retry_after(answer_with(503, "Retry-After: 99999999999999999999999\r\n"), now),
            now + Moment{8} * 86'400'000);
  // But it waits a week if a month is requested.
  EXPECT_EQ(retry_after(answer_with(503, "Retry-After: 2592000\r\n"), now),
            now + Moment{7} * 86'400'000);
}

TEST(Politeness, AnswersTellHowTheHostIs) {
  EXPECT_EQ(host_sign(answer_with(200)), HostSign::Well);
  EXPECT_EQ(host_sign(answer_with(404)), HostSign::Well);
  EXPECT_EQ(host_sign(answer_with(500)), HostSign::Well);  // one page may be broken
  EXPECT_EQ(host_sign(answer_with(429)), HostSign::Overloaded);
  for (const int status : {502, 503, 504}) {  // docs/crawl.md, back-off
    EXPECT_EQ(host_sign(answer_with(status)), HostSign::Overloaded) << status;
  }
  Response none;
  none.failure = Failure::ConnectTimeout;
  EXPECT_EQ(host_sign(none), HostSign::Silent);
  none.failure = Failure::AddressRefused;
  EXPECT_EQ(host_sign(none), HostSign::Nothing);
}

}  // namespace
}  // namespace webstrata
