// SPDX-License-Identifier: Apache-2.0

// Crawls as text and JSON: how far one is, and how it ended.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/fetch/crawl/crawl.h"

namespace webstrata {

// The status line of a crawl that runs. One for each run: it knows the requests of the last ten
// seconds.
class CrawlStatus {
 public:
  std::string text(const CrawlNews& news, Moment now, bool has_topic);

 private:
  double rate(Moment now, std::uint64_t requests);

  std::vector<std::pair<Moment, std::uint64_t>> marks_;
};

// "nothing-left", "spent" or "stopped".
std::string_view to_string(CrawlEnd end) noexcept;
// {"job", "end", "reason", "requests", "pages", …}; without a newline.
std::string as_json(const CrawlResult& result, const std::string& job);
// The same for people, a few lines without newlines; the last one says how to continue.
std::vector<std::string> as_lines(const CrawlResult& result, const std::string& job);

}  // namespace webstrata
