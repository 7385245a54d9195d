// SPDX-License-Identifier: Apache-2.0

// One JSON object out of a crawl file, and its values as words.
//
// Numbers come as the text that JSON would print for them, because some writers of CDXJ put
// numbers in quotes and some do not. Memory is kept from line to line.

#pragma once

#include <simdjson.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

class JsonLine {
 public:
  // False if `text` is not one well-formed object; error() then says why. Nesting deeper than
  // kDepthMax counts as damage. Views of the previous line are invalidated.
  bool parse(std::string_view text);
  [[nodiscard]] std::string_view error() const { return error_; }
  [[nodiscard]] simdjson::dom::object object() const { return object_; }

  // The value as a word: a string as it is, a number as text, true as "true"; empty for null,
  // false, objects, arrays, and where there is no such field.
  std::string_view word(simdjson::dom::object object, std::string_view name);
  std::string_view word(std::string_view name) { return word(object_, name); }
  std::string_view word(simdjson::dom::element value);

  static constexpr std::size_t kDepthMax = 100;

 private:
  simdjson::dom::parser parser_;
  simdjson::dom::object object_;
  std::string_view error_;
  std::deque<std::string> numbers_;  // a deque: its strings stay where they are
};

// Empty if there is no such field or it is of another type (null included).
std::optional<simdjson::dom::object> object_field(simdjson::dom::object object,
                                                  std::string_view name);
std::optional<simdjson::dom::array> array_field(simdjson::dom::object object,
                                                std::string_view name);

}  // namespace webstrata
