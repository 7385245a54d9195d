// SPDX-License-Identifier: Apache-2.0

// A record is trusted only if the next one begins where its Content-Length says, or a gzip member
// ends there. Otherwise the content is searched for the start of a record, the size is corrected,
// and the damage is reported. After a place where no record begins, the search goes forward in
// steps of 64 KB to the next line or member that begins one.
// Tested by tests/capture/warc_records_test.cpp and tests/capture/warc_corpus_test.py;
// fuzz/warc_fuzz.cpp.

#include "webstrata/capture/formats/warc_records.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

constexpr std::size_t kHeadMax = std::size_t{1} << 20;
constexpr std::string_view kRecordEnd = "\r\n\r\n";

bool is_line_end(char c) { return c == '\r' || c == '\n'; }

// "WARC/1.0", in any case: the grammar's literals are case-insensitive.
bool begins_record(std::string_view bytes) {
  return bytes.size() >= 8 && equal_ignoring_case(bytes.substr(0, 5), "WARC/") && bytes[5] >= '0' &&
         bytes[5] <= '9' && bytes[6] == '.';
}

// The same for bytes that may be cut too early to decide.
bool may_begin_record(std::string_view bytes) {
  constexpr std::string_view kStart = "WARC/";
  return begins_record(bytes) ||
         (bytes.size() < 8 &&
          equal_ignoring_case(bytes.substr(0, 5), kStart.substr(0, bytes.size())));
}

// Where the next record begins at the start of a line, at or after `from`; npos if nowhere.
std::size_t find_record_start(std::string_view bytes, std::size_t from) {
  if (from == 0 && begins_record(bytes)) return 0;
  for (std::size_t end = bytes.find('\n', from > 0 ? from - 1 : 0); end != std::string_view::npos;
       end = bytes.find('\n', end + 1)) {
    if (begins_record(bytes.substr(end + 1))) return end + 1;
  }
  return std::string_view::npos;
}

// Size of the head including its empty line; 0 if that is not in `bytes`.
std::size_t head_size(std::string_view bytes) {
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
       end = bytes.find('\n', end + 1)) {
    const std::size_t line_end = bytes.find_first_not_of('\r', end + 1);
    if (line_end != std::string_view::npos && bytes[line_end] == '\n') return line_end + 1;
  }
  return 0;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return size;
}

}  // namespace

std::string_view WarcRecords::field(std::string_view name) const noexcept {
  return fields_.value(name);
}

bool WarcRecords::next() {
  finish();
  while (find_record()) {
    offset_ = in_.offset();
    has_own_offset_ = in_.at_member_start();
    ++count_;
    if (!read_head()) continue;
    read_content();
    inside_ = true;
    return true;
  }
  return false;
}

// Moves the stream to the first byte of a record. Line ends before it are not damage.
bool WarcRecords::find_record() {
  while (true) {
    const bool lost = in_.lost_place();
    const std::string_view bytes = in_.peek(8);
    if (bytes.empty()) return false;
    const auto blank = static_cast<std::size_t>(
        std::find_if_not(bytes.begin(), bytes.end(), is_line_end) - bytes.begin());
    if (blank > 0) {
      in_.skip(blank);
      continue;
    }
    if (begins_record(bytes)) return true;
    const std::uint64_t lost_at = in_.offset();
    if (!lost) report_.damaged(lost_at, "no WARC record where one should begin");
    if (!search_record(1)) return false;
    report_.resynchronised(lost_at);
  }
}

void WarcRecords::find_first() {
  if (!begins_record(in_.peek(8))) search_record(0);
}

// Moves forward to the next place where a record begins: at the start of a line or of a member.
bool WarcRecords::search_record(std::size_t from) {
  constexpr std::size_t kStep = std::size_t{1} << 16;
  constexpr std::size_t kOverlap = 7;  // a start may span two steps
  while (true) {
    const std::string_view bytes = in_.peek(kStep);
    if (bytes.empty()) return false;
    const std::size_t boundary = in_.next_member_start().value_or(bytes.size());
    const std::size_t start = find_record_start(bytes.substr(0, boundary), from);
    if (start != std::string_view::npos) {
      in_.skip(start);
      return true;
    }
    if (boundary < bytes.size() || bytes.size() < kStep) {
      in_.skip(boundary);
      from = 0;
      if (begins_record(in_.peek(kOverlap + 1))) return true;
    } else {
      in_.skip(bytes.size() - kOverlap);
      from = 1;  // the first byte is not known to begin a line
    }
  }
}

bool WarcRecords::read_head() {
  std::size_t wanted = 1;
  std::string_view bytes;
  do {
    bytes = in_.peek(wanted);
    head_size_ = head_size(bytes);
    if (head_size_ > 0 || bytes.size() < wanted) break;
    wanted = bytes.size() + 1;
  } while (wanted <= kHeadMax);
  const std::size_t version_end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
  if (head_size_ == 0) {
    report_.damaged(offset_, "the header of a WARC record has no end");
    in_.skip(version_end);
    return false;
  }
  fields_.parse(bytes.substr(version_end, head_size_ - version_end));
  const auto size = parse_size(field("Content-Length"));
  constexpr std::uint64_t kSizeMax = std::uint64_t{1} << 50;
  size_is_known_ = size && *size <= kSizeMax;
  if (!size_is_known_) report_.damaged(offset_, "a WARC record without a valid Content-Length");
  content_size_ = size_is_known_ ? *size : kContentMax;
  return true;
}

// Shows the content, and corrects its size where the record does not end as it says.
void WarcRecords::read_content() {
  const char* head_before = in_.peek(1).data();
  const std::size_t shown_size =
      head_size_ + static_cast<std::size_t>(std::min<std::uint64_t>(content_size_, kContentMax));
  std::string_view bytes = in_.peek(shown_size + kRecordEnd.size());
  content_is_whole_ = content_size_ <= kContentMax && bytes.size() >= claimed_end();

  // A record in its own member cannot be longer than the member, if the next record begins another
  // one.
  const auto boundary = in_.next_member_start();
  const bool next_is_inside = boundary && *boundary >= head_size_ && *boundary < claimed_end() &&
                              begins_record(bytes.substr(std::min(*boundary, bytes.size())));
  std::size_t end = std::min<std::size_t>(shown_size, bytes.size());
  if (next_is_inside) {
    end = *boundary;
  } else if (content_is_whole_) {
    const std::size_t after = bytes.find_first_not_of("\r\n", end);
    const bool ends_well = after == std::string_view::npos ||
                           may_begin_record(bytes.substr(after)) ||
                           (boundary && *boundary <= after);
    if (!ends_well) end = std::min(find_record_start(bytes, head_size_), end);
  } else if (content_size_ <= kContentMax) {
    end = std::min(find_record_start(bytes, head_size_), end);
  }
  if (end < claimed_end() && content_size_ <= kContentMax) {
    if (size_is_known_) {
      report_.damaged(offset_, fmt::format("a WARC record of {} bytes ends after {}", content_size_,
                                           end - head_size_));
    }
    content_size_ = end - head_size_;
    content_is_whole_ = false;
  }
  if (bytes.data() != head_before) {
    const std::size_t version_end = bytes.find('\n') + 1;
    fields_.parse(bytes.substr(version_end, head_size_ - version_end));
  }
  content_ = bytes.substr(head_size_, end - head_size_);
}

void WarcRecords::finish() {
  if (!inside_) return;
  inside_ = false;
  content_ = {};
  const std::uint64_t skipped = in_.skip(claimed_end());
  if (skipped < claimed_end()) {
    report_.damaged(offset_, fmt::format("a WARC record of {} bytes is cut off", content_size_));
  } else {
    const std::string_view end = in_.peek(kRecordEnd.size()).substr(0, kRecordEnd.size());
    in_.skip(std::min(end.find_first_not_of("\r\n"), end.size()));
  }
  length_ = in_.offset() - offset_;
}

}  // namespace webstrata
