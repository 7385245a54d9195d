// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/transport_test.cpp.

#include "webstrata/fetch/wire/transport.h"

#include <array>

#include "webstrata/capture/http/http_message.h"

namespace webstrata {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 14> kFailures = {
    "none",
    "name-not-found",
    "name-server-failed",
    "address-refused",
    "refused",
    "connect-timeout",
    "timeout",
    "too-slow",
    "tls",
    "reset",
    "bad-protocol",
    "head-too-large",
    "bad-url",
    "cancelled",
};
constexpr std::array<std::string_view, 4> kTruncations = {"", "length", "time", "disconnect"};

}  // namespace

std::string_view to_string(Failure failure) noexcept {
  return kFailures[static_cast<std::size_t>(failure)];
}

std::optional<Failure> parse_failure(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kFailures.size(); ++i) {
    if (kFailures[i] == name) return static_cast<Failure>(i);
  }
  return std::nullopt;
}

std::string_view to_string(Truncation truncation) noexcept {
  return kTruncations[static_cast<std::size_t>(truncation)];
}

std::string archived_answer(const Response& response) {
  if (!response.head.starts_with("HTTP/2")) return response.head + response.body;
  const std::size_t space = response.head.find(' ');
  if (space == std::string::npos) return response.head + response.body;
  return "HTTP/1.1" + response.head.substr(space) + response.body;
}

std::string_view header_value(const Response& response, std::string_view name) {
  HttpResponse parsed;
  if (!parse_http_response(response.head, parsed)) return {};
  return parsed.headers.value(name);
}

}  // namespace webstrata
