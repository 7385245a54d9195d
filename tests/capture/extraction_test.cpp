// SPDX-License-Identifier: Apache-2.0

// The result must be the same for any number of threads and any cut into parts; the reference is
// one thread and one part.

#include "webstrata/capture/extraction.h"

#include <gtest/gtest.h>

#include <utility>

#include "compressing.h"
#include "tests/temporary_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/random.h"

namespace webstrata {
namespace {

class ExtractionTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    write_file(folder_ / name, bytes);
    return (folder_ / name).string();
  }

  struct Result {
    std::string lines;
    std::vector<InputSummary> summaries;
  };
  static Result run(const std::vector<std::string>& paths, unsigned threads,
                    std::uint64_t part_bytes, LineFormat format = LineFormat::Jsonl) {
    ParallelOptions parallel;
    parallel.work.threads = threads;
    parallel.part_bytes = part_bytes;
    Result result;
    result.summaries = extract(paths, {}, {format, Dialect::Pywb, true}, parallel,
                               [&](std::string_view lines) { result.lines += lines; });
    return result;
  }

  TemporaryFolder folder_;
};

std::string told(const Report& report) {
  std::string text = fmt::format("resynchronised {}\n", report.resynchronised_count());
  for (const Damage& damage : report.damages()) {
    text += fmt::format("{} {}\n", damage.offset, damage.reason);
  }
  for (const auto& [what, times] : report.counts()) text += fmt::format("{} {}\n", what, times);
  return text;
}

// A crawl of many small pages with everything in it that could confuse a cut: requests, revisits,
// stored WARCs, damage.
std::string confusing_crawl(bool compressed, std::uint64_t seed) {
  Random random(seed);
  std::string bytes;
  const auto put = [&](const std::string& record) {
    bytes += compressed ? gzip_member(record) : record;
  };
  put(page_record("http://a.example/", "first"));
  for (int i = 0; i < 400; ++i) {
    const std::string url = fmt::format("http://a.example/{}", random.below(100));
    const std::string body =
        fmt::format("<a href=/{}>x</a>{}", i, std::string(random.below(2000), 'x'));
    switch (random.below(8)) {
      case 0:
        put(warc_record("request", url, "POST / HTTP/1.1\r\n\r\n"));
        [[fallthrough]];
      case 1:
        put(warc_record(
            "revisit", url, "HTTP/1.1 200 OK\r\n\r\n",
            "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\r\n"));
        break;
      case 2:
        put(warc_record("resource", url,
                        page_record("http://inner.example/", body) +
                            page_record("http://inner.example/2", body)));
        break;
      case 3:
        put(warc_record("resource", url, gzip_member(page_record("http://inner.example/z", body))));
        break;
      case 4:
        bytes += "junk that is no record\n";
        break;
      default:
        put(page_record(url, body));
        put(warc_record("request", url, "GET / HTTP/1.1\r\n\r\n"));
    }
  }
  return bytes;
}

TEST_F(ExtractionTest, DependsNeitherOnThreadsNorOnParts) {
  for (const bool compressed : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const std::vector<std::string> paths = {
          write("one.warc", confusing_crawl(compressed, seed)),
          write("two.warc", confusing_crawl(compressed, seed + 100))};
      const Result expected = run(paths, 1, 1 << 30);
      ASSERT_GT(expected.lines.size(), 10000U);
      for (const unsigned threads : {1U, 2U, 5U}) {
        for (const std::uint64_t part : {700U, 5000U, 40000U}) {
          const Result result = run(paths, threads, part);
          ASSERT_EQ(result.lines, expected.lines)
              << "seed " << seed << " compressed " << compressed << " part " << part;
          for (std::size_t i = 0; i < paths.size(); ++i) {
            EXPECT_EQ(result.summaries[i].records, expected.summaries[i].records);
            EXPECT_EQ(told(result.summaries[i].report), told(expected.summaries[i].report));
          }
        }
      }
    }
  }
}

TEST_F(ExtractionTest, RevisitsShowTheLinksOfTheirOriginal) {
  const std::string page = page_record("http://a.example/", "<a href=/x>x</a>");
  const std::string digest = "WARC-Payload-Digest: sha1:ABC\r\n";
  const std::string original =
      warc_record("response", "http://a.example/", http_page("<a href=/x>x</a>"), digest,
                  "2021-08-14T00:00:00Z");
  const std::string same = warc_record("revisit", "http://a.example/", "", digest);
  const auto first = write("first.warc.gz", gzip_member(original));
  const auto second = write("second.warc.gz", gzip_member(same));
  for (const auto& paths : {std::vector{first, second}, std::vector{second, first}}) {
    const Result result = run(paths, 2, 1 << 20);
    std::size_t links = 0;
    for (std::size_t at = 0;
         (at = result.lines.find("http://a.example/x", at)) != std::string::npos; ++at)
      ++links;
    EXPECT_EQ(links, 2U) << result.lines;
  }
  EXPECT_EQ(run({second}, 2, 1 << 20).lines.find("\"links\""), std::string::npos);
}

TEST_F(ExtractionTest, AnInputThatCannotBeReadDoesNotStopTheOthers) {
  const auto good = write("good.warc", page_record("http://a.example/", "x"));
  const auto junk = write("junk", "nothing that anybody knows\n");
  const auto empty = write("empty", "");
  const Result result =
      run({(folder_ / "missing").string(), junk, good, empty, folder_.path().string()}, 2, 1 << 20);
  EXPECT_NE(result.summaries[0].error.find("missing"), std::string::npos);
  EXPECT_NE(result.summaries[1].error.find("unrecognised format"), std::string::npos);
  EXPECT_EQ(result.summaries[2].error, "");
  EXPECT_EQ(result.summaries[2].captures, 1U);
  EXPECT_NE(result.summaries[3].error.find("is empty"), std::string::npos);
  EXPECT_NE(result.summaries[4].error.find("folder"), std::string::npos);
}

// Neither the compression nor the format is recognised then: all records of the file were lost.
TEST_F(ExtractionTest, ADestroyedStartCostsTheFirstRecordOnly) {
  using Pack = std::string (*)(std::string_view);
  const std::pair<std::string_view, Pack> packs[] = {
      {"plain", [](std::string_view bytes) { return std::string(bytes); }},
      {"gzip", gzip_member},
      {"zstd", [](std::string_view bytes) { return zstd_frame(bytes); }},
      {"lz4", lz4_frame}};
  for (const auto& [name, pack] : packs) {
    const std::string first = pack(page_record("http://a.example/1", "<a href=/x>x</a>"));
    const std::string rest = pack(page_record("http://a.example/2", "<a href=/y>y</a>")) +
                             pack(page_record("http://a.example/3", "<a href=/z>z</a>"));
    for (const std::size_t destroyed : {std::size_t{1}, std::size_t{12}, first.size() - 4}) {
      const std::string bytes = std::string(destroyed, '?') + first.substr(destroyed) + rest;
      const Result result = run({write("crawl", bytes)}, 2, 1 << 20);
      const InputSummary& summary = result.summaries[0];
      const auto what = fmt::format("{}, {} bytes destroyed", name, destroyed);
      EXPECT_EQ(summary.error, "") << what;
      EXPECT_EQ(summary.format, "warc") << what;
      EXPECT_EQ(summary.captures, 2U) << what;
      ASSERT_EQ(summary.report.damage_count(), 1U) << what;
      EXPECT_EQ(summary.report.damages()[0].offset, 0U) << what;
      EXPECT_EQ(summary.report.resynchronised_count(), 1U) << what;
      EXPECT_NE(result.lines.find(fmt::format("\"offset\":{},", first.size())), std::string::npos)
          << what << "\n"
          << result.lines;
    }
  }
}

TEST_F(ExtractionTest, ADestroyedStartInsideOneStreamCostsTheFirstRecordOnly) {
  std::string text =
      page_record("http://a.example/1", "x") + page_record("http://a.example/2", "y");
  text[0] = '?';
  const Result result = run({write("crawl.gz", gzip_member(text))}, 2, 1 << 20);
  EXPECT_EQ(result.summaries[0].error, "");
  EXPECT_EQ(result.summaries[0].captures, 1U);
  EXPECT_EQ(result.summaries[0].report.damage_count(), 1U);
}

TEST_F(ExtractionTest, TextAboutWarcIsNoWarc) {
  const std::vector<std::string> texts = {
      "How to write a WARC:\nWARC/1.0\nis the first line of each record.\n",
      "unknown" + gzip_member("WARC/1.0\r\nno type\r\n\r\n") + gzip_member("text")};
  for (const std::string& text : texts) {
    const Result result = run({write("text", text)}, 1, 1 << 20);
    EXPECT_NE(result.summaries[0].error.find("unrecognised format"), std::string::npos);
    EXPECT_EQ(result.lines, "");
  }
}

TEST_F(ExtractionTest, AnErrorOfTheOutputEndsEverything) {
  const auto path = write("crawl.warc", confusing_crawl(false, 9));
  ParallelOptions parallel;
  parallel.work.threads = 2;
  EXPECT_THROW(extract({path, path, path}, {}, {}, parallel,
                       [](std::string_view) { throw Error(ErrorKind::Io, "disk full"); }),
               Error);
}

TEST_F(ExtractionTest, CancellingStops) {
  const auto path = write("crawl.warc", confusing_crawl(false, 9));
  CancelToken token;
  token.cancel();
  ParallelOptions parallel;
  parallel.work.cancel = &token;
  EXPECT_THROW(extract({path}, {}, {}, parallel, [](std::string_view) {}), Error);
}

}  // namespace
}  // namespace webstrata
