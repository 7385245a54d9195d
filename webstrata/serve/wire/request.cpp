// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/request_test.cpp; fuzzed by fuzz/http_request_fuzz.cpp.

#include "webstrata/serve/wire/request.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/base/time.h"
#include "webstrata/base/utf8.h"
#include "webstrata/serve/wire/problem.h"
#include "webstrata/url/percent.h"

namespace webstrata::serve {
namespace {

bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string decode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int value = percent_value(text, i);
      if (value < 0) {
        throw Problem(400,
                      "the address has a % that two hexadecimal digits do not follow; write "
                      "%25 for a percent sign");
      }
      c = static_cast<char>(value);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    decoded += c;
  }
  if (std::any_of(decoded.begin(), decoded.end(), is_control)) {
    throw Problem(400, "the address contains a control character");
  }
  if (!is_utf8(decoded)) throw Problem(400, "the address is not UTF-8 after decoding");
  return decoded;
}

// Calls `visit` with each part between `separator`s; stops when it returns true.
template <typename Visit>
bool any_part(std::string_view list, char separator, Visit visit) {
  while (true) {
    const std::size_t end = list.find(separator);
    if (visit(trim(list.substr(0, end)))) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
}

std::string log_text(std::string_view text) {
  if (text.empty()) return "-";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\') {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string_view Request::path() const noexcept {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string_view Request::query() const noexcept {
  const std::size_t mark = target.find('?');
  return mark == std::string::npos ? std::string_view() : std::string_view(target).substr(mark + 1);
}

Parameters parse_query(std::string_view query) {
  Parameters given;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view part = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    given.emplace_back(
        decode(part.substr(0, equals), true),
        equals == std::string_view::npos ? std::string() : decode(part.substr(equals + 1), true));
  }
  return given;
}

std::string decode_segment(std::string_view segment) { return decode(segment, false); }

std::string client_address(std::string_view peer, std::string_view forwarded_for,
                           const std::vector<std::string>& trusted_proxies) {
  const auto is_trusted = [&](std::string_view address) {
    return std::find(trusted_proxies.begin(), trusted_proxies.end(), address) !=
           trusted_proxies.end();
  };
  std::string client(peer);
  while (is_trusted(client) && !forwarded_for.empty()) {
    const std::size_t comma = forwarded_for.rfind(',');
    const std::string_view last =
        trim(comma == std::string_view::npos ? forwarded_for : forwarded_for.substr(comma + 1));
    forwarded_for = comma == std::string_view::npos ? "" : forwarded_for.substr(0, comma);
    if (last.empty()) break;
    client = last;
  }
  return client;
}

bool accepts_by_name(std::string_view accept, std::string_view media_type) noexcept {
  return any_part(accept, ',', [&](std::string_view range) {
    return equal_ignoring_case(trim(range.substr(0, range.find(';'))), media_type);
  });
}

bool accepts(std::string_view accept, std::string_view media_type) noexcept {
  if (trim(accept).empty()) return true;
  const std::string_view kind = media_type.substr(0, media_type.find('/'));
  return any_part(accept, ',', [&](std::string_view range) {
    const std::string_view name = trim(range.substr(0, range.find(';')));
    return name == "*/*" || name == "*" || equal_ignoring_case(name, media_type) ||
           (name.ends_with("/*") && equal_ignoring_case(name.substr(0, name.size() - 2), kind));
  });
}

std::string combined_log_line(const Request& request, std::string_view client, int status,
                              std::uint64_t bytes) {
  const std::time_t time = now();
  std::tm parts = {};
  gmtime_r(&time, &parts);
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return fmt::format(
      "{} - - [{:02}/{}/{}:{:02}:{:02}:{:02} +0000] \"{} {} HTTP/1.{}\" {} {} \"{}\" \"{}\"\n",
      log_text(client), parts.tm_mday, kMonths[parts.tm_mon], parts.tm_year + 1900, parts.tm_hour,
      parts.tm_min, parts.tm_sec, log_text(request.method_text), log_text(request.target),
      request.version == 10 ? 0 : 1, status, bytes, log_text(request.referer),
      log_text(request.user_agent));
}

}  // namespace webstrata::serve
