// Tested through every reader of lines, such as tests/capture/cdx_reader_test.cpp.

#include "webstrata/capture/formats/line_format_reader.h"

#include <algorithm>

namespace webstrata {

bool LineFormatReader::next(Capture& capture) {
  for (;;) {
    const std::uint64_t offset = context_.in.offset();
    const auto line = context_.in.line();
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
    if (!context_.in.lost_place() || is_surely_whole) return true;
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
