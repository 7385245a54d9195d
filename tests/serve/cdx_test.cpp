// SPDX-License-Identifier: Apache-2.0

// The index: what pywb and the Wayback Machine ask for. Keys from the vectors of `surt`.

#include "webstrata/serve/answers/cdx_query.h"

#include <gtest/gtest.h>

#include "tests/serve/small_web.h"

namespace webstrata::serve {
namespace {

// Spellings that an archive keeps apart and an index joins, with a gap in time.
std::vector<Capture> spelled_web() {
  std::vector<Capture> web = {
      page_seen("http://www.example.org/A", "2020-01-01", {}),
      page_seen("https://example.org/a", "2021-01-01", {}),
      page_seen("http://example.org/a", "2022-01-01", {}),
      page_seen("http://example.org/b", "2021-01-01", {}),
      page_seen("http://sub.example.org/", "2021-01-01", {}),
      page_seen("http://example.organic/", "2021-01-01", {}),
      page_gone("http://example.org/a", "2023-01-01"),
  };
  for (std::size_t i = 0; i < web.size(); ++i) {
    web[i].sighting.file = "x.warc.gz";
    web[i].sighting.offset = 100 * i;
    web[i].sighting.length = 50;
    web[i].sighting.digest = "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" + std::string(1, 'B' + i % 2);
  }
  return web;
}

struct IndexServer {
  IndexServer() {
    build_archive(folder / "lib.ws", spelled_web());
    archives.emplace(std::vector<ArchivePlace>{{"lib", folder / "lib.ws"}});
    service.emplace(*archives, runs, settings);
  }
  std::string ask(const std::string& query) {
    return whole_body(service->answer(get("/cdx?" + query)));
  }
  // The time stamps of the lines.
  std::string times(const std::string& query) {
    const std::string text = ask("output=text&fl=timestamp&" + query);
    std::string years;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      years += text.substr(at, 4) + " ";
    }
    return years;
  }

  TemporaryFolder folder;
  Settings settings;
  std::optional<Archives> archives;
  Runs runs;
  std::optional<Service> service;
};

TEST(Cdx, JoinsSpellingsInTheOrderOfTime) {
  IndexServer server;
  EXPECT_EQ(server.times("url=http://example.org/a"), "2020 2021 2022 2023 ");
  const std::string lines = server.ask("url=example.org/a&limit=1");
  EXPECT_EQ(lines,
            "org,example)/a 20200101000000 {\"url\":\"http://www.example.org/A\",\"mime\":"
            "\"text/html\",\"status\":\"200\",\"digest\":\"sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB\","
            "\"length\":\"50\",\"offset\":\"0\",\"filename\":\"x.warc.gz\"}\n");
}

TEST(Cdx, MatchesPrefixHostAndDomain) {
  IndexServer server;
  EXPECT_EQ(server.times("url=example.org/a*"), "2020 2021 2022 2023 ");
  EXPECT_EQ(server.times("url=example.org/&matchType=host"), "2020 2021 2022 2023 2021 ");
  EXPECT_EQ(server.times("url=*.example.org"), "2020 2021 2022 2023 2021 2021 ");
  EXPECT_EQ(server.times("url=unknown.example"), "");
}

TEST(Cdx, FiltersBeforeItCounts) {
  IndexServer server;
  EXPECT_EQ(server.times("url=example.org/a&filter=statuscode:200"), "2020 2021 2022 ");
  EXPECT_EQ(server.times("url=example.org/a&filter=!statuscode:200"), "2023 ");
  EXPECT_EQ(server.times("url=example.org/a&filter=%3Dstatus:404"), "2023 ");
  EXPECT_EQ(server.times("url=example.org/a&filter=~status:4.."), "2023 ");
  EXPECT_EQ(server.times("url=example.org/a&filter=statuscode:[45].."), "2023 ");
  EXPECT_EQ(server.times("url=example.org/a&from=2021&to=2022"), "2021 2022 ");
  EXPECT_EQ(server.times("url=example.org/a&filter=statuscode:200&limit=2&offset=1"), "2021 2022 ");
}

TEST(Cdx, SortsByNearnessAndBackwards) {
  IndexServer server;
  EXPECT_EQ(server.times("url=example.org/a&closest=20211201"), "2022 2021 2023 2020 ");
  EXPECT_EQ(server.times("url=example.org/a&sort=reverse&limit=1"), "2023 ");
}

TEST(Cdx, CollapsesNeighbours) {
  IndexServer server;
  EXPECT_EQ(server.times("url=example.org/a&collapse=timestamp:3"), "2020 ");
  EXPECT_EQ(server.times("url=*.example.org&collapse=urlkey"), "2020 2021 2021 ");
}

TEST(Cdx, ResumesWhereItStopped) {
  IndexServer server;
  const std::string first =
      server.ask("url=*.example.org&output=text&fl=timestamp&limit=2&showResumeKey=true");
  EXPECT_EQ(first, "20200101000000\n20210101000000\n\norg,example)/a 2\n");
  EXPECT_EQ(server.times("url=*.example.org&resumeKey=org,example)/a+2"), "2022 2023 2021 2021 ");
}

TEST(Cdx, CountsPagesOfWhatItWouldShow) {
  IndexServer server;
  EXPECT_EQ(server.ask("url=*.example.org&filter=statuscode:200&pageSize=2&showNumPages=true"),
            "3\n");
  EXPECT_EQ(server.times("url=*.example.org&filter=statuscode:200&pageSize=2&page=2"), "2021 ");
}

TEST(Cdx, RefusesWhatItDoesNotUnderstand) {
  IndexServer server;
  for (const char* query :
       {"", "url=a.example&filter=~statuscode:(", "url=a.example&filter=nothing:1",
        "url=a.example&fl=nothing", "url=a.example&limit=-5", "url=a.example&from=2015-13",
        "url=a.example&collapse=timestamp:x", "url=a.example&matchType=all",
        "url=a.example*&sort=reverse", "url=a.example&sort=closest",
        "url=a.example&resumeKey=nonsense"}) {
    const Response response = server.service->answer(get(std::string("/cdx?") + query));
    EXPECT_EQ(response.status, 400) << query;
  }
}

}  // namespace
}  // namespace webstrata::serve
