// SPDX-License-Identifier: Apache-2.0

// Dates by the proleptic Gregorian calendar; std::chrono does the arithmetic, we do the spelling.
// Every format is parsed into the same fields, of which the missing ones make an interval. The
// lenient parser repairs only what real crawls contain: a day of the year in place of a day of the
// month, and dates that do not exist.
// Tested by tests/base/time_test.cpp.

#include "webstrata/base/time.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sun", "Mon", "Tue", "Wed",
                                                       "Thu", "Fri", "Sat"};

// A date given down to some field: `given` of year, month, day, hour, minute, second.
struct Fields {
  std::array<int, 6> value = {0, 1, 1, 0, 0, 0};
  int given = 0;
  int offset_seconds = 0;     // east of Greenwich
  bool has_long_day = false;  // of three digits, which only a day of the year has
};

// Removes exactly `digits` digits from the front of `text`; -1 if they are missing.
int take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return -1;
  int number = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!is_digit(text[i])) return -1;
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

int days_in_month(int year, int month) {
  using namespace std::chrono;
  const year_month_day_last last{std::chrono::year{year} /
                                 std::chrono::month{static_cast<unsigned>(month)} /
                                 std::chrono::last};
  return static_cast<int>(static_cast<unsigned>(last.day()));
}

bool in_range(const Fields& fields) {
  const auto& [year, month, day, hour, minute, second] = fields.value;
  return !fields.has_long_day && year >= 1 && month >= 1 && month <= 12 && day >= 1 &&
         day <= days_in_month(year, month) && hour <= 23 && minute <= 59 && second <= 60;
}

Time to_seconds(const Fields& fields) {
  using namespace std::chrono;
  const auto& [year, month, day, hour, minute, second] = fields.value;
  const sys_days date{std::chrono::year{year} / std::chrono::month{static_cast<unsigned>(month)} /
                      std::chrono::day{static_cast<unsigned>(day)}};
  const Time days = date.time_since_epoch().count();
  return days * 86400 + hour * 3600 + minute * 60 + std::min(second, 59) - fields.offset_seconds;
}

// The last second of the interval that the given fields name.
Time last_second(Fields fields) {
  const std::array<int, 6> latest = {9999, 12, 31, 23, 59, 59};
  for (int i = fields.given; i < 6; ++i) fields.value[i] = latest[i];
  if (fields.given < 3) fields.value[2] = days_in_month(fields.value[0], fields.value[1]);
  return to_seconds(fields);
}

// 2015, 201506, ..., 20150601120000, 20150601120000123.
std::optional<Fields> parse_digits(std::string_view text) {
  Fields fields;
  if (text.size() == 17) text.remove_suffix(3);
  if (text.size() < 4 || text.size() > 14 || text.size() % 2 != 0) return std::nullopt;
  fields.value[0] = take_number(text, 4);
  fields.given = 1;
  while (!text.empty()) fields.value[fields.given++] = take_number(text, 2);
  return fields;
}

// Z, +02:00, -0330, or nothing (UTC).
bool take_zone(std::string_view& text, int& offset_seconds) {
  if (text.empty() || text == "Z" || text == "z") {
    text = {};
    return true;
  }
  const int sign = text.front() == '+' ? 1 : text.front() == '-' ? -1 : 0;
  if (sign == 0) return false;
  text.remove_prefix(1);
  const int hours = take_number(text, 2);
  take(text, ':');
  const int minutes = text.empty() ? 0 : take_number(text, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
  offset_seconds = sign * (hours * 3600 + minutes * 60);
  return text.empty();
}

bool take_fraction(std::string_view& text) {
  if (!take(text, '.') && !take(text, ',')) return true;
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto digits = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(digits);
  return digits > 0;
}

// 2015-06-01T12:00:00Z with everything after the year optional.
std::optional<Fields> parse_dashed(std::string_view text) {
  Fields fields;
  fields.value[0] = take_number(text, 4);
  fields.given = 1;
  for (const char separator : {'-', '-', 'T', ':', ':'}) {
    const bool date_is_over = fields.given == 3;
    const bool found = take(text, separator) ||
                       (date_is_over && (take(text, ' ') || take(text, 't') || take(text, '_')));
    if (!found) break;
    const bool is_long = fields.given == 2 && text.size() >= 3 && is_digit(text[2]);
    fields.has_long_day = fields.has_long_day || is_long;
    fields.value[fields.given++] = take_number(text, is_long ? 3 : 2);
  }
  if (fields.given == 6 && !take_fraction(text)) return std::nullopt;
  if (fields.given <= 3 && !text.empty() && text != "Z") return std::nullopt;
  if (fields.given == 4) return std::nullopt;  // an hour alone is not W3CDTF
  if (!take_zone(text, fields.offset_seconds)) return std::nullopt;
  return fields;
}

// Mon, 01 Jun 2015 10:00:00 GMT. The weekday is not checked.
std::optional<Fields> parse_rfc1123(std::string_view text) {
  if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") {
    return std::nullopt;
  }
  text.remove_prefix(5);
  Fields fields;
  fields.given = 6;
  fields.value[2] = take_number(text, 2);
  const auto month = std::find(kMonths.begin(), kMonths.end(), text.substr(1, 3));
  if (month == kMonths.end() || text[0] != ' ' || text[4] != ' ') return std::nullopt;
  fields.value[1] = static_cast<int>(month - kMonths.begin()) + 1;
  text.remove_prefix(5);
  fields.value[0] = take_number(text, 4);
  for (int i = 3; i < 6; ++i) {
    if (!take(text, i == 3 ? ' ' : ':')) return std::nullopt;
    fields.value[i] = take_number(text, 2);
  }
  return fields;
}

std::optional<Fields> parse_fields(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  const bool digits_only = std::all_of(text.begin(), text.end(), is_digit);
  const auto fields = digits_only              ? parse_digits(text)
                      : is_digit(text.front()) ? parse_dashed(text)
                                               : parse_rfc1123(text);
  if (!fields ||
      std::any_of(fields->value.begin(), fields->value.end(), [](int v) { return v < 0; }))
    return std::nullopt;
  return fields;
}

// Reads the day as a day of the year, if that day is in the given month.
bool use_day_of_year(Fields& fields) {
  using namespace std::chrono;
  const auto& [year, month, day, hour, minute, second] = fields.value;
  if (year < 1 || day < 1 || day > 366) return false;
  const year_month_day date{sys_days{std::chrono::year{year} / January / 1} + days{day - 1}};
  Fields repaired = fields;
  repaired.has_long_day = false;
  repaired.value[2] = static_cast<int>(static_cast<unsigned>(date.day()));
  const bool is_in_month = static_cast<int>(date.year()) == year &&
                           static_cast<int>(static_cast<unsigned>(date.month())) == month;
  if (!is_in_month || !in_range(repaired)) {
    return false;
  }
  fields = repaired;
  return true;
}

void clamp(Fields& fields) {
  auto& [year, month, day, hour, minute, second] = fields.value;
  year = std::clamp(year, 1, 9999);
  month = std::clamp(month, 1, 12);
  day = std::clamp(day, 1, days_in_month(year, month));
  hour = std::min(hour, 23);
  minute = std::min(minute, 59);
  second = std::min(second, 59);
}

// The fields of a time, for printing. Years outside 0001..9999 are clamped to that range.
Fields to_fields(Time time) {
  using namespace std::chrono;
  constexpr Time kFirst = -62135596800;  // 0001-01-01T00:00:00Z
  constexpr Time kLast = 253402300799;   // 9999-12-31T23:59:59Z
  const sys_seconds moment{seconds{std::clamp(time, kFirst, kLast)}};
  const auto day_start = floor<days>(moment);
  const year_month_day date{day_start};
  const hh_mm_ss clock{moment - day_start};
  Fields fields;
  fields.given = 6;
  fields.value = {static_cast<int>(date.year()),
                  static_cast<int>(static_cast<unsigned>(date.month())),
                  static_cast<int>(static_cast<unsigned>(date.day())),
                  static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count())};
  return fields;
}

}  // namespace

std::optional<TimeInterval> parse_interval(std::string_view text) {
  const auto fields = parse_fields(text);
  if (!fields || !in_range(*fields)) return std::nullopt;
  return TimeInterval{to_seconds(*fields), last_second(*fields)};
}

std::optional<Time> parse_time(std::string_view text) {
  const auto interval = parse_interval(text);
  return interval ? std::optional(interval->first) : std::nullopt;
}

std::optional<RepairedTime> parse_time_leniently(std::string_view text) {
  auto fields = parse_fields(text);
  if (!fields || fields->value[0] == 0) return std::nullopt;
  if (in_range(*fields)) return RepairedTime{to_seconds(*fields), DateRepair::None};
  if (use_day_of_year(*fields)) return RepairedTime{to_seconds(*fields), DateRepair::DayOfYear};
  clamp(*fields);
  return RepairedTime{to_seconds(*fields), DateRepair::Nearest};
}

std::string to_timestamp14(Time time) {
  const auto [year, month, day, hour, minute, second] = to_fields(time).value;
  return fmt::format("{:04}{:02}{:02}{:02}{:02}{:02}", year, month, day, hour, minute, second);
}

std::string to_timestamp17(Time time) { return to_timestamp14(time) + "000"; }

std::string to_rfc3339(Time time) {
  const auto [year, month, day, hour, minute, second] = to_fields(time).value;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", year, month, day, hour, minute,
                     second);
}

std::string to_rfc1123(Time time) {
  const auto [year, month, day, hour, minute, second] = to_fields(time).value;
  const Time days = to_seconds(to_fields(time)) / 86400 - (time < 0 && time % 86400 != 0 ? 1 : 0);
  const auto weekday = static_cast<std::size_t>(((days + 4) % 7 + 7) % 7);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kWeekdays[weekday], day,
                     kMonths[static_cast<std::size_t>(month - 1)], year, hour, minute, second);
}

Time now() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace webstrata
