// SPDX-License-Identifier: Apache-2.0

// The log of a crawl in the form of Heritrix's crawl.log, which tools for web archives read:
//
//   time written, status, size, URL, discovery path, referrer, MIME type, thread,
//   begin+duration, digest, source tag, annotations
//
// Status is HTTP's or one of Heritrix's negative codes. A line counts once the ledger says so: when
// a job is resumed, lines after that are cut off, for their URLs are requested again. So no line is
// lost and none is there twice.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/facts/link.h"
#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

// Heritrix's codes for what was not fetched.
enum class FetchCode : int {
  DnsFailed = -1,
  ConnectFailed = -2,
  ConnectBroken = -3,
  Timeout = -4,
  RuntimeError = -5,
  Unfetchable = -7,
  RetriesFailed = -8,
  RobotsFailed = -61,
  BlockedByUser = -5001,
  QuotaSpent = -5003,
  ThreadKilled = -7000,
  RobotsPrecluded = -9998,
};
FetchCode fetch_code_of(Failure failure) noexcept;

// A character of the discovery path: L link, E embedded, R redirect or refresh, M sitemap, S form.
char hop_of(LinkKinds kinds) noexcept;

// How a URL was found.
struct Discovery {
  std::string path;    // one character for each hop from the seed; empty: it is a seed
  std::string via;     // the page that linked to it
  std::string source;  // the seed
};
Discovery discovery_of(const Ledger& ledger, const LedgerUrl& url);

struct CrawlLogLine {
  Moment written = 0;
  int status = 0;
  std::string_view url = {};
  Discovery discovery = {};
  std::optional<std::uint64_t> size = {};  // of the content; empty: nothing was fetched
  std::string_view mime = {};
  Moment started = 0;
  Moment finished = 0;
  std::string_view digest = {};
  std::string annotations = {};  // separated by commas
};
std::string to_text(const CrawlLogLine& line);

class CrawlLog {
 public:
  // Cuts off lines that do not count. The ledger must outlive the log. Throws Error(Io).
  CrawlLog(std::filesystem::path path, Ledger& ledger);
  ~CrawlLog();
  CrawlLog(const CrawlLog&) = delete;
  CrawlLog& operator=(const CrawlLog&) = delete;

  void add(const CrawlLogLine& line) { waiting_ += to_text(line); }
  // Makes all lines durable; they count with the ledger's next commit.
  void sync();

 private:
  std::filesystem::path path_;
  Ledger& ledger_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string waiting_;
};

}  // namespace webstrata
