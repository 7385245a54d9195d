// SPDX-License-Identifier: Apache-2.0

// The settings of a crawl job: what users call them, and how the ledger keeps them.

#include "webstrata/jobs/crawl_job.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "webstrata/archive/disk/scratch_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/jobs/crawl_settings.h"

namespace webstrata {
namespace {

constexpr const char* kAgent = "test/1.0 (+https://test.example/)";

CrawlJobSettings unusual_settings() {
  CrawlJobSettings settings;
  settings.fetch = {kAgent, 20, 0, 3, true, "127.0.0.1:1", "", "certificates"};
  settings.backoff_ms = 1;
  settings.failures_max = 2;
  settings.timeout_ms = 3;
  settings.body_bytes_max = 4;
  settings.budget = {5, std::uint64_t{6} << 40, 7, 8, Rate{9, 10}};
  settings.hosts = {"a.example", "b.example"};
  settings.domains = {"example"};
  settings.prefixes = {"http://a.example/\"quoted\""};
  settings.surts = {"org,example)/"};
  settings.anywhere = true;
  settings.depth_max = 0;
  settings.kinds = LinkKind::Embed | LinkKind::Nofollow;
  settings.with_sitemaps = true;
  settings.order = "extra";
  settings.seed = UINT64_MAX;
  settings.topics = {"a.topic"};
  settings.window = LinkWindow::Anchor;
  settings.host_urls_max = 11;
  settings.pattern_urls_max = 12;
  settings.copies_max = 13;
  settings.tries_max = 14;
  settings.frontier = "127.0.0.1:7071";
  settings.crawl_id = "mine";
  settings.frontier_token = "token.txt";
  settings.frontier_ca_file = "roots.pem";
  settings.archive =
      "l\xe4"
      "b.ws";  // a file name that is not UTF-8
  settings.file_prefix = "TEST";
  return settings;
}

ErrorKind kind_of_error(const std::function<void()>& work, std::string_view named) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find(named), std::string_view::npos) << error.what();
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::Io;
}

// A job as the program left it before there were records.
void write_old_job(const std::filesystem::path& folder) {
  Ledger ledger = Ledger::create(folder, 1000);
  ledger.add("http://a.example/0", {.found = 1000});
  ledger.set_setting("flags",
                     "--agent\ttest/1.0 (+https://test.example/)\n--budget\t5\n"
                     "--connect-to\t127.0.0.1:1\n--delay\t20ms\n--host\ta.example\n"
                     "--host\tb.example\n--sitemaps\ttrue\n");
  ledger.commit(1000);
}

TEST(CrawlSettings, TheRecordGivesTheSameSettingsBack) {
  const CrawlJobSettings settings = unusual_settings();
  EXPECT_EQ(read_crawl_record(record_of(settings)), settings);
  EXPECT_EQ(read_crawl_record(record_of({})), CrawlJobSettings());
  EXPECT_EQ(record_of(settings).substr(0, 12), "{\"version\":1");
}

TEST(CrawlSettings, AFieldThatIsMissingKeepsItsDefault) {
  CrawlJobSettings expected;
  expected.tries_max = 7;
  EXPECT_EQ(read_crawl_record(R"({"version": 1, "tries_max": 7})"), expected);
}

TEST(CrawlSettings, AnotherVersionIsRefusedByItsNumber) {
  for (const char* record : {R"({"version": 2, "tries_max": 7})", R"({"version":0})", "{}"}) {
    EXPECT_EQ(kind_of_error([&] { read_crawl_record(record); }, "version"), ErrorKind::BadInput);
  }
}

TEST(CrawlSettings, ADamagedRecordIsRefused) {
  const std::string whole = record_of(unusual_settings());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(read_crawl_record(whole.substr(0, size)), Error) << size;
  }
  for (const char* record :
       {"[1]", R"({"version":1,"agent":7})", R"({"version":1,"tries_max":-1})",
        R"({"version":1,"tries_max":5000000000})", R"({"version":1,"kinds":"nonsense"})",
        R"({"version":1,"hosts":["a",7]})", R"({"version":1,"archive":{"bytes":[256]}})",
        R"({"version":1,"budget_rate":{"count":1}})", R"({"version":1,"window":"wide"})"}) {
    EXPECT_EQ(kind_of_error([&] { read_crawl_record(record); }, "settings of the job"),
              ErrorKind::Corrupt)
        << record;
  }
}

TEST(CrawlSettings, WordsHaveTheMeaningOfTheCommandLine) {
  CrawlJobSettings settings;
  set_crawl_setting(settings, "time", {"--time", {"2h"}});
  set_crawl_setting(settings, "rate", {"--rate", {"300/15m"}});
  set_crawl_setting(settings, "host", {"--host", {"a.example", "b.example"}});
  set_crawl_setting(settings, "max-body", {"--max-body", {"2M"}});
  set_crawl_setting(settings, "delay", {"--delay", {"20ms"}});
  set_crawl_setting(settings, "links", {"--links", {"all"}});
  CrawlJobSettings expected;
  expected.budget.time_ms = 7'200'000;
  expected.budget.rate = Rate{300, 900'000};
  expected.hosts = {"a.example", "b.example"};
  expected.body_bytes_max = 2 << 20;
  expected.fetch.delay_ms = 20;
  expected.kinds = kAllKinds;
  EXPECT_EQ(settings, expected);
}

TEST(CrawlSettings, WrongWordsAreRefusedUnderTheNameThatTheUserGave) {
  CrawlJobSettings settings;
  const std::pair<const char*, const char*> words[] = {
      {"budget", "many"}, {"budget", "-1"},     {"budget", ""},        {"depth", "5000000000"},
      {"give-up", "0"},   {"connections", "0"}, {"anywhere", "maybe"}, {"time", "long"},
      {"rate", "fast"},   {"bytes", "x"},       {"links", "nonsense"}, {"link-window", "50"},
      {"nonsense", "1"}};
  for (const auto& [name, word] : words) {
    const std::string what = std::string("given ") + name;
    EXPECT_EQ(kind_of_error(
                  [&] {
                    set_crawl_setting(settings, name, {what, {word}});
                  },
                  what),
              ErrorKind::BadInput);
  }
  EXPECT_EQ(settings, CrawlJobSettings());
}

TEST(CrawlSettings, TheWordsOfOldJobsAreStillRead) {
  CrawlJobSettings expected;
  expected.fetch.agent = kAgent;
  expected.budget.requests = 5;
  expected.hosts = {"a.example", "b.example"};
  expected.with_sitemaps = true;
  EXPECT_EQ(read_crawl_words("--agent\ttest/1.0 (+https://test.example/)\n--budget\t5\n"
                             "--host\ta.example\n--host\tb.example\n--sitemaps\ttrue\n"),
            expected);
  EXPECT_EQ(read_crawl_words(""), CrawlJobSettings());
  EXPECT_THROW(read_crawl_words("--nonsense\t1\n"), Error);
}

TEST(CrawlJob, AnOldJobIsResumedWithItsOwnSettings) {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  const auto folder = scratch.path() / "job";
  write_old_job(folder);
  CrawlJobSettings expected;
  expected.fetch = {kAgent, 20, {}, 64, false, "127.0.0.1:1", "", ""};
  expected.budget.requests = 9;
  expected.hosts = {"a.example", "b.example"};
  expected.with_sitemaps = true;
  {
    const CrawlJob job =
        CrawlJob::resume(folder, [](CrawlJobSettings& settings) { settings.budget.requests = 9; });
    EXPECT_EQ(job.settings(), expected);
  }
}

// Nobody listens at the place where all names lead, so a run ends soon and commits.
TEST(CrawlJob, WhatARunChangesHoldsForTheNext) {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  const auto folder = scratch.path() / "job";
  CrawlJobSettings settings;
  settings.fetch = {kAgent, 0, {}, 64, false, "127.0.0.1:1", "", ""};
  settings.backoff_ms = 1;
  settings.budget.requests = 1;
  CrawlJob::begin(folder, {"http://a.example/"}, settings).run();
  CrawlJob::resume(folder, [](CrawlJobSettings& now) { now.budget.requests = 2; }).run();
  settings.budget.requests = 2;
  EXPECT_EQ(CrawlJob::resume(folder).settings(), settings);
}

TEST(CrawlJob, WrongSettingsAreReportedBeforeThereIsAFolder) {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  const auto folder = scratch.path() / "job";
  CrawlJobSettings settings;
  settings.fetch.agent = kAgent;
  settings.order = "nonsense";
  EXPECT_THROW(CrawlJob::begin(folder, {"http://a.example/"}, settings), Error);
  settings.order = "found";
  settings.file_prefix = "../up";
  EXPECT_THROW(CrawlJob::begin(folder, {"http://a.example/"}, settings), Error);
  EXPECT_THROW(CrawlJob::begin(folder, {}, {}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(CrawlJob, ARecordOfALaterProgramIsNotResumed) {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  const auto folder = scratch.path() / "job";
  write_old_job(folder);
  {
    Ledger ledger = Ledger::open(folder, 2000);
    ledger.set_setting("crawl settings", R"({"version": 2})");
    ledger.commit(2000);
  }
  EXPECT_EQ(kind_of_error([&] { CrawlJob::resume(folder); }, "version 2"), ErrorKind::BadInput);
}

}  // namespace
}  // namespace webstrata
