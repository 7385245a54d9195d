// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/http_message_test.cpp.

#include "webstrata/capture/http/http_message.h"

#include <algorithm>
#include <charconv>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

// The line that starts at `start`, without its end; `next` is where the one after it starts.
std::string_view line_at(std::string_view text, std::size_t start, std::size_t& next) noexcept {
  const std::size_t end = std::min(text.find('\n', start), text.size());
  next = std::min(end + 1, text.size());
  std::string_view line = text.substr(start, end - start);
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace

std::optional<std::size_t> HeaderFields::parse(std::string_view text) {
  fields_.clear();
  malformed_ = 0;
  std::size_t next = 0;
  for (std::size_t start = 0; start < text.size(); start = next) {
    const std::string_view line = line_at(text, start, next);
    if (line.empty()) return next;
    const bool is_folded = line.front() == ' ' || line.front() == '\t';
    if (is_folded && !fields_.empty()) {
      HeaderField& field = fields_.back();
      const char* value_start = field.value.empty() ? line.data() : field.value.data();
      const char* value_end = line.data() + line.size();
      field.value = trim({value_start, static_cast<std::size_t>(value_end - value_start)});
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      ++malformed_;
      continue;
    }
    fields_.push_back({trim(line.substr(0, colon)), trim(line.substr(colon + 1))});
  }
  return std::nullopt;
}

std::string_view HeaderFields::value(std::string_view name) const noexcept {
  for (const HeaderField& field : fields_) {
    if (equal_ignoring_case(field.name, name)) return field.value;
  }
  return {};
}

std::size_t http_head_size(std::string_view message) noexcept {
  std::size_t next = 0;
  line_at(message, 0, next);
  for (std::size_t start = next; start < message.size(); start = next) {
    if (line_at(message, start, next).empty()) return next;
  }
  return message.size();
}

bool parse_http_response(std::string_view block, HttpResponse& response) {
  std::size_t next = 0;
  const std::string_view line = line_at(block, 0, next);
  const std::size_t space = line.find(' ');
  const bool is_http = line.starts_with("HTTP/") || line.starts_with("ICY");
  if (!is_http || space == std::string_view::npos) return false;
  const std::string_view code = trim(line.substr(space)).substr(0, 3);
  response.status = 0;
  const auto [end, error] =
      std::from_chars(code.data(), code.data() + code.size(), response.status);
  if (error != std::errc() || end == code.data()) return false;
  const std::size_t head_size = http_head_size(block);
  response.headers.parse(block.substr(next, head_size - next));
  response.body = block.substr(head_size);
  return true;
}

std::string_view field_parameter(std::string_view field, std::string_view name) noexcept {
  for (std::size_t at = field.find(';'); at != std::string_view::npos; at = field.find(';')) {
    field.remove_prefix(at + 1);
    const std::string_view parameter = trim(field.substr(0, field.find(';')));
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos ||
        !equal_ignoring_case(trim(parameter.substr(0, equals)), name)) {
      continue;
    }
    std::string_view value = trim(parameter.substr(equals + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')) {
      value = value.substr(1, value.find(value.front(), 1) - 1);
    }
    return value;
  }
  return {};
}

}  // namespace webstrata
