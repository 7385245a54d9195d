// SPDX-License-Identifier: Apache-2.0

// Tested through every reader of lines, such as tests/capture/cdx_reader_test.cpp.

#include "webstrata/capture/formats/line_format_reader.h"

#include <algorithm>

namespace webstrata {

namespace {

constexpr std::size_t kJoinedBytesMax = std::size_t{32} << 20;

}  // namespace

// The next line of the stream, or of its present member. Empty text at the end of the stream.
LineFormatReader::Piece LineFormatReader::take_piece() {
  Piece piece;
  piece.offset = context_.in.offset();
  if (const auto line = context_.in.line_in_member()) piece.text = *line;
  piece.is_open = context_.in.line_is_open();
  piece.is_lost = context_.in.lost_place();
  return piece;
}

std::optional<std::string_view> LineFormatReader::take_line(std::uint64_t& offset) {
  is_joined_ = ahead_.has_value();
  if (is_joined_) {
    joined_ = std::move(*ahead_);
    ahead_.reset();
  } else {
    offset = context_.in.offset();
    const auto line = context_.in.line_in_member();
    is_joined_ = line && context_.in.line_is_open();
    if (!is_joined_) return line;
    joined_ = {std::string(*line), offset, true, false};
  }
  offset = joined_.offset;
  while (joined_.is_open) {
    Piece next = take_piece();
    if (is_whole_line(joined_.text) && is_whole_line(next.text)) {
      ahead_ = std::move(next);
      break;
    }
    if (joined_.text.size() + next.text.size() > kJoinedBytesMax) {
      context_.report.damaged(offset, "a line is longer than 33554432 bytes");
      joined_.text.clear();
    }
    joined_.text += next.text;
    joined_.is_open = next.is_open;
    joined_.is_lost = next.is_lost;
  }
  if (joined_.text.ends_with('\r')) joined_.text.pop_back();
  return joined_.text;
}

bool LineFormatReader::next(Capture& capture) {
  for (;;) {
    std::uint64_t offset = 0;
    const auto line = take_line(offset);
    if (!line) return false;
    if (line->empty()) continue;
    ++record_count_;
    capture.clear();
    capture.sighting.crawl = context_.options.crawl;
    capture.sighting.file = context_.file_name;
    capture.sighting.offset = offset;
    // A cut line of columns can still look whole; JSON cannot.
    const bool is_surely_whole = line->ends_with('}');
    if (!read_line(*line, offset, capture)) continue;
    const bool is_lost = is_joined_ ? joined_.is_lost : context_.in.lost_place();
    if (!is_lost || is_surely_whole) return true;
    context_.report.damaged(offset, "the line before a gap may be cut");
  }
}

std::string_view first_line(std::string_view bytes) noexcept {
  const std::size_t start = bytes.find_first_not_of("\r\n");
  if (start == std::string_view::npos) return {};
  bytes.remove_prefix(start);
  return bytes.substr(0, bytes.find_first_of("\r\n"));
}

std::string_view take_word(std::string_view& line, char delimiter) noexcept {
  const std::size_t end = std::min(line.find(delimiter), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

}  // namespace webstrata
