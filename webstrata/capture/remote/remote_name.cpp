// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/remote_name_test.cpp.

#include "webstrata/capture/remote/remote_name.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/url/percent.h"

namespace webstrata {
namespace {

constexpr std::string_view kAfterScheme = "://";

bool has_scheme(std::string_view name, std::string_view scheme) noexcept {
  return equal_ignoring_case(scheme_of(name), scheme);
}

bool is_unreserved(char c) noexcept {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string_view scheme_of(std::string_view name) noexcept {
  const std::size_t end = name.find(kAfterScheme);
  if (end == std::string_view::npos || end == 0 || !is_letter(name.front())) return {};
  const std::string_view scheme = name.substr(0, end);
  const bool is_word = std::ranges::all_of(scheme, [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  });
  return is_word ? scheme : std::string_view{};
}

bool is_s3(std::string_view name) noexcept { return has_scheme(name, "s3"); }

bool is_remote(std::string_view name) noexcept {
  return has_scheme(name, "http") || has_scheme(name, "https") || is_s3(name);
}

std::string remote_file_name(std::string_view name) {
  const bool is_key = is_s3(name);
  if (!is_key) name = name.substr(0, name.find_first_of("?#"));
  name.remove_prefix(scheme_of(name).size() + kAfterScheme.size());
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return {};
  name.remove_prefix(slash + 1);
  if (is_key) return std::string(name);
  std::string decoded;
  append_percent_decoded(decoded, name);
  return decoded.substr(decoded.rfind('/') + 1);  // an escaped slash ends a folder's name, too
}

std::string shown_name(std::string_view name) {
  if (!is_remote(name) || is_s3(name)) return std::string(name);
  const std::size_t start = scheme_of(name).size() + kAfterScheme.size();
  std::string_view rest = name.substr(start);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    rest.remove_prefix(at + 1);
  }
  const std::size_t query = rest.find('?');
  return fmt::format("{}{}{}", name.substr(0, start), rest.substr(0, query),
                     query == std::string_view::npos ? "" : "?...");
}

ObjectName parse_object_name(std::string_view name) {
  std::string_view rest = name.substr(scheme_of(name).size() + kAfterScheme.size());
  const std::string_view bucket = rest.substr(0, rest.find('/'));
  rest.remove_prefix(std::min(bucket.size() + 1, rest.size()));
  if (bucket.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: names no bucket; write s3://bucket/key", name));
  }
  return {std::string(bucket), std::string(rest)};
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c) || kept.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      append_percent(out, c);
    }
  }
  return out;
}

}  // namespace webstrata
