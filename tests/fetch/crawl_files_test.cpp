// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/crawl/crawl_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/fetch/wire/simulated_web.h"

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
  // What is on disk when a process is killed.
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

  const std::string whole = read_file(killed / (first.file + ".open"));
  const CrawlFiles again(options("killed"), clock, ledger);
  EXPECT_EQ(read_file(killed / first.file), known.substr(0, counted));
  EXPECT_FALSE(fs::exists(killed / (first.file + ".open")));
  ASSERT_EQ(again.moved_aside().size(), 1U);
  EXPECT_EQ(read_file(again.moved_aside().front()), whole.substr(counted)) << "no byte is lost";
}

TEST_F(CrawlFilesTest, AFileThatNeverCountedIsMovedAside) {
  CrawlFiles files(options("warc"), clock, ledger);
  const std::string name = write(files, "http://a.example/1").file;
  const fs::path killed = as_killed("warc", "killed");
  const std::string bytes = read_file(killed / (name + ".open"));
  ASSERT_EQ(names(killed).size(), 1U);
  {
    CrawlFiles again(options("killed"), clock, ledger);
    EXPECT_TRUE(names(killed).empty());
    EXPECT_EQ(again.moved_aside(), (std::vector<fs::path>{folder / "aside" / (name + ".open")}));
    EXPECT_EQ(read_file(again.moved_aside().front()), bytes);
    EXPECT_NE(write(again, "http://a.example/2").file, name) << "a serial number is used once";
  }
  // A second kill at the same moment of the same clock.
  fs::remove_all(killed);
  as_killed("warc", "killed");
  const CrawlFiles third(options("killed"), clock, ledger);
  EXPECT_EQ(names(folder / "aside").size(), 2U) << "neither replaces the other";
}

// Names sort by prefix and date; serial numbers and charges say what counts.
struct FinishedFilesTest : CrawlFilesTest {
  // One run of a job: an answer, counted and charged, and the end. Returns the file's name.
  std::string run(const std::string& prefix, const std::string& url) {
    CrawlFilesOptions own = options("warc");
    own.prefix = prefix;
    CrawlFiles files(own, clock, ledger);
    ledger.set_rules({.delay_ms = 0}, {});
    const UrlNumber page = *ledger.add(url, {});
    // Each has a host of its own: the clock of a running job is never set back.
    const std::string host = "h" + std::to_string(page) + ".example";
    const auto charge = ledger.lease({.url = page, .host = host}, clock.now());
    const WarcPlace place = write(files, url);
    files.sync();
    ledger.settle(*charge, {.status = 200, .file = place.file, .offset = place.offset},
                  clock.now());
    ledger.commit(clock.now());
    files.close();
    contents[place.file] = read_file(folder / "warc" / place.file);
    return place.file;
  }
  void expect_all_there() {
    for (const auto& [name, bytes] : contents) {
      ASSERT_TRUE(fs::exists(folder / "warc" / name)) << name;
      EXPECT_EQ(read_file(folder / "warc" / name), bytes) << name;
    }
    EXPECT_FALSE(fs::exists(folder / "aside"));
  }
  std::map<std::string, std::string> contents;
};

TEST_F(FinishedFilesTest, OutliveAClockThatIsSetBack) {
  run("WEBSTRATA", "http://a.example/1");
  for (const int seconds : {-3600, -7200, 1, -86'400, 0}) {
    clock.set(clock.now() + Moment{seconds} * 1000);
    run("WEBSTRATA", "http://a.example/after" + std::to_string(seconds));
    expect_all_there();
  }
  EXPECT_EQ(contents.size(), 6U);
}

TEST_F(FinishedFilesTest, OutliveOtherPrefixes) {
  for (const char* prefix : {"B", "A", "B", "C-20990101000000-99999", "A"}) {
    run(prefix, std::string("http://a.example/") + std::to_string(contents.size()));
    expect_all_there();
  }
  EXPECT_EQ(contents.size(), 5U);
}

// The ledger of an old copy may have assigned fewer numbers than there are files.
TEST_F(FinishedFilesTest, AreKeptIfAChargeNamesThemWhateverTheirNumber) {
  const std::string first = run("B", "http://a.example/1");
  const std::string second = run("A", "http://a.example/2");
  ledger.set_warc_mark(first, fs::file_size(folder / "warc" / first), 1);
  run("A", "http://a.example/3");
  expect_all_there();
  fs::rename(folder / "warc" / second, folder / "warc" / (second + ".open"));
  ledger.set_warc_mark(first, fs::file_size(folder / "warc" / first), 0);
  run("A", "http://a.example/4");
  expect_all_there();
}

TEST_F(FinishedFilesTest, FilesOfOthersAreLeftAlone) {
  run("A", "http://a.example/1");
  for (const char* name :
       {"notes.txt", "zzz.warc.gz", "Z-1-99999-localhost.warc.gz", "Z.warc.gz.open", ".open",
        "Z-20990101000000-x9999-localhost.warc.gz", "-20990101000000-99999-elsewhere.warc.gz"}) {
    std::ofstream(folder / "warc" / name) << name;
    contents[name] = name;
  }
  run("A", "http://a.example/2");
  expect_all_there();
}

TEST_F(CrawlFilesTest, APrefixIsANameAndNotAPath) {
  for (const char* prefix : {"A", "WEBSTRATA", "a-b_c.d9", "2026"}) {
    EXPECT_TRUE(is_file_prefix(prefix)) << prefix;
  }
  for (const std::string& prefix :
       {std::string(), std::string("../x"), std::string("a/b"), std::string("/tmp/x"),
        std::string(".hidden"), std::string("-q"), std::string("a b"), std::string("a\nb"),
        std::string("a\0b", 3), std::string("\x1b[31m"), std::string(101, 'a')}) {
    EXPECT_FALSE(is_file_prefix(prefix)) << prefix;
    CrawlFilesOptions own = options("warc");
    own.prefix = prefix;
    EXPECT_THROW(CrawlFiles(own, clock, ledger), Error) << prefix;
  }
  EXPECT_FALSE(fs::exists(folder / "warc")) << "a folder was made for a wrong name";
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
