// SPDX-License-Identifier: Apache-2.0

// Expected seconds come from `date -u -d ... +%s`.

#include "webstrata/base/time.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Time, ReadsEveryFormOfWebArchives) {
  constexpr Time kNoon = 1433160000;  // 2015-06-01 12:00:00 UTC
  EXPECT_EQ(parse_time("20150601120000"), kNoon);
  EXPECT_EQ(parse_time("20150601120000123"), kNoon);
  EXPECT_EQ(parse_time("2015-06-01T12:00:00Z"), kNoon);
  EXPECT_EQ(parse_time("2015-06-01T12:00:00.123456789Z"), kNoon);
  EXPECT_EQ(parse_time("2015-06-01T14:00:00+02:00"), kNoon);
  EXPECT_EQ(parse_time("2015-06-01T08:30:00-0330"), kNoon);
  EXPECT_EQ(parse_time("2015-06-01 12:00:00"), kNoon);
  EXPECT_EQ(parse_time("2015-06-01T12:00Z"), kNoon);
  EXPECT_EQ(parse_time("Mon, 01 Jun 2015 12:00:00 GMT"), kNoon);
}

TEST(Time, APrefixMeansItsWholeInterval) {
  EXPECT_EQ(parse_interval("2015"), (TimeInterval{1420070400, 1451606399}));
  EXPECT_EQ(parse_interval("2016-02"), (TimeInterval{1454284800, 1456790399}));  // leap year
  EXPECT_EQ(parse_interval("201502"), (TimeInterval{1422748800, 1425167999}));
  EXPECT_EQ(parse_interval("2015-06-01"), (TimeInterval{1433116800, 1433203199}));
  EXPECT_EQ(parse_interval("2015060112"), (TimeInterval{1433160000, 1433163599}));
  EXPECT_EQ(parse_interval("20150601120000"), (TimeInterval{1433160000, 1433160000}));
}

TEST(Time, KnowsTimesBeforeTheEpoch) {
  EXPECT_EQ(parse_time("1969-12-31T23:59:59Z"), -1);
  EXPECT_EQ(to_rfc3339(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(to_rfc1123(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
}

TEST(Time, PrintsWhatItReads) {
  for (const Time time : {Time{0}, Time{951782400}, Time{1433160000}, Time{4102444799}}) {
    EXPECT_EQ(parse_time(to_timestamp14(time)), time);
    EXPECT_EQ(parse_time(to_timestamp17(time)), time);
    EXPECT_EQ(parse_time(to_rfc3339(time)), time);
    EXPECT_EQ(parse_time(to_rfc1123(time)), time);
  }
  EXPECT_EQ(to_rfc1123(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");  // the example of RFC 9110
}

TEST(Time, ALeapSecondIsTheSecondBefore) {
  EXPECT_EQ(parse_time("2016-12-31T23:59:60Z"), parse_time("2016-12-31T23:59:59Z"));
}

TEST(Time, RefusesWhatIsNoDate) {
  for (const char* text : {"", "now", "201", "2015-13", "20150230", "2015-06-01T25:00:00Z",
                           "2015-06-01T12", "2015-06-01T12:00:00.Z", "2015-06-01T12:00:00+99:00",
                           "Mon, 01 Foo 2015 12:00:00 GMT", "20150601120000x", "2015-", "0000"}) {
    EXPECT_FALSE(parse_interval(text)) << text;
  }
}

RepairedTime repaired(std::string_view time, DateRepair repair) {
  return {parse_time(time).value(), repair};
}

TEST(Time, LeniencyTakesDatesOfRealFilesThatDoNotExistAndSaysSo) {
  const auto nearest = [](std::string_view time) { return repaired(time, DateRepair::Nearest); };
  EXPECT_EQ(parse_time_leniently("20000000000000"), nearest("20000101000000"));
  EXPECT_EQ(parse_time_leniently("20010231996199"), nearest("20010228235959"));
  EXPECT_EQ(parse_time_leniently("2020-02-30T10:00:00Z"), nearest("2020-02-29T10:00:00Z"));
  EXPECT_EQ(parse_time_leniently("2020-02-10T24:00:00Z"), nearest("2020-02-10T23:00:00Z"));
  EXPECT_EQ(parse_time_leniently("2020-02-29T10:00:00Z"),
            repaired("2020-02-29T10:00:00Z", DateRepair::None));
  EXPECT_EQ(parse_time_leniently("2016-12-31T23:59:60Z"),
            repaired("2016-12-31T23:59:59Z", DateRepair::None));
  EXPECT_FALSE(parse_time_leniently("yesterday"));
}

TEST(Time, TheYearZeroIsNotADate) {
  for (const char* text : {"0000", "00000000000000", "0000-01-01T00:00:00Z", "00000230000000"}) {
    EXPECT_FALSE(parse_time_leniently(text)) << text;
  }
}

// Days of the year from `date -d 2008-10-20 +%j` and so on.
TEST(Time, ADayOfTheYearIsReadWhereItIsInTheMonthThatIsNamed) {
  const auto day = [](std::string_view time) { return repaired(time, DateRepair::DayOfYear); };
  EXPECT_EQ(parse_time_leniently("2008-10-294T14:05:00-0700"), day("2008-10-20T14:05:00-0700"));
  EXPECT_EQ(parse_time_leniently("2009-03-65T08:43:19-0800"), day("2009-03-06T08:43:19-0800"));
  EXPECT_EQ(parse_time_leniently("2008-12-366T00:00:00Z"), day("2008-12-31T00:00:00Z"));
  EXPECT_EQ(parse_time_leniently("2009-02-033T00:00:00Z"), day("2009-02-02T00:00:00Z"));
  // The month disagrees, or the year is too short.
  EXPECT_EQ(parse_time_leniently("2008-09-294T00:00:00Z"),
            repaired("2008-09-30T00:00:00Z", DateRepair::Nearest));
  EXPECT_EQ(parse_time_leniently("2009-12-366T00:00:00Z"),
            repaired("2009-12-31T00:00:00Z", DateRepair::Nearest));
  EXPECT_EQ(parse_time_leniently("2009-01-366T00:00:00Z"),
            repaired("2009-01-31T00:00:00Z", DateRepair::Nearest));
  EXPECT_FALSE(parse_time("2008-10-294T14:05:00-0700"));
  EXPECT_FALSE(parse_time("2015-06-011"));
  EXPECT_FALSE(parse_time_leniently("2008-10-2944T14:05:00Z"));
}

}  // namespace
}  // namespace webstrata
