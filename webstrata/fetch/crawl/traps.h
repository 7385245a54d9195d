// SPDX-License-Identifier: Apache-2.0

// Parts of sites in which a crawler never finishes: calendars, folders inside themselves, endless
// lists.
//
// Rules about one URL: too long, too many segments or parameters, a segment or a pair of segments
// that repeats too often, a date far in the future. And counts: URLs of one host, and URLs of one
// pattern, which is the URL with every number replaced by '#' and the values of its query removed.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "webstrata/base/time.h"
#include "webstrata/url/url.h"

namespace webstrata {

struct TrapRules {
  std::size_t url_bytes_max = 2000;
  unsigned segments_max = 30;
  unsigned parameters_max = 20;
  unsigned repeats_max = 3;      // of a segment or a pair of them in one path
  unsigned years_ahead_max = 1;  // of a date in a URL
  std::uint64_t host_urls_max = 1'000'000;
  std::uint64_t pattern_urls_max = 20'000;
  std::uint64_t dated_urls_max = 2'000;  // of one pattern that contains a date
  std::uint64_t copies_max = 20;  // pages of one content at an origin whose links are followed
};

class Traps {
 public:
  explicit Traps(const TrapRules& rules) : rules_(rules) {}

  // Why the URL should be avoided; empty, and counted, if it need not.
  std::string refusal(const Url& url, Time now);
  // Counts a URL that was let in earlier: when a job is resumed.
  void count(const Url& url);
  // Counts a page's content; false if its links should not be followed.
  bool count_content(std::string_view origin, std::uint64_t content);

 private:
  TrapRules rules_;
  std::unordered_map<std::uint64_t, std::uint32_t>
      counts_;  // by hash: of a host, pattern, content of an origin
};

// "www.example.org/list/#?page=&sort=".
std::string url_pattern(const Url& url);
// The year of a date in path or query (2021-08, 2021/8/14, year=2021&month=8), if there is one.
bool holds_date(const Url& url, int& year);
// How often the most frequent segment, or pair of neighbours, occurs in the path.
unsigned most_repeated(std::string_view path);

}  // namespace webstrata
