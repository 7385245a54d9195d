// SPDX-License-Identifier: Apache-2.0

// ARC 1 and 2, the Internet Archive's format before WARC (Burner and Kahle 1996).
//
//   http://example.org/ 192.0.2.1 20080430204825 text/html 1234\n
//   ... 1234 bytes: an HTTP answer ...\n
//
// The first record, filedesc://, names the version and the fields of every header line. Version 2
// adds status, checksum, location, offset and file name before the length. URLs in real files
// contain spaces, so a line is parsed from its right end. Where a header line is missing, the next
// text that looks like one is searched for.
// Tested by tests/capture/arc_reader_test.cpp and tests/capture/warc_corpus_test.py;
// fuzz/arc_fuzz.cpp.

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "webstrata/capture/http/http_capture.h"
#include "webstrata/capture/record/reader.h"
#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {

bool recognises_arc(std::string_view first_bytes);
std::unique_ptr<CaptureReader> open_arc_reader(const ReadContext& context);

namespace {

constexpr std::size_t kLineMax = 70000;
constexpr std::size_t kContentMax = std::size_t{48} << 20;

struct ArcHeader {
  std::string url;
  std::string time;
  std::string mime;
  std::string status;  // version 2
  std::string digest;  // version 2
  std::uint64_t content_size = 0;
};

bool is_digits(std::string_view word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "http:", "dns:", "filedesc:": a header line begins with a scheme.
bool begins_with_scheme(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 12) return false;
  return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// Removes the last word from the line; empty if none is left.
std::string_view take_last_word(std::string_view& line) {
  const std::size_t space = line.rfind(' ');
  if (space == std::string_view::npos) return {};
  const std::string_view word = line.substr(space + 1);
  line = line.substr(0, space);
  return word;
}

bool is_address(std::string_view word) {
  return word.find_first_not_of("0123456789.:abcdefABCDEF") == std::string_view::npos ||
         word == "-";
}

// Reads the words before the length: "URL IP date mime". The type itself may contain spaces.
bool read_version_1(std::string_view line, ArcHeader& header) {
  std::string_view rest = line;
  std::string_view mime = take_last_word(rest);
  while (true) {
    const std::string_view time = take_last_word(rest);
    if (time.empty()) return false;
    const bool is_time = is_digits(time) && time.size() >= 8 && time.size() <= 17;
    if (!is_time) {
      mime = std::string_view(time.data(), static_cast<std::size_t>(mime.end() - time.data()));
      continue;
    }
    const std::string_view address = take_last_word(rest);
    if (address.empty() || !is_address(address)) return false;
    header.url = rest;
    header.time = time;
    header.mime = mime;
    return true;
  }
}

// "URL IP date mime status checksum location offset filename", read from the right.
bool read_version_2(std::string_view line, ArcHeader& header) {
  std::array<std::string_view, 5> words;  // filename, offset, location, checksum, status
  for (std::string_view& word : words) word = take_last_word(line);
  if (words[4].empty() || !read_version_1(line, header)) return false;
  header.digest = words[3];
  header.status = words[4];
  return true;
}

bool parse_header(std::string_view line, int version, ArcHeader& header) {
  if (!begins_with_scheme(line)) return false;
  const auto size = parse_number<std::uint64_t>(take_last_word(line));
  constexpr std::uint64_t kSizeMax = std::uint64_t{1} << 50;
  if (!size || *size > kSizeMax) return false;
  header = {};
  header.content_size = *size;
  return (version == 2 && read_version_2(line, header)) || read_version_1(line, header);
}

class ArcReader : public CaptureReader {
 public:
  explicit ArcReader(const ReadContext& context)
      : context_(context), http_(context_.options, context_.report) {}

  bool next(Capture& capture) override {
    while (find_header()) {
      ++record_count_;
      offset_ = context_.in.offset();
      has_own_offset_ = context_.in.at_member_start();
      context_.in.skip(header_size_);
      read_content();
      const bool is_fact = take_record(capture);
      finish();
      if (!is_fact) continue;
      if (has_own_offset_) capture.sighting.length = context_.in.offset() - offset_;
      return true;
    }
    return false;
  }

 private:
  // Brings the stream to a header line and parses it.
  bool find_header() {
    bool is_searching = context_.in.lost_place();
    while (true) {
      const std::string_view bytes = context_.in.peek(kLineMax);
      if (bytes.empty()) return false;
      const std::size_t end = bytes.find('\n');
      const std::string_view whole = bytes.substr(0, end);
      const std::string_view line =
          whole.ends_with('\r') ? whole.substr(0, whole.size() - 1) : whole;
      if (parse_header(line, version_, header_)) {
        header_size_ = end == std::string_view::npos ? bytes.size() : end + 1;
        if (is_searching) context_.report.resynchronised(context_.in.offset());
        return true;
      }
      if (!line.empty() && !is_searching) {
        context_.report.damaged(context_.in.offset(), "no ARC header line where one should be");
        is_searching = true;
      }
      context_.in.skip(end == std::string_view::npos ? bytes.size() : end + 1);
    }
  }

  void read_content() {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(header_.content_size, kContentMax));
    // In a plain file the next header line is checked too; a member has its own end.
    const bool is_plain = context_.in.compression() == Compression::None;
    const std::string_view bytes = context_.in.peek(wanted + (is_plain ? kLineMax : 1));
    const std::size_t boundary = context_.in.next_member_start().value_or(bytes.size());
    std::size_t size = std::min({wanted, boundary, bytes.size()});
    if (!ends_well(bytes.substr(0, boundary), size)) size = header_inside(bytes.substr(0, size));
    content_ = bytes.substr(0, size);
    is_cut_ = size < wanted;
    if (is_cut_) {
      context_.report.damaged(offset_, fmt::format("an ARC record of {} bytes ends after {}",
                                                   header_.content_size, size));
      header_.content_size = size;
    }
  }

  // Whether another header line, or nothing, follows the content.
  [[nodiscard]] bool ends_well(std::string_view bytes, std::size_t size) const {
    if (size < header_.content_size) return size == kContentMax;
    const std::size_t start = bytes.find_first_not_of("\r\n", size);
    return start == std::string_view::npos || begins_with_scheme(bytes.substr(start, kLineMax));
  }

  // Where the next header line is inside a record whose length is wrong; the record's end if there
  // is none.
  [[nodiscard]] std::size_t header_inside(std::string_view content) const {
    ArcHeader inner;
    for (std::size_t end = content.find('\n'); end != std::string_view::npos;
         end = content.find('\n', end + 1)) {
      const std::string_view line = content.substr(end + 1, kLineMax);
      if (parse_header(line.substr(0, line.find_first_of("\r\n")), version_, inner)) {
        return end + 1;
      }
    }
    return content.size();
  }

  bool take_record(Capture& capture) {
    capture.clear();
    if (header_.url.starts_with("filedesc:")) {
      version_ = content_.starts_with("2") ? 2 : 1;
      return false;
    }
    Sighting& sighting = capture.sighting;
    sighting.file = context_.file_name;
    sighting.crawl = context_.options.crawl;
    if (has_own_offset_) sighting.offset = offset_;
    if (!set_url(sighting, header_.url, context_.options, context_.report, offset_, url_) ||
        !set_time(sighting, header_.time, context_.report, offset_)) {
      return false;
    }
    sighting.truncated = is_cut_ || header_.content_size > content_.size();
    if (http_.take_response(content_, url_, offset_, capture)) return true;
    // Early crawlers did not keep HTTP headers: only the content.
    set_mime(sighting, header_.mime);
    const bool has_status = !is_absent(header_.status) && set_status(sighting, header_.status);
    if (!has_status) sighting.outcome = Outcome::Alive;
    if (sighting.outcome == Outcome::Alive) {
      http_.take_content(content_, header_.mime, url_, capture);
    }
    return true;
  }

  // After the content and the empty line that ends a record.
  void finish() {
    content_ = {};
    context_.in.skip(header_.content_size);
    while (context_.in.peek(1).starts_with('\n') || context_.in.peek(1).starts_with('\r')) {
      context_.in.skip(1);
    }
  }

  ReadContext context_;
  HttpCapture http_;
  int version_ = 1;
  ArcHeader header_;
  std::size_t header_size_ = 0;
  std::string_view content_;
  bool is_cut_ = false;
  std::uint64_t offset_ = 0;
  bool has_own_offset_ = false;
  Url url_;
};

}  // namespace

bool recognises_arc(std::string_view first_bytes) {
  if (first_bytes.starts_with("filedesc:")) return true;
  ArcHeader header;
  const std::string_view line = first_bytes.substr(0, first_bytes.find_first_of("\r\n"));
  return begins_with_scheme(line) && parse_header(line, 1, header) && line.size() < kLineMax;
}

std::unique_ptr<CaptureReader> open_arc_reader(const ReadContext& context) {
  return std::make_unique<ArcReader>(context);
}

}  // namespace webstrata
