// SPDX-License-Identifier: Apache-2.0
#include "webstrata/capture/wacz_writer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../temporary_folder.h"
#include "reading.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/capture/warc_index.h"
#include "webstrata/capture/warc_writer.h"

namespace webstrata {
namespace {

constexpr Time kTime = 1767225600;  // 2026-01-01

std::string page(const std::string& title) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>" + title + "</title>";
}

// Two files with two pages each.
std::vector<std::filesystem::path> write_crawl(const std::filesystem::path& folder) {
  WarcWriter writer(
      {.folder = folder, .file_bytes_max = 1, .seed = 1, .clock = [] { return kTime; }});
  for (const char* name : {"d", "b", "c", "a"}) {
    const std::string url = std::string("http://example.org/") + name;
    writer.write_response({.url = url, .time = kTime, .http = page(name)});
  }
  writer.close();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

TEST(WarcIndex, LinesAreSortedAndMergedInOrder) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "warc");
  std::vector<std::filesystem::path> indexes;
  for (const auto& warc : write_crawl(folder / "warc")) {
    indexes.push_back(folder / index_name_of(warc));
    write_warc_index(warc, indexes.back());
    EXPECT_TRUE(std::ranges::is_sorted(lines_in(read_file(indexes.back()))));
  }
  ASSERT_EQ(indexes.size(), 4U);
  std::vector<std::string> lines;
  merge_indexes(indexes, [&](std::string_view line) { lines.emplace_back(line); });
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(lines));
  EXPECT_TRUE(
      lines[0].starts_with("org,example)/a 20260101000000 {\"url\":\"http://example.org/a\""))
      << lines[0];
  EXPECT_TRUE(lines[0].find("-00003-localhost.warc.gz") != std::string::npos) << lines[0];
}

TEST(WarcIndex, ADamagedFileHasNoIndex) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "warc");
  const auto warc = write_crawl(folder / "warc").front();
  const std::string bytes = read_file(warc);
  write_file(warc, bytes.substr(0, bytes.size() - 9));
  EXPECT_THROW(write_warc_index(warc, folder / "a.cdxj"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.cdxj"));
}

TEST(WaczWriter, PacksWhatItsOwnReaderFinds) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "warc");
  WaczOptions options;
  options.created = kTime;
  options.warcs = write_crawl(folder / "warc");
  for (const auto& warc : options.warcs) {
    options.indexes.push_back(folder / index_name_of(warc));
    write_warc_index(warc, options.indexes.back());
  }
  std::filesystem::create_directory(folder / "crawl.wacz.parts");  // what a kill left
  write_file(folder / "crawl.wacz.parts" / "rest", "x");
  const WaczSummary summary = write_wacz(folder / "crawl.wacz", options);
  EXPECT_EQ(summary.pages, 4U);
  EXPECT_EQ(summary.index_lines, 4U);
  EXPECT_FALSE(std::filesystem::exists(folder / "crawl.wacz.parts"));
  const std::string bytes = read_file(folder / "crawl.wacz");
  const Reading reading = read_bytes(bytes);
  EXPECT_EQ(reading.format, "wacz");
  EXPECT_EQ(reading.captures.size(), 4U);
  EXPECT_EQ(reading.report.damage_count(), 0U);
  EXPECT_NE(bytes.find(R"("url":"http://example.org/b","ts":"2026-01-01T00:00:00Z","title":"b")"),
            std::string::npos);
  EXPECT_NE(bytes.find(R"("wacz_version":"1.1.1","software":"webstrata/)"), std::string::npos);
  EXPECT_THROW(write_wacz(folder / "none.wacz", {}), Error);
}

}  // namespace
}  // namespace webstrata
