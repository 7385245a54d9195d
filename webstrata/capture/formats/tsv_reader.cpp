// SPDX-License-Identifier: Apache-2.0

// Two kinds of tables with tabs, distinguished by the third column of each line:
//
//   source  time  target  target ...        a capture: all links of the source at that time
//   url  time  status  digest  length       a sighting; status is a number or "-"
//
// Time is 14 digits (17 with milliseconds). A line that ends after the time is a capture without
// links. A header that begins with "url" or "source" is skipped.
// Tested by tests/capture/tsv_reader_test.cpp.

#include <algorithm>
#include <memory>
#include <string>

#include "webstrata/capture/formats/index_words.h"
#include "webstrata/capture/formats/line_format_reader.h"
#include "webstrata/capture/record/link_collector.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

bool is_tsv_header(std::string_view line) {
  return line.starts_with("url\t") || line.starts_with("source\t");
}

bool is_full_timestamp(std::string_view word) {
  return (word.size() == 14 || word.size() == 17) &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_status(std::string_view word) {
  return word == "-" || parse_number<std::int16_t>(word).has_value();
}

class TsvReader : public LineFormatReader {
 public:
  explicit TsvReader(const ReadContext& context)
      : LineFormatReader(context), collector_(context_.options, context_.report) {}

 private:
  bool read_line(std::string_view line, std::uint64_t offset, Capture& capture) override {
    if (is_tsv_header(line)) {
      --record_count_;
      return false;
    }
    IndexWords words;
    words.url = take_word(line, '\t');
    words.time = take_word(line, '\t');
    if (!is_full_timestamp(words.time)) {
      context_.report.damaged(offset, "no time of 14 digits in the second column");
      return false;
    }
    if (!is_status(line.substr(0, line.find('\t')))) {
      return read_index_words(words, context_, offset, url_, capture.sighting) &&
             read_links(line, capture);
    }
    words.status = take_word(line, '\t');
    words.digest = take_word(line, '\t');
    if (!read_index_words(words, context_, offset, url_, capture.sighting)) return false;
    return read_length(take_word(line, '\t'), offset, capture.sighting);
  }

  // The length is that of the page, wherever it is stored: the line's own offset does not belong to
  // it.
  bool read_length(std::string_view word, std::uint64_t offset, Sighting& sighting) {
    if (is_absent(word)) return true;
    sighting.offset.reset();
    sighting.length = parse_number<std::uint64_t>(word);
    if (sighting.length) return true;
    context_.report.damaged(offset, "not a length: " + in_quotes(word));
    return false;
  }

  bool read_links(std::string_view line, Capture& capture) {
    capture.sighting.kind = SightingKind::Response;
    if (!url_.is_web()) return true;            // nothing can be resolved against it
    capture.sighting.outcome = Outcome::Alive;  // its links were seen
    capture.links_known = true;
    collector_.begin(url_, capture.links);
    while (!line.empty()) {
      const std::string_view target = take_word(line, '\t');
      if (!target.empty()) collector_.add(target, LinkKind::Navigation);
    }
    collector_.end();
    return true;
  }

  LinkCollector collector_;
};

}  // namespace

bool recognises_tsv(std::string_view first_bytes) {
  std::string_view line = first_line(first_bytes);
  if (is_tsv_header(line)) {
    first_bytes.remove_prefix(static_cast<std::size_t>(line.data() - first_bytes.data()) +
                              line.size());
    line = first_line(first_bytes);
  }
  const std::string_view url = take_word(line, '\t');
  return url.find("://") != std::string_view::npos && is_full_timestamp(take_word(line, '\t'));
}

std::unique_ptr<CaptureReader> open_tsv_reader(const ReadContext& context) {
  return std::make_unique<TsvReader>(context);
}

}  // namespace webstrata
