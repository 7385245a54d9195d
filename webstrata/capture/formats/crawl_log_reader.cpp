// SPDX-License-Identifier: Apache-2.0

// Heritrix's crawl.log: one line per URI that was tried, columns by white space:
//
//   1 time written   2 fetch status   3 size   4 URI   5 discovery path   6 via   7 MIME
//   8 thread   9 begin+duration   10 digest   11 source tag   12 annotations   [13 JSON]
//
// Status is HTTP's or one of Heritrix's negative codes, so that a log also has hosts that did not
// answer. The time of the sighting is column 9, which is the WARC-Date of the record; where nothing
// was fetched, column 1. Tested by tests/capture/crawl_log_reader_test.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "webstrata/capture/formats/index_words.h"
#include "webstrata/capture/formats/json_line.h"
#include "webstrata/capture/formats/line_format_reader.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

constexpr std::size_t kColumnsNeeded = 4;      // enough for a fact
constexpr std::size_t kColumnsRecognised = 9;  // what every version of Heritrix writes

struct LogLine {
  std::size_t count = 0;
  std::array<std::string_view, 12> columns;
  std::string_view extra;  // the JSON of column 13

  [[nodiscard]] std::string_view written() const { return columns[0]; }
  [[nodiscard]] std::string_view status() const { return columns[1]; }
  [[nodiscard]] std::string_view uri() const { return columns[3]; }
  [[nodiscard]] std::string_view mime() const { return columns[6]; }
  [[nodiscard]] std::string_view begun() const { return columns[8]; }
  [[nodiscard]] std::string_view digest() const { return columns[9]; }
  [[nodiscard]] std::string_view annotations() const { return columns[11]; }
};

LogLine split_log(std::string_view line) {
  constexpr std::string_view kWhiteSpace = " \t";
  LogLine found;
  for (;;) {
    const std::size_t start = line.find_first_not_of(kWhiteSpace);
    if (start == std::string_view::npos) return found;
    line.remove_prefix(start);
    if (found.count == found.columns.size()) {
      found.extra = line;
      return found;
    }
    const std::size_t end = std::min(line.find_first_of(kWhiteSpace), line.size());
    found.columns[found.count++] = line.substr(0, end);
    line.remove_prefix(end);
  }
}

// "20161016214133017+123" without the duration.
std::string_view fetch_time(const LogLine& line) {
  const std::string_view begun = line.begun().substr(0, line.begun().find('+'));
  return is_absent(begun) ? line.written() : begun;
}

bool is_truncated(std::string_view annotations) {
  constexpr std::array<std::string_view, 4> kTruncations = {"lenTrunc", "timeTrunc", "headerTrunc",
                                                            "midFetchTrunc"};
  while (!annotations.empty()) {
    const std::string_view word = take_word(annotations, ',');
    if (std::find(kTruncations.begin(), kTruncations.end(), word) != kTruncations.end()) {
      return true;
    }
  }
  return false;
}

class CrawlLogReader : public LineFormatReader {
 public:
  using LineFormatReader::LineFormatReader;

 private:
  bool read_line(std::string_view text, std::uint64_t offset, Capture& capture) override {
    const LogLine line = split_log(text);
    if (line.count < kColumnsNeeded) {
      context_.report.damaged(offset, fmt::format("{} columns; a crawl log has at least {}",
                                                  line.count, kColumnsNeeded));
      return false;
    }
    capture.sighting.truncated = is_truncated(line.annotations());
    return read_index_words(words(line), context_, offset, url_, capture.sighting);
  }

  IndexWords words(const LogLine& line) {
    IndexWords found;
    found.url = line.uri();
    found.time = fetch_time(line);
    found.mime = line.mime();
    found.status = line.status();
    found.digest = line.digest();
    if (line.extra.starts_with('{') && json_.parse(line.extra)) {
      found.file = json_.word("warcFilename");
      found.offset = json_.word("warcFileOffset");
    }
    return found;
  }

  JsonLine json_;
};

}  // namespace

bool recognises_crawl_log(std::string_view first_bytes) {
  const LogLine line = split_log(first_line(first_bytes));
  return line.count >= kColumnsRecognised && parse_time_leniently(line.written()) &&
         parse_number<std::int16_t>(line.status()) &&
         line.uri().find(':') != std::string_view::npos;
}

std::unique_ptr<CaptureReader> open_crawl_log_reader(const ReadContext& context) {
  return std::make_unique<CrawlLogReader>(context);
}

}  // namespace webstrata
