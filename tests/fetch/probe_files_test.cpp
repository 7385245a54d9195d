// SPDX-License-Identifier: Apache-2.0
#include "webstrata/fetch/probe/probe_files.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/temporary_folder.h"
#include "webstrata/base/file.h"
#include "webstrata/fetch/wire/simulated_web.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

struct ProbeFilesTest : testing::Test {
  static Response answer(const std::string& url) {
    Response response;
    response.url = url;
    response.status = 200;
    response.http_version = "1.1";
    response.request_head = "GET / HTTP/1.1\r\n\r\n";
    response.head = "HTTP/1.1 200 OK\r\n\r\n";
    response.body = std::string(5000, 'x') + url;
    return response;
  }
  Probed decided(const std::string& url) {
    Probed probed{.url = url, .judgement = {}, .decided = clock.now()};
    probed.judgement.outcome = Outcome::Alive;
    return probed;
  }
  // A run that is killed: its bytes exist, its descriptors are closed.
  void killed_run(const fs::path& into) {
    const fs::path writing = folder / "writing";
    {
      ProbeFiles files(writing, clock);
      files.write(answer("http://a.example/1"));
      files.write(answer("http://a.example/2"));
      files.write(decided("http://a.example/1"));
      files.sync();
      fs::create_directories(into);
      for (const auto& entry : fs::directory_iterator(writing)) {
        fs::copy_file(entry.path(), into / entry.path().filename());
      }
    }
    fs::remove_all(writing);
  }
  static std::set<std::string> names(const fs::path& in) {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(in)) found.insert(entry.path().filename());
    return found;
  }

  TemporaryFolder folder;
  SimulatedClock clock{Moment{1'628'899'200} * 1000};
  const std::string warc = "PROBE-20210814000000-00000-localhost.warc.gz";
  const std::string lines = "probes-20210814000000.jsonl";
};

TEST_F(ProbeFilesTest, FilesGetTheirNamesWhenTheyAreWhole) {
  ProbeFiles files(folder / "found", clock);
  files.write(answer("http://a.example/1"));
  files.write(decided("http://a.example/1"));
  files.sync();
  EXPECT_EQ(names(folder / "found"), (std::set{warc + ".open", lines + ".open"}));
  files.close();
  EXPECT_EQ(names(folder / "found"), (std::set{warc, lines}));
  EXPECT_EQ(files.names(), (std::vector{warc, lines}));
  // Within one second an archive prefers the answer, so the outcome is dated one second later.
  EXPECT_EQ(read_file(folder / "found" / lines),
            "{\"url\":\"http://a.example/1\",\"time\":\"2021-08-14T00:00:01Z\",\"kind\":\"probe\","
            "\"outcome\":\"alive\"}\n");
}

TEST_F(ProbeFilesTest, RunsOfOneSecondHaveFilesOfTheirOwn) {
  for (int run = 0; run < 3; ++run) {
    ProbeFiles files(folder / "found", clock);
    files.write(answer("http://a.example/1"));
    files.write(decided("http://a.example/1"));
    files.close();
  }
  EXPECT_EQ(names(folder / "found").size(), 6U);
}

TEST_F(ProbeFilesTest, WhatAKilledRunLeftIsCompleted) {
  killed_run(folder / "found");
  const std::string whole = read_file(folder / "found" / (warc + ".open"));
  const WholeMembers members = whole_members(folder / "found" / (warc + ".open"));
  EXPECT_EQ(members.bytes, whole.size());
  EXPECT_EQ(members.count, 5U);  // warcinfo, two responses, two requests
  const ProbeFiles files(folder / "found", clock);
  EXPECT_EQ(names(folder / "found"), (std::set{warc, lines}));
  EXPECT_EQ(files.names(), (std::vector{warc, lines}));
  EXPECT_EQ(read_file(folder / "found" / warc), whole);
}

// Cut at every byte: the complete members before it stay, and nothing else.
TEST_F(ProbeFilesTest, WhatIsNotWholeIsCutOff) {
  killed_run(folder / "found");
  const std::string all = read_file(folder / "found" / (warc + ".open"));
  const std::string line = read_file(folder / "found" / (lines + ".open"));
  std::uint64_t records = 0;
  for (std::size_t size = 0; size <= all.size(); ++size) {
    const fs::path cut = folder / "cut";
    fs::create_directories(cut);
    write_file(cut / (warc + ".open"), all.substr(0, size));
    write_file(cut / (lines + ".open"), line.substr(0, std::min(size, line.size())));
    const std::vector<std::string> completed = complete_left(cut);
    if (fs::exists(cut / warc)) {
      const WholeMembers members = whole_members(cut / warc);
      EXPECT_EQ(members.bytes, fs::file_size(cut / warc));
      EXPECT_GE(members.count, std::max<std::uint64_t>(records, 2));
      EXPECT_EQ(read_file(cut / warc), all.substr(0, members.bytes));
      records = members.count;
    } else {
      EXPECT_LT(records, 2U);
    }
    EXPECT_EQ(fs::exists(cut / lines), size >= line.size());
    EXPECT_EQ(names(cut).size(), completed.size());
    fs::remove_all(cut);
  }
  EXPECT_EQ(records, 5U);
}

TEST_F(ProbeFilesTest, WhatAnotherWritesIsLeftAlone) {
  ProbeFiles other(folder / "found", clock);
  other.write(answer("http://a.example/1"));
  other.write(decided("http://a.example/1"));
  other.sync();
  const ProbeFiles files(folder / "found", clock);
  EXPECT_TRUE(files.names().empty());
  EXPECT_EQ(names(folder / "found"), (std::set{warc + ".open", lines + ".open"}));
  other.close();
  EXPECT_EQ(names(folder / "found"), (std::set{warc, lines}));
}

TEST_F(ProbeFilesTest, AFinishedFileIsNeverReplaced) {
  killed_run(folder / "found");
  write_file(folder / "found" / warc, "finished before");
  const std::vector<std::string> completed = complete_left(folder / "found");
  EXPECT_EQ(read_file(folder / "found" / warc), "finished before");
  ASSERT_EQ(completed.size(), 2U);
  EXPECT_EQ(completed[0], warc.substr(0, warc.find('.')) + "-1" + warc.substr(warc.find('.')));
  EXPECT_EQ(whole_members(folder / "found" / completed[0]).count, 5U);
}

TEST_F(ProbeFilesTest, FilesOfOthersAreNotTouched) {
  fs::create_directories(folder / "found");
  for (const char* name : {"CRAWL-1.warc.gz.open", "notes.open", "probes-x.jsonl"}) {
    write_file(folder / "found" / name, "x");
  }
  EXPECT_TRUE(complete_left(folder / "found").empty());
  EXPECT_EQ(names(folder / "found").size(), 3U);
}

}  // namespace
}  // namespace webstrata
