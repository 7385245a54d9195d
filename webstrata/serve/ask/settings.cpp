// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/answers_test.cpp.

#include "webstrata/serve/ask/settings.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata::serve {
namespace {

constexpr std::string_view kTimestampField = "{timestamp}";
constexpr std::string_view kUrlField = "{url}";

}  // namespace

std::string parse_base_path(const std::string& word) {
  std::string path = word;
  if (!path.starts_with('/')) path.insert(0, "/");
  if (!path.ends_with('/')) path += '/';
  const bool is_path =
      path.find_first_of("?#%\\ \"<>") == std::string::npos && path.find("//") == std::string::npos;
  if (!is_path) refuse(fmt::format("{}: not a base path such as /webstrata/", word));
  return path;
}

void check_replay(const std::string& replay) {
  const bool has_fields = replay.find(kUrlField) != std::string::npos &&
                          replay.find(kTimestampField) != std::string::npos;
  if (!has_fields) {
    refuse(fmt::format("{}: not an address of mementos; {} and {} must be part of it, as in {}",
                       replay, kTimestampField, kUrlField, kReplayExample));
  }
}

std::string memento_address(const std::string& replay, const std::string& timestamp,
                            const std::string& url) {
  std::string address = replay;
  address.replace(address.find(kTimestampField), kTimestampField.size(), timestamp);
  address.replace(address.find(kUrlField), kUrlField.size(), url);
  return address;
}

}  // namespace webstrata::serve
