// SPDX-License-Identifier: Apache-2.0

// A URL is first checked by itself, then counted: per host and per pattern, in one table of 32-bit
// counters by 64-bit hash. A date is a year followed by a month, separated as in a path or as in
// two parameters.
// Tested by tests/fetch/traps_test.cpp.

#include "webstrata/fetch/crawl/traps.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/base/text.h"

namespace webstrata {
namespace {

void append_folded(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      out.push_back(text[i]);
    } else if (i == 0 || !is_digit(text[i - 1])) {
      out.push_back('#');
    }
  }
}

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    path.remove_prefix(path.front() == '/' ? 1 : 0);
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) segments.push_back(path.substr(0, slash));
    path.remove_prefix(slash);
  }
  return segments;
}

// Numbers in a text, with the separator before each.
struct Number {
  int value = 0;
  std::size_t digits = 0;
  std::size_t start = 0;
  std::size_t end = 0;
};
std::vector<Number> numbers_of(std::string_view text) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) continue;
    Number number{.start = i};
    for (; i < text.size() && is_digit(text[i]); ++i) {
      if (number.digits++ < 8) number.value = number.value * 10 + (text[i] - '0');
    }
    number.end = i;
    numbers.push_back(number);
  }
  return numbers;
}

bool is_year(const Number& number) {
  return number.digits == 4 && number.value >= 1900 && number.value <= 2999;
}
bool is_month(const Number& number) {
  return number.digits <= 2 && number.value >= 1 && number.value <= 12;
}

// A year and a month, separated by one of "-/_." or by the name of a parameter.
bool are_date(const Number& year, const Number& month, std::string_view text) {
  if (!is_year(year) || !is_month(month)) return false;
  const std::string_view between = text.substr(year.end, month.start - year.end);
  if (between.size() == 1)
    return std::string_view("-/_.").find(between[0]) != std::string_view::npos;
  return between.starts_with('&') && between.ends_with('=') &&
         between.find('m') != std::string_view::npos;
}

int year_of(Time time) { return std::stoi(to_timestamp14(time).substr(0, 4)); }

}  // namespace

std::string url_pattern(const Url& url) {
  std::string pattern(url.host());
  append_folded(url.path(), pattern);
  std::string_view query = url.query();
  while (!query.empty()) {
    const std::size_t next = std::min(query.find('&', 1), query.size());
    append_folded(query.substr(0, std::min(query.find('='), next)), pattern);
    pattern.push_back('=');
    query.remove_prefix(next);
  }
  return pattern;
}

bool holds_date(const Url& url, int& year) {
  const std::string text = fmt::format("{}{}", url.path(), url.query());
  const std::vector<Number> numbers = numbers_of(text);
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    if (!are_date(numbers[i], numbers[i + 1], text)) continue;
    year = numbers[i].value;
    return true;
  }
  return false;
}

unsigned most_repeated(std::string_view path) {
  const auto segments = segments_of(path);
  std::unordered_map<std::string, unsigned> counts;
  unsigned most = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    most = std::max(most, ++counts[std::string(segments[i])]);
    if (i == 0 || segments[i] == segments[i - 1]) continue;
    most = std::max(most, ++counts[fmt::format("{}/{}", segments[i - 1], segments[i])]);
  }
  return most;
}

std::string Traps::refusal(const Url& url, Time now) {
  if (url.href().size() > rules_.url_bytes_max) {
    return fmt::format("longer than {} bytes", rules_.url_bytes_max);
  }
  const auto parameters =
      static_cast<unsigned>(std::ranges::count(url.query(), '&') + (url.query().empty() ? 0 : 1));
  if (parameters > rules_.parameters_max) {
    return fmt::format("more than {} parameters", rules_.parameters_max);
  }
  if (segments_of(url.path()).size() > rules_.segments_max) {
    return fmt::format("more than {} folders deep", rules_.segments_max);
  }
  if (most_repeated(url.path()) > rules_.repeats_max) {
    return fmt::format("a folder comes more than {} times in its path", rules_.repeats_max);
  }
  int year = 0;
  const bool is_dated = holds_date(url, year);
  if (is_dated && year > year_of(now) + static_cast<int>(rules_.years_ahead_max)) {
    return fmt::format("a calendar: its date is in {}", year);
  }
  std::uint32_t& of_host = counts_[checksum64(url.host())];
  if (of_host >= rules_.host_urls_max) {
    return fmt::format("{} URLs of its host are known", rules_.host_urls_max);
  }
  const std::string pattern = url_pattern(url);
  const std::uint64_t pattern_max = is_dated ? rules_.dated_urls_max : rules_.pattern_urls_max;
  std::uint32_t& of_pattern = counts_[checksum64(pattern, 1)];
  if (of_pattern >= pattern_max) {
    return fmt::format("{} URLs like {} are known", pattern_max, pattern);
  }
  ++of_pattern;
  ++counts_[checksum64(url.host())];  // looked up again: the map may have grown
  return "";
}

void Traps::count(const Url& url) {
  ++counts_[checksum64(url.host())];
  ++counts_[checksum64(url_pattern(url), 1)];
}

bool Traps::count_content(std::string_view origin, std::uint64_t content) {
  return ++counts_[checksum64(origin, content)] <= rules_.copies_max;
}

}  // namespace webstrata
