// SPDX-License-Identifier: Apache-2.0

// Counts by year in answers: {"2021": 80, "2023": 4}.

#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <map>
#include <string>
#include <string_view>

#include "webstrata/base/json.h"
#include "webstrata/base/time.h"

namespace webstrata::serve {

// Crawl files can say years from 1 to 9999; anything else counts as the nearest of them.
inline int year_of_time(Time time) {
  constexpr Time kFirst = -62'135'596'800;
  constexpr Time kLast = 253'402'300'799;
  const std::time_t seconds = std::clamp(time, kFirst, kLast);
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  return parts.tm_year + 1900;
}

inline void append_year_counts(JsonWriter& json, std::string_view name,
                               const std::map<int, std::uint64_t>& years) {
  json.key(name).begin_object();
  for (const auto& [year, count] : years) json.field(std::to_string(year), count);
  json.end_object();
}

}  // namespace webstrata::serve
