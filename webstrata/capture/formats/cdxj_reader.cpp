// SPDX-License-Identifier: Apache-2.0

// CDXJ: a key, a timestamp and a JSON object per line, as pywb, cdxj-indexer and Common Crawl
// write them: "org,example)/ 20150601120000 {"url": ..., "status": "200", ...}".
//
// The key is ignored: there are several dialects of it, and the object has the URL.
// Lines that begin with an exclamation mark are headers. Tested by
// tests/capture/cdxj_reader_test.cpp.

#include <algorithm>
#include <memory>
#include <string>

#include "webstrata/capture/formats/index_words.h"
#include "webstrata/capture/formats/json_line.h"
#include "webstrata/capture/formats/line_format_reader.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

struct CdxjLine {
  std::string_view key;
  std::string_view timestamp;
  std::string_view json;
};

CdxjLine split_cdxj(std::string_view line) {
  CdxjLine parts;
  parts.key = take_word(line, ' ');
  parts.timestamp = take_word(line, ' ');
  parts.json = line;
  return parts;
}

bool is_timestamp(std::string_view word) {
  return word.size() >= 4 && word.size() <= 17 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_cdxj(std::string_view line) {
  const CdxjLine parts = split_cdxj(line);
  return is_timestamp(parts.timestamp) && parts.json.starts_with('{');
}

bool is_cdxj_header(std::string_view line) { return line.front() == '!'; }

// Answers to POST and the like say nothing about the page that GET would show.
bool is_about_page(std::string_view method) {
  return method.empty() || method == "GET" || method == "HEAD";
}

class CdxjReader : public LineFormatReader {
 public:
  using LineFormatReader::LineFormatReader;

 private:
  bool read_line(std::string_view line, std::uint64_t offset, Capture& capture) override {
    if (is_cdxj_header(line)) {
      --record_count_;
      return false;
    }
    if (!is_cdxj(line)) {
      context_.report.damaged(offset, "not a CDXJ line: " + in_quotes(line));
      return false;
    }
    const CdxjLine parts = split_cdxj(line);
    if (!json_.parse(parts.json)) {
      context_.report.damaged(offset, "JSON: " + std::string(json_.error()));
      return false;
    }
    if (!is_about_page(json_.word("method"))) {
      context_.report.count("records of other methods than GET left out");
      return false;
    }
    capture.sighting.truncated = !is_absent(json_.word("truncated"));
    return read_index_words(words(parts.timestamp), context_, offset, url_, capture.sighting);
  }

  [[nodiscard]] bool is_whole_line(std::string_view text) const override {
    return !text.empty() && (is_cdxj_header(text) || (is_cdxj(text) && text.ends_with('}')));
  }

  IndexWords words(std::string_view timestamp) {
    IndexWords found;
    found.url = json_.word("url");
    found.time = timestamp;
    found.mime = json_.word("mime");
    found.status = json_.word("status");
    found.digest = json_.word("digest");
    found.redirect = json_.word("redirect");
    found.file = json_.word("filename");
    found.offset = json_.word("offset");
    found.length = json_.word("length");
    return found;
  }

  JsonLine json_;
};

}  // namespace

bool recognises_cdxj(std::string_view first_bytes) {
  std::string_view line = first_line(first_bytes);
  while (!line.empty() && is_cdxj_header(line)) {
    first_bytes.remove_prefix(static_cast<std::size_t>(line.data() - first_bytes.data()) +
                              line.size());
    line = first_line(first_bytes);
  }
  return is_cdxj(line);
}

std::unique_ptr<CaptureReader> open_cdxj_reader(const ReadContext& context) {
  return std::make_unique<CdxjReader>(context);
}

}  // namespace webstrata
