// SPDX-License-Identifier: Apache-2.0

// An HTTP message head, read leniently from a record: any line end, folded lines, missing parts.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

struct HeaderField {
  std::string_view name;
  std::string_view value;  // trimmed; folded lines keep their line ends
};

// Fields of a header block, names in any case; the views point into the text that was parsed.
class HeaderFields {
 public:
  // Reads lines up to the first empty one; returns the number of bytes up to and including it, or
  // nothing if there is none (all lines are taken then). Lines without a colon are counted.
  std::optional<std::size_t> parse(std::string_view text);

  // The first field of this name; empty if there is none.
  [[nodiscard]] std::string_view value(std::string_view name) const noexcept;
  [[nodiscard]] const std::vector<HeaderField>& all() const noexcept { return fields_; }
  [[nodiscard]] std::size_t malformed_count() const noexcept { return malformed_; }

 private:
  std::vector<HeaderField> fields_;
  std::size_t malformed_ = 0;
};

struct HttpResponse {
  int status = 0;
  HeaderFields headers;
  std::string_view body;
};

// Bytes of the first line, the headers and the empty line after them; all bytes if there is no
// empty line. A line ends in LF, after any number of CRs. The reader of a message and the writer
// that computes its payload digest both split it here.
std::size_t http_head_size(std::string_view message) noexcept;

// Parses "HTTP/1.1 200 OK", headers and body. False if the block does not begin with a status
// line. A head without an end has an empty body.
bool parse_http_response(std::string_view block, HttpResponse& response);

// The parameter `name` of a field such as Content-Type: `text/html; charset="utf-8"`.
std::string_view field_parameter(std::string_view field, std::string_view name) noexcept;

}  // namespace webstrata
