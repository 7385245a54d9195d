// SPDX-License-Identifier: Apache-2.0

// The flags of `crawl`. Words are checked here for their form; jobs/crawl_settings.h knows what
// they mean.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/cli/flags/fetch_flags.h"
#include "webstrata/cli/flags/topic_flags.h"
#include "webstrata/cli/frame/flags.h"
#include "webstrata/jobs/crawl_settings.h"

namespace webstrata {

struct CrawlFlags {
  std::string job;
  std::vector<std::string> seeds;
  bool resume = false;
  bool ledger = false;
  bool json = false;
  bool quiet = false;

  // What a job remembers.
  FetchFlags fetch;
  std::string backoff;
  unsigned give_up = 0;
  std::string timeout;
  std::string body_max;
  std::uint64_t requests = 0;
  std::string bytes;
  std::string time;
  std::uint64_t host_requests = 0;
  std::string rate;
  std::vector<std::string> hosts;
  std::vector<std::string> domains;
  std::vector<std::string> prefixes;
  std::vector<std::string> surts;
  bool anywhere = false;
  std::uint32_t depth = 0;
  std::string links;
  bool sitemaps = false;
  std::string order;
  std::uint64_t seed = 0;
  TopicFlags topic;
  std::string frontier;
  std::string crawl_id;
  std::string frontier_token;
  std::string frontier_ca_file;
  std::uint64_t host_urls = 0;
  std::uint64_t pattern_urls = 0;
  std::uint64_t copies = 0;
  unsigned tries = 0;
  std::string archive;
  std::string prefix;
  bool wacz = false;
};

void declare_crawl(FlagSet& app, CrawlFlags& flags);

// Changes those settings whose flags were given. Throws Error(BadInput) for words that mean
// nothing.
void change_settings(CrawlJobSettings& settings, const GivenFlags& given);

}  // namespace webstrata
