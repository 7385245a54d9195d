// SPDX-License-Identifier: Apache-2.0

// Writing JSON, appended to a string: objects and arrays nest, commas take care of themselves.
//
//   JsonWriter json(line);
//   json.begin_object().field("url", url).field("status", 200).end_object();
//
// Text must be UTF-8; invalid bytes are written as U+FFFD, so that the output is always valid.

#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(double number);
  JsonWriter& null();
  template <std::integral Integer>
  JsonWriter& value(Integer number) {
    separate();
    out_ += std::to_string(number);
    return *this;
  }
  template <typename Value>
  JsonWriter& field(std::string_view name, const Value& content) {
    return key(name).value(content);
  }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string& out_;
  bool first_ = true;  // nothing precedes the next item
};

// Appends `text` as a JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace webstrata
