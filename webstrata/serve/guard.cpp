// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/service_test.cpp.

#include "webstrata/serve/guard.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"
#include "webstrata/serve/wire/problem.h"

namespace webstrata::serve {
namespace {

constexpr std::size_t kTokenBytesMin = 16;

// Takes the same time wherever the first difference is.
bool are_equal(std::string_view a, std::string_view b) noexcept {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

// Without the padding; nothing if it has other characters.
std::string decode_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (c == '=') break;
    if (digit == std::string_view::npos) return "";
    bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

struct Credentials {
  std::string_view scheme;
  std::string_view value;
};

Credentials credentials_of(std::string_view authorization) {
  const std::size_t space = authorization.find(' ');
  if (space == std::string_view::npos) return {};
  return {authorization.substr(0, space), trim(authorization.substr(space + 1))};
}

std::string bearer_token_of(std::string_view authorization) {
  const Credentials given = credentials_of(authorization);
  return equal_ignoring_case(given.scheme, "Bearer") ? std::string(given.value) : std::string();
}

std::string token_of(std::string_view authorization) {
  const Credentials given = credentials_of(authorization);
  if (!equal_ignoring_case(given.scheme, "Basic")) return bearer_token_of(authorization);
  const std::string pair = decode_base64(given.value);
  const std::size_t colon = pair.find(':');
  return colon == std::string::npos ? std::string() : pair.substr(colon + 1);
}

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_loopback_name(std::string_view host) {
  return equal_ignoring_case(host, "localhost") || host.starts_with("127.") || host == "[::1]";
}

}  // namespace

bool is_host_header(std::string_view host) noexcept {
  return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == ':' || c == '[' ||
           c == ']' || c == '_';
  });
}

void check_host(const Request& request, const Settings& settings) {
  if (request.host.empty() && request.version == 10) return;
  const std::string_view host = without_port(request.host);
  const auto& hosts = settings.hosts;
  const bool is_known = is_loopback_name(host) ||
                        std::any_of(hosts.begin(), hosts.end(), [&](const std::string& known) {
                          return known == "*" || equal_ignoring_case(known, host);
                        });
  if (!is_known) {
    throw Problem(421, "this is not a name of the server; its administrator can add it");
  }
}

void check_token(const Request& request, const Settings& settings) {
  if (settings.token.empty() || !settings.reading_needs_token) return;
  if (!are_equal(token_of(request.authorization), settings.token)) {
    throw Problem(401, "a token is needed: send the header Authorization: Bearer TOKEN");
  }
}

void check_may_write(const Request& request, const Settings& settings) {
  if (!settings.is_writable || settings.token.empty()) {
    throw Problem(403, "this server only reads: it was not started to change archives");
  }
  if (!are_equal(bearer_token_of(request.authorization), settings.token)) {
    throw Problem(401, "changing an archive needs the header Authorization: Bearer TOKEN");
  }
}

std::string read_token(const std::string& path) {
  const MappedFile file = MappedFile::open(path);
  const std::string_view text = file.bytes();
  const std::string token(trim(text.substr(0, text.find('\n'))));
  if (token.size() < kTokenBytesMin) {
    refuse(
        fmt::format("{}: a token has at least {} characters; make one with: openssl rand -hex 24",
                    path, kTokenBytesMin));
  }
  return token;
}

}  // namespace webstrata::serve
