// SPDX-License-Identifier: Apache-2.0

// Follows the parsing algorithm of RFC 8288, appendix B.2 and B.3.
// Tested by tests/capture/link_header_test.cpp.

#include "webstrata/capture/http/link_header.h"

#include <algorithm>
#include <string>

#include "webstrata/base/text.h"
#include "webstrata/capture/html/html_values.h"

namespace webstrata {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\t'; }

// A position in the header.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  // Removes `c` from the front, if it is there.
  bool take(char c) noexcept {
    if (at_end() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_spaces() noexcept {
    while (!at_end() && is_space(rest_.front())) rest_.remove_prefix(1);
  }
  std::string_view take_until(std::string_view stops) noexcept {
    const std::size_t size = std::min(rest_.find_first_of(stops), rest_.size());
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  // After an opening quote: up to and including the closing one.
  void take_quoted(std::string& value) {
    while (!at_end() && !take('"')) {
      if (take('\\') && at_end()) return;
      value.push_back(rest_.front());
      rest_.remove_prefix(1);
    }
  }

 private:
  std::string_view rest_;
};

struct Parameter {
  std::string_view name;
  std::string value;
};

Parameter take_parameter(Scan& scan) {
  Parameter parameter;
  scan.skip_spaces();
  parameter.name = scan.take_until(" \t=;,");
  scan.skip_spaces();
  if (!scan.take('=')) return parameter;
  scan.skip_spaces();
  if (scan.take('"')) {
    scan.take_quoted(parameter.value);
  } else {
    parameter.value = scan.take_until(" \t;,");
  }
  return parameter;
}

struct HeaderLink {
  std::string_view target;
  std::string rel;
  bool has_rel = false;
  bool has_anchor = false;
};

void take_parameters(Scan& scan, HeaderLink& link) {
  scan.skip_spaces();
  while (scan.take(';')) {
    Parameter parameter = take_parameter(scan);
    if (equal_ignoring_case(parameter.name, "rel") && !link.has_rel) {  // the first one counts
      link.rel = std::move(parameter.value);
      link.has_rel = true;
    }
    link.has_anchor |= equal_ignoring_case(parameter.name, "anchor");
    scan.skip_spaces();
  }
}

}  // namespace

void add_link_header(std::string_view value, LinkCollector& collector) {
  Scan scan(value);
  while (!scan.at_end()) {
    scan.take_until("<");
    if (!scan.take('<')) return;
    HeaderLink link;
    link.target = scan.take_until(">");
    if (!scan.take('>')) return;
    take_parameters(scan, link);
    if (!link.has_anchor) collector.add(link.target, kinds_of_relation(link.rel));
    scan.take_until(",");
  }
}

}  // namespace webstrata
