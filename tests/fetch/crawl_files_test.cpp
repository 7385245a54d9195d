#include "webstrata/fetch/crawl_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/fetch/simulated_web.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

struct CrawlFilesTest : testing::Test {
  CrawlFilesTest() : ledger(Ledger::create(folder / "job", clock.now())) {}

  CrawlFilesOptions options(const std::string& name) {
    return {.folder = folder / name, .agent = "test"};
  }
  static WarcPlace write(CrawlFiles& files, const std::string& url) {
    Response response;
    response.url = url;
    response.status = 200;
    response.request_head = "GET / HTTP/1.1\r\n\r\n";
    return files.write(response, "HTTP/1.1 200 OK\r\n\r\n<p>" + url, {});
  }
  // What is on disk when a process ends without a good-bye.
  fs::path as_killed(const std::string& name, const std::string& copy) {
    fs::copy(folder / name, folder / copy);
    return folder / copy;
  }
  static std::set<std::string> names(const fs::path& in) {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(in)) found.insert(entry.path().filename());
    return found;
  }

  TemporaryFolder folder;
  SimulatedClock clock{Moment{1'628'899'200} * 1000};
  Ledger ledger;
};

TEST_F(CrawlFilesTest, WhatTheLedgerDoesNotKnowIsCutOff) {
  CrawlFiles files(options("warc"), clock, ledger);
  const WarcPlace first = write(files, "http://a.example/1");
  files.sync();
  const std::uint64_t counted = ledger.totals().warc_end;
  EXPECT_GT(counted, first.offset + first.length) << "the request stands behind its answer";
  const std::string known = read_file(folder / "warc" / (first.file + ".open"));
  write(files, "http://a.example/2");
  const fs::path killed = as_killed("warc", "killed");
  std::ofstream(killed / (first.file + ".open"), std::ios::app) << "and a torn record";

  const CrawlFiles again(options("killed"), clock, ledger);
  EXPECT_EQ(read_file(killed / first.file), known.substr(0, counted));
  EXPECT_FALSE(fs::exists(killed / (first.file + ".open")));
}

TEST_F(CrawlFilesTest, AFileThatNeverCountedIsTakenAway) {
  CrawlFiles files(options("warc"), clock, ledger);
  write(files, "http://a.example/1");
  const fs::path killed = as_killed("warc", "killed");
  ASSERT_EQ(names(killed).size(), 1U);
  const CrawlFiles again(options("killed"), clock, ledger);
  EXPECT_TRUE(names(killed).empty());
}

TEST_F(CrawlFilesTest, AJobThatGoesOnBeginsAnotherFile) {
  std::string first;
  {
    CrawlFiles files(options("warc"), clock, ledger);
    first = write(files, "http://a.example/1").file;
    files.close();
  }
  const std::string before = read_file(folder / "warc" / first);
  CrawlFiles again(options("warc"), clock, ledger);
  const WarcPlace second = write(again, "http://a.example/2");
  again.close();
  EXPECT_NE(second.file, first);
  EXPECT_EQ(names(folder / "warc"), (std::set<std::string>{first, second.file}));
  EXPECT_EQ(read_file(folder / "warc" / first), before);
}

TEST_F(CrawlFilesTest, AFileThatLostBytesIsNotPassedOver) {
  std::string name;
  {
    CrawlFiles files(options("warc"), clock, ledger);
    name = write(files, "http://a.example/1").file;
    files.close();
  }
  fs::resize_file(folder / "warc" / name, ledger.totals().warc_end - 1);
  EXPECT_THROW(CrawlFiles(options("warc"), clock, ledger), Error);
  fs::remove(folder / "warc" / name);
  EXPECT_THROW(CrawlFiles(options("warc"), clock, ledger), Error);
}

}  // namespace
}  // namespace webstrata
