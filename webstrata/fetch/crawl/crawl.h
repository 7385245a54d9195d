// SPDX-License-Identifier: Apache-2.0

// A crawl within its budget: seeds, their links, the links of those, in an order that is learned on
// the way.
//
//   Ledger ledger = Ledger::create("job", clock.now());
//   ledger.set_rules({.delay_ms = 1000}, {.requests = 5000});
//   const CrawlSettings settings = {.seeds = {"http://www.example.org/"}, …};
//   const CrawlResult result = crawl(web, clock, ledger, settings);
//
// Every answer is written to the crawl files and then to the ledger. To resume a job, open its
// ledger and crawl again without seeds. Clock and network are arguments: tests crawl for a week in
// a second.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/base/progress.h"
#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/link.h"
#include "webstrata/fetch/crawl/crawl_files.h"
#include "webstrata/fetch/crawl/crawl_order.h"
#include "webstrata/fetch/crawl/crawl_scope.h"
#include "webstrata/fetch/crawl/shared_plan.h"
#include "webstrata/fetch/crawl/traps.h"
#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

// Scores pages, and links before they are followed. Without one every page that exists is worth 1.
struct CrawlTopic {
  std::function<ReadOptions(ReadOptions)> wanting = {};  // what score() needs to be read
  // Of a page; fills one score for each of its links.
  std::function<double(const Capture& capture, std::vector<double>& links)> score = {};
};

struct CrawlSettings {
  std::vector<std::string> seeds = {};
  CrawlScope scope = {};
  std::optional<std::uint32_t> depth_max = {};  // links from a seed
  LinkKinds kinds = kGraphKinds;                // that are followed
  bool with_sitemaps = false;                   // named by robots.txt: their pages count as found
  TrapRules traps = {};
  unsigned tries_max = 3;  // of a page whose server fails
  CrawlOrderOptions order = {};
  std::shared_ptr<SharedPlan> plan = {};  // decides the order instead, for several crawlers
  CrawlTopic topic = {};
  CrawlFilesOptions files = {};
  std::filesystem::path log = {};       // crawl.log (crawl_log.h); empty: none
  std::optional<Archive> archive = {};  // whose digests make revisits
  // Never requested, and the ledger forgets it too (forgotten.h).
  std::function<bool(const Url&)> is_forgotten = {};
  std::string product = {};  // our name in robots.txt
  RequestLimits limits = {};
};

struct CrawlNews {
  std::uint64_t requests = 0;
  std::optional<std::uint64_t> requests_left = {};
  std::optional<std::uint64_t> bytes_left = {};
  std::optional<Moment> time_left_ms = {};
  std::uint64_t bytes = 0;  // received
  std::uint64_t bytes_reserved =
      0;                    // the most that answers in flight may cost and lost ones may have cost
  std::uint64_t lost = 0;   // answers lost in kills
  std::uint64_t pages = 0;  // that exist
  double harvest = 0;       // their total value
  std::uint64_t waiting = 0;
  std::size_t in_flight = 0;
  std::size_t hosts_waiting = 0;
  std::uint64_t hosts = 0;
  std::uint64_t outside = 0;  // of those that wait, outside the scope of this run
  std::uint64_t robots_capped =
      0;  // pages of this run refused because matching robots.txt takes too long
  std::uint64_t origins_refused = 0;  // not contacted in this run: their addresses are private
  bool is_draining = false;
};

enum class CrawlEnd : std::uint8_t {
  NothingLeft,  // every URL has its outcome or was dropped
  Spent,        // a budget is used up
  Stopped,      // on request; requests in flight finished
};

struct CrawlResult {
  CrawlEnd end = CrawlEnd::NothingLeft;
  std::string reason;
  CrawlNews news;
  std::vector<std::filesystem::path> moved_aside = {};  // files and tails of files without a charge
  std::filesystem::path wacz = {};                      // if one was made
};

// Throws what the ledger and the crawl files throw, and Error(BadInput) if a seed is not a web URL
// or there is nothing to begin with.
CrawlResult crawl(Transport& transport, const Clock& clock, Ledger& ledger,
                  const CrawlSettings& settings, const CancelToken* cancel = nullptr,
                  const std::function<void(const CrawlNews&)>& tell = {});

}  // namespace webstrata
