// SPDX-License-Identifier: Apache-2.0

// What a crawl job is asked to do, and how its ledger keeps that from run to run.
//
//   CrawlJobSettings settings;
//   set_crawl_setting(settings, "budget", {"--budget", {"500"}});
//   const std::string record = record_of(settings);  // {"version":1,"agent":…}
//
// The record is JSON and has typed values under its own names, so that any door can resume a job
// that another one began.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/link.h"
#include "webstrata/fetch/rules/budget.h"
#include "webstrata/jobs/fetch_settings.h"

namespace webstrata {

struct CrawlJobSettings {
  FetchSettings fetch = {};
  Moment backoff_ms = 10'000;  // at first; doubles with every failure in a row
  unsigned failures_max = 5;   // in a row, until an origin is given up
  Moment timeout_ms = 60'000;  // of one answer
  std::uint64_t body_bytes_max = std::uint64_t{16} << 20;
  Budget budget = {};

  std::vector<std::string> hosts = {};  // all four empty: the hosts of the seeds
  std::vector<std::string> domains = {};
  std::vector<std::string> prefixes = {};
  std::vector<std::string> surts = {};
  bool anywhere = false;
  std::optional<std::uint32_t> depth_max = {};  // links from a seed
  LinkKinds kinds = kGraphKinds;
  bool with_sitemaps = false;

  std::string order = "found";
  std::uint64_t seed = 1;
  std::vector<std::string> topics = {};  // files; at most one
  LinkWindow window = LinkWindow::Context;
  std::uint64_t host_urls_max = 1'000'000;
  std::uint64_t pattern_urls_max = 20'000;
  std::uint64_t copies_max = 20;
  unsigned tries_max = 3;

  std::string frontier = {};          // host:port of a service that several crawlers share
  std::string crawl_id = {};          // of the crawl there; empty: its default
  std::string frontier_token = {};    // file with the token
  std::string frontier_ca_file = {};  // certificates that vouch for the service: TLS

  std::string archive = {};
  std::string file_prefix = "WEBSTRATA";
  bool with_wacz = false;  // pack the crawl files when a run ends
  friend bool operator==(const CrawlJobSettings&, const CrawlJobSettings&) = default;
};

// Changes the setting that users call `name`, which is the name of the command line's flag without
// its dashes: "budget", "host", "max-body". Throws Error(BadInput) if there is none of that name,
// or for a word that means nothing.
void set_crawl_setting(CrawlJobSettings& settings, std::string_view name, const GivenWord& word);

// The setting of the ledger that has the record.
inline constexpr std::string_view kCrawlRecordSetting = "crawl settings";

std::string record_of(const CrawlJobSettings& settings);
// Throws Error(BadInput) for a record of a version that this program does not know, Error(Corrupt)
// for what is not a record.
CrawlJobSettings read_crawl_record(std::string_view record);

// Jobs that were begun before there were records kept the words of the command line: a line for
// each value, "--flag <tab> value". Throws Error(BadInput).
CrawlJobSettings read_crawl_words(std::string_view lines);

}  // namespace webstrata
