// SPDX-License-Identifier: Apache-2.0

// CDX: one line per record of a WARC or ARC file, columns named by letters in a header line.
//
// The first byte of the header is the delimiter of the whole file: " CDX N b a m s k r M S V g".
// Lines without a header are interpreted by their number of columns: 7 as the Internet Archive's
// index server prints them, 9 and 11 as its tools write them, 10 in between, 14 as OutbackCDX does.
// Files that were joined with cat have a header in the middle; it applies from there on.
// Tested by tests/capture/cdx_reader_test.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "webstrata/capture/formats/index_words.h"
#include "webstrata/capture/formats/line_format_reader.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

bool is_cdx_header(std::string_view line) {
  return line.size() > 5 && line.substr(1, 3) == "CDX" && line[4] == line[0] &&
         (line[0] == ' ' || line[0] == '\t' || line[0] == '|' || line[0] == ',');
}

// One letter per column; empty for an unknown number of columns.
std::string_view letters_by_count(std::size_t column_count) {
  switch (column_count) {
    case 7:
      return "NbamskS";
    case 9:
      return "NbamskrVg";
    case 10:
      return "NbamskrMVg";
    case 11:
      return "NbamskrMSVg";
    case 14:
      return "NbamskrMSVg###";  // the last three describe a revisit's original
    default:
      return {};
  }
}

std::size_t column_count(std::string_view line, char delimiter) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), delimiter)) + 1;
}

bool is_date(std::string_view word) {
  return word.size() >= 14 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "urlkey 20150601120000 http://..." with a known number of columns.
bool is_line_without_header(std::string_view line) {
  if (letters_by_count(column_count(line, ' ')).empty()) return false;
  take_word(line, ' ');
  const std::string_view date = take_word(line, ' ');
  const std::string_view url = take_word(line, ' ');
  return is_date(date) && url.find(':') != std::string_view::npos;
}

// The word of a column's letter; null for columns that are not used.
// Where two letters mean the same, the one given first in the line wins.
std::string_view IndexWords::*word_of_letter(char letter) {
  switch (letter) {
    case 'a':
    case 'A':
      return &IndexWords::url;
    case 'b':
      return &IndexWords::time;
    case 'm':
      return &IndexWords::mime;
    case 's':
      return &IndexWords::status;
    case 'k':
    case 'c':
      return &IndexWords::digest;
    case 'r':
    case 'R':
      return &IndexWords::redirect;
    case 'V':
    case 'v':
      return &IndexWords::offset;
    case 'S':
      return &IndexWords::length;
    case 'g':
      return &IndexWords::file;
    default:
      return nullptr;
  }
}

class CdxReader : public LineFormatReader {
 public:
  using LineFormatReader::LineFormatReader;

 private:
  bool read_line(std::string_view line, std::uint64_t offset, Capture& capture) override {
    if (is_cdx_header(line)) {
      read_header(line);
      --record_count_;
      return false;
    }
    const std::size_t count = column_count(line, delimiter_);
    const std::string_view letters = letters_.empty() ? letters_by_count(count) : letters_;
    if (count != letters.size()) {
      tell_wrong_count(count, offset);
      return false;
    }
    return read_index_words(split(line, letters), context_, offset, url_, capture.sighting);
  }

  [[nodiscard]] bool is_whole_line(std::string_view text) const override {
    if (is_cdx_header(text)) return true;
    if (letters_.empty()) return is_line_without_header(text);
    if (column_count(text, delimiter_) != letters_.size()) return false;
    const IndexWords words = split(text, letters_);
    return is_date(words.time) && words.url.find(':') != std::string_view::npos;
  }

  void read_header(std::string_view line) {
    delimiter_ = line[0];
    letters_.clear();
    line.remove_prefix(5);
    while (!line.empty()) {
      const std::string_view word = take_word(line, delimiter_);
      letters_ += word.size() == 1 ? word[0] : '#';
    }
  }

  void tell_wrong_count(std::size_t count, std::uint64_t offset) {
    context_.report.damaged(
        offset, letters_.empty() ? fmt::format("{} columns, and no header that names them", count)
                                 : fmt::format("{} columns instead of {}", count, letters_.size()));
  }

  IndexWords split(std::string_view line, std::string_view letters) const {
    IndexWords words;
    for (const char letter : letters) {
      const std::string_view word = take_word(line, delimiter_);
      const auto member = word_of_letter(letter);
      if (member != nullptr && is_absent(words.*member)) words.*member = word;
    }
    return words;
  }

  char delimiter_ = ' ';
  std::string letters_;  // from the header; empty if there was none
};

}  // namespace

bool recognises_cdx(std::string_view first_bytes) {
  const std::string_view line = first_line(first_bytes);
  return is_cdx_header(line) || is_line_without_header(line);
}

std::unique_ptr<CaptureReader> open_cdx_reader(const ReadContext& context) {
  return std::make_unique<CdxReader>(context);
}

}  // namespace webstrata
