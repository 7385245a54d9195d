// SPDX-License-Identifier: Apache-2.0

// Tested by tests/base/json_test.cpp.

#include "webstrata/base/json.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/utf8.h"

namespace webstrata {
namespace {

// Control characters of eight bits (U+0080 to U+009F) are escaped too: a terminal may obey them.
// What a byte needs inside a JSON string: nothing, an escape, or a check of UTF-8.
enum class Care : unsigned char { None, Escape, Utf8 };

constexpr std::array<Care, 256> make_cares() {
  std::array<Care, 256> cares{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    cares[byte] = byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7f ? Care::Escape
                  : byte >= 0x80                                             ? Care::Utf8
                                                                             : Care::None;
  }
  return cares;
}
constexpr auto kCares = make_cares();

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t plain_from = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Care care = kCares[static_cast<unsigned char>(text[i])];
    const std::size_t length = care == Care::Utf8 ? utf8_length(text.substr(i)) : 1;
    const bool is_c1 =
        length == 2 && text[i] == '\xc2' && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (care == Care::None || (care == Care::Utf8 && length > 0 && !is_c1)) {
      i += length;
      continue;
    }
    out.append(text, plain_from, i - plain_from);
    if (is_c1) {
      append_escape(out, text[++i]);
    } else if (care == Care::Utf8) {
      out += "\xef\xbf\xbd";
    } else {
      append_escape(out, text[i]);
    }
    plain_from = ++i;
  }
  out.append(text, plain_from);
  out.push_back('"');
}

void JsonWriter::separate() {
  if (!first_) out_.push_back(',');
  first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_.push_back(bracket);
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_.push_back(bracket);
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_.push_back(':');
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  out_ += truth ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  out_ += std::isfinite(number) ? fmt::format("{}", number) : "null";
  return *this;
}

}  // namespace webstrata
