// SPDX-License-Identifier: Apache-2.0

// Moments and intervals: seconds since 1970 UTC, 64 bit, and every spelling the web archives use.
//
//   parse_time("20150601120000")               the 14 digits of CDX and ARC; 17 with milliseconds
//   parse_time("2015-06-01T12:00:00.25+02:00") W3CDTF and RFC 3339
//   parse_time("Mon, 01 Jun 2015 10:00:00 GMT")  RFC 1123, as HTTP and Memento write it
//   parse_interval("2015-06")                  [2015-06-01 00:00:00, 2015-06-30 23:59:59]
//
// Fractions of seconds are cut. A leap second (:60) counts as the second before it.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

using Time = std::int64_t;

struct TimeInterval {
  Time first = 0;  // closed on both sides
  Time last = 0;

  friend bool operator==(const TimeInterval&, const TimeInterval&) = default;
};

inline constexpr TimeInterval kAllTime = {std::numeric_limits<Time>::min(),
                                          std::numeric_limits<Time>::max()};

// A year from 0001 to 9999; anything after it may be left out: month, day, hour, minute, second.
// The interval covers all moments that begin with the text. Empty if the text is not a date.
std::optional<TimeInterval> parse_interval(std::string_view text);

// The first second of parse_interval's answer, or an RFC 1123 date.
std::optional<Time> parse_time(std::string_view text);

// What had to be corrected in a date.
enum class DateRepair : std::uint8_t {
  None,
  DayOfYear,  // "2008-10-294": ClueWeb09 has the day of the year where the day of the month belongs
  Nearest,  // "2020-02-30", "20000000000000": no such date; each field became the nearest real one
};
struct RepairedTime {
  Time time = 0;
  DateRepair repair = DateRepair::None;

  friend bool operator==(const RepairedTime&, const RepairedTime&) = default;
};

// The same for dates in real files: also accepts dates that do not exist, and says what it changed.
// The year 0000 is not a date.
std::optional<RepairedTime> parse_time_leniently(std::string_view text);

std::string to_timestamp14(Time time);  // 20150601120000
std::string to_timestamp17(Time time);  // 20150601120000000
std::string to_rfc3339(Time time);      // 2015-06-01T12:00:00Z, also W3CDTF and WARC-Date
std::string to_rfc1123(Time time);      // Mon, 01 Jun 2015 12:00:00 GMT

Time now();

}  // namespace webstrata
