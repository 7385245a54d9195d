// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/crawl/crawl_log.h"

#include <gtest/gtest.h>

#include "../temporary_folder.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

constexpr Moment kLogNow = 1476654094120;  // 2016-10-16T21:41:34.120Z

// The line of Heritrix's manual, with our thread and our source tag.
TEST(CrawlLog, ALineHasHeritrixsColumns) {
  CrawlLogLine line{.written = kLogNow, .status = 200, .url = "http://example.org/a"};
  line.discovery = {"LLE", "http://example.org/", "http://seed.example/"};
  line.size = 3113;
  line.mime = "text/html";
  line.started = kLogNow - 1103;
  line.finished = line.started + 123;
  line.digest = "sha1:CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6";
  line.annotations = "timeTrunc,2t";
  EXPECT_EQ(to_text(line),
            "2016-10-16T21:41:34.120Z   200       3113 http://example.org/a LLE "
            "http://example.org/ text/html #000 20161016214133017+123 "
            "sha1:CZBHCHHR4IFLFUDLNLKGN5MTNTAA4DV6 http://seed.example/ timeTrunc,2t\n");
  const CrawlLogLine refused{.written = kLogNow,
                             .status = static_cast<int>(FetchCode::RobotsPrecluded),
                             .url = "http://a/"};
  EXPECT_EQ(to_text(refused),
            "2016-10-16T21:41:34.120Z -9998          - http://a/ - - unknown #000 - - - -\n");
}

TEST(CrawlLog, TheDiscoveryPathGoesBackToTheSeed) {
  TemporaryFolder folder;
  Ledger ledger = Ledger::create(folder.path(), kLogNow);
  UrlNumber from = *ledger.add("http://seed.example/", {});
  EXPECT_EQ(discovery_of(ledger, ledger.url(from)).path, "");
  EXPECT_EQ(discovery_of(ledger, ledger.url(from)).source, "http://seed.example/");
  for (std::uint32_t depth = 1; depth <= 60; ++depth) {
    const char hop = depth == 60 ? 'R' : 'L';
    from = *ledger.add("http://a.example/" + std::to_string(depth),
                       {.from = from, .depth = depth, .hop = hop});
  }
  const Discovery far = discovery_of(ledger, ledger.url(from));
  EXPECT_EQ(far.path, "10+" + std::string(49, 'L') + "R");
  EXPECT_EQ(far.via, "http://a.example/59");
  EXPECT_EQ(far.source, "");
  EXPECT_EQ(discovery_of(ledger, ledger.url(2)).path, "LL");
}

TEST(CrawlLog, HopsAndFailuresHaveHeritrixsWords) {
  EXPECT_EQ(hop_of(LinkKind::Navigation), 'L');
  EXPECT_EQ(hop_of(LinkKind::Embed), 'E');
  EXPECT_EQ(hop_of(LinkKind::Redirect), 'R');
  EXPECT_EQ(hop_of(LinkKind::Refresh | LinkKind::Navigation), 'R');
  EXPECT_EQ(hop_of(LinkKind::Embed | LinkKind::Navigation), 'L');
  EXPECT_EQ(fetch_code_of(Failure::NameNotFound), FetchCode::DnsFailed);
  EXPECT_EQ(fetch_code_of(Failure::ConnectionRefused), FetchCode::ConnectFailed);
  EXPECT_EQ(fetch_code_of(Failure::Reset), FetchCode::ConnectBroken);
  EXPECT_EQ(fetch_code_of(Failure::TooSlow), FetchCode::Timeout);
}

// A kill between the log's sync and the ledger's commit: the lines are cut off.
TEST(CrawlLog, LinesThatWereNotCommittedAreCutOff) {
  TemporaryFolder folder;
  const auto add = [](CrawlLog& log, std::string_view url) {
    log.add({.written = kLogNow, .status = 200, .url = url});
    log.sync();
  };
  std::string counted;
  {
    Ledger ledger = Ledger::create(folder.path(), kLogNow);
    CrawlLog log(folder / "crawl.log", ledger);
    add(log, "http://a.example/1");
    ledger.commit(kLogNow);
    counted = read_file(folder / "crawl.log");
    add(log, "http://a.example/2");
  }
  EXPECT_GT(read_file(folder / "crawl.log").size(), counted.size());
  {
    Ledger ledger = Ledger::open(folder.path(), kLogNow);
    CrawlLog log(folder / "crawl.log", ledger);
    EXPECT_EQ(read_file(folder / "crawl.log"), counted);
    add(log, "http://a.example/2");
    ledger.commit(kLogNow);
    EXPECT_EQ(read_file(folder / "crawl.log").size(), 2 * counted.size());
  }
  std::filesystem::remove(folder / "crawl.log");  // moved away: a new one begins
  Ledger ledger = Ledger::open(folder.path(), kLogNow);
  CrawlLog log(folder / "crawl.log", ledger);
  add(log, "http://a.example/3");
  EXPECT_EQ(read_file(folder / "crawl.log").size(), counted.size());
}

}  // namespace
}  // namespace webstrata
