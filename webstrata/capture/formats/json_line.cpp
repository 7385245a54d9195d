// SPDX-License-Identifier: Apache-2.0

// Tested through its users, such as tests/capture/jsonl_reader_test.cpp: simdjson stays inside the
// room, because its types have another layout where a program is compiled without threads.

#include "webstrata/capture/formats/json_line.h"

#include <new>

#include <fmt/format.h>

namespace webstrata {

bool JsonLine::parse(std::string_view text) {
  numbers_.clear();
  // Too little memory is no property of the line: it must not count as damage.
  if (parser_.max_depth() != kDepthMax &&
      parser_.allocate(text.size(), kDepthMax) != simdjson::SUCCESS) {
    throw std::bad_alloc();
  }
  constexpr bool kCopyAndPad = true;
  const auto root = parser_.parse(text.data(), text.size(), kCopyAndPad);
  const auto error = root.get(object_);
  if (error == simdjson::SUCCESS) return true;
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  error_ = simdjson::error_message(error);
  if (error == simdjson::INCORRECT_TYPE) error_ = "JSON, but no object";
  return false;
}

std::string_view JsonLine::word(simdjson::dom::object object, std::string_view name) {
  const auto value = object[name];
  return value.error() == simdjson::SUCCESS ? word(value.value_unsafe()) : std::string_view{};
}

std::string_view JsonLine::word(simdjson::dom::element value) {
  using simdjson::dom::element_type;
  switch (value.type()) {
    case element_type::STRING:
      return value.get_string().value_unsafe();
    case element_type::INT64:
      return numbers_.emplace_back(fmt::to_string(value.get_int64().value_unsafe()));
    case element_type::UINT64:
      return numbers_.emplace_back(fmt::to_string(value.get_uint64().value_unsafe()));
    case element_type::DOUBLE:
      return numbers_.emplace_back(fmt::format("{:.15g}", value.get_double().value_unsafe()));
    case element_type::BOOL:
      return value.get_bool().value_unsafe() ? "true" : "";
    default:
      return {};
  }
}

std::optional<simdjson::dom::object> object_field(simdjson::dom::object object,
                                                  std::string_view name) {
  simdjson::dom::object found;
  if (object[name].get(found) != simdjson::SUCCESS) return std::nullopt;
  return found;
}

std::optional<simdjson::dom::array> array_field(simdjson::dom::object object,
                                                std::string_view name) {
  simdjson::dom::array found;
  if (object[name].get(found) != simdjson::SUCCESS) return std::nullopt;
  return found;
}

}  // namespace webstrata
