#include "webstrata/fetch/ledger/ledger_records.h"

#include <gtest/gtest.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

template <typename Record>
void expect_round_trip(const Record& record) {
  const std::string bytes = encode(record);
  Record again;
  decode(bytes, again);
  EXPECT_EQ(again, record);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Record cut;
    EXPECT_THROW(decode(std::string_view(bytes).substr(0, size), cut), Error) << size;
  }
  EXPECT_THROW(decode(bytes + "x", again), Error);
}

TEST(LedgerRecords, ComeBackAsTheyWereAndNeverInPart) {
  expect_round_trip(LedgerUrl{.url = "http://a.example/",
                              .state = UrlState::Dropped,
                              .from = 7,
                              .depth = 3,
                              .found = 1628899200123,
                              .tries = 2,
                              .lost = 1,
                              .not_before = -5,
                              .outcome = Outcome::SoftGone,
                              .status = -404,
                              .time = 1628899200999,
                              .target = "http://b.example/",
                              .evidence = "caf\xc3\xa9"});
  expect_round_trip(Charge{.kind = ChargeKind::Robots,
                           .text = "http://a.example/robots.txt",
                           .host = "a.example",
                           .leased = 5,
                           .bytes = 1'000'000'000'000,
                           .score = -0.25,
                           .why = "why",
                           .is_settled = true,
                           .settled = 6,
                           .status = 200,
                           .file = "a.warc.gz",
                           .offset = 99});
  expect_round_trip(
      Place{.last_lease = 3, .not_before = INT64_MAX, .is_given_up = true, .address = "192.0.2.1"});
  expect_round_trip(
      LedgerTotals{.requests = 1, .bytes = 2, .lost = 3, .warc_file = "f", .warc_end = 4});
  expect_round_trip(LearnedPage{.url = 1, .score = 1.5, .content = 7, .links = {{2, 0.5}, {3, 0}}});
  expect_round_trip(RobotsRecord{.fetched = 4, .status = 200, .body = std::string("a\0b", 3)});
}

}  // namespace
}  // namespace webstrata
