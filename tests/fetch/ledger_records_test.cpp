// SPDX-License-Identifier: Apache-2.0
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
                              .evidence = "caf\xc3\xa9",
                              .turned_away = TurnedAway::Trap,
                              .failure = Failure::Cancelled,
                              .hop = 'R'});
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
                           .offset = 99,
                           .is_lost = true});
  expect_round_trip(
      Place{.last_lease = 3, .not_before = INT64_MAX, .is_given_up = true, .address = "192.0.2.1"});
  expect_round_trip(
      LedgerTotals{.requests = 1, .bytes = 2, .lost = 3, .warc_file = "f", .warc_end = 4});
  expect_round_trip(LearnedPage{.url = 1, .score = 1.5, .content = 7, .links = {{2, 0.5}, {3, 0}}});
  expect_round_trip(RobotsRecord{.fetched = 4, .status = 200, .body = std::string("a\0b", 3)});
}

// The bytes of the first form: text with its length, then numbers, none above 127 here.
std::string old_text(std::string_view text) {
  return static_cast<char>(text.size()) + std::string(text);
}
std::string old_url(std::string_view evidence) {
  // url, state (dropped), from (5), depth, found, tries, lost, not_before, outcome, status, time,
  // target, evidence
  return old_text("http://a.example/") + std::string("\x03\x05\0\0\0\0\0\0\0\0\0", 11) +
         old_text(evidence);
}
std::string old_charge(std::string_view evidence) {
  // kind, url (5), text, host, leased, bytes, score, why, is_settled, settled, outcome, status
  return std::string("\0\x05\0\0\0\0", 6) + std::string(8, '\0') + std::string("\0\x01\0\0\0", 5) +
         old_text(evidence) + std::string("\0\0", 2);
}

// Jobs of the first form said in words what a url was turned away for, and compared them.
TEST(LedgerRecords, OldFormsSayTheSameInWords) {
  const auto url = [](std::string_view evidence) {
    LedgerUrl read{.turned_away = TurnedAway::Trap, .failure = Failure::Tls};
    decode(old_url(evidence), read);
    EXPECT_EQ(read.url, "http://a.example/");
    EXPECT_EQ(read.state, UrlState::Dropped);
    EXPECT_EQ(read.from, 5U);
    EXPECT_EQ(read.evidence, evidence);
    return read;
  };
  EXPECT_EQ(url("outside the scope").turned_away, TurnedAway::OutsideScope);
  EXPECT_EQ(url("deeper than 3 links").turned_away, TurnedAway::TooDeep);
  EXPECT_EQ(url("more than 20 parameters").turned_away, TurnedAway::Unsaid);
  EXPECT_EQ(url("outside the scope").failure, Failure::None);
  EXPECT_EQ(url("name-not-found (no such host); check 1 of 3").failure, Failure::NameNotFound);
  EXPECT_EQ(url("404").failure, Failure::None);
  // The second form has two fields more, and a mark on the state.
  LedgerUrl second{.hop = 'E'};
  std::string bytes = old_url("404") + std::string("\x05\0", 2);
  bytes[old_text("http://a.example/").size()] = 7;
  decode(bytes, second);
  EXPECT_EQ(second.state, UrlState::Dropped);
  EXPECT_EQ(second.turned_away, TurnedAway::Trap);
  EXPECT_EQ(second.hop, 'L');
  Charge charge;
  decode(old_charge("the program ended before the answer"), charge);
  EXPECT_TRUE(charge.is_lost);
  EXPECT_EQ(charge.url, 5U);
  decode(old_charge("gone"), charge);
  EXPECT_FALSE(charge.is_lost);
}

}  // namespace
}  // namespace webstrata
