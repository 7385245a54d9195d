// SPDX-License-Identifier: Apache-2.0

// A request as the routes see it, and the parts of its target.
//
//   const Parameters given = parse_query("url=example.org%2Fa&limit=10");
//
// What is not valid gets a Problem with status 400: a percent sign without two hexadecimal digits,
// bytes that are not UTF-8, control characters.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/base/progress.h"

namespace webstrata::serve {

enum class Method : std::uint8_t { Get, Head, Options, Post, Other };

struct Request {
  Method method = Method::Get;
  std::string method_text = "GET";
  int version = 11;
  std::string target;  // as it was sent: "/a%20b?c=d"
  std::string peer;    // the address of the other end
  std::string host = {};
  std::string accept = {};
  std::string accept_encoding = {};
  std::string accept_datetime = {};
  std::string authorization = {};
  std::string forwarded_for = {};
  std::string forwarded_host = {};
  std::string forwarded_proto = {};
  std::string if_none_match = {};
  std::string origin = {};
  std::string referer = {};
  std::string user_agent = {};
  std::string body = {};
  // When the answer must be ready.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const CancelToken* cancel = nullptr;  // set for slow requests: cancelled at the deadline
  // It is being answered in an event loop, which other connections wait for; Response::needs_worker
  // is then an answer.
  bool is_in_loop = false;

  [[nodiscard]] std::string_view path() const noexcept;   // before the '?'
  [[nodiscard]] std::string_view query() const noexcept;  // after it
};

// Names and values in their order.
using Parameters = std::vector<std::pair<std::string, std::string>>;

// "a=b&c": '+' means a space, as forms send it. Throws Problem.
Parameters parse_query(std::string_view query);
// Decodes one part of a path; '+' stays. Throws Problem.
std::string decode_segment(std::string_view segment);

// The address of the client: that of the peer, or what a trusted proxy says in X-Forwarded-For: the
// last address of that list that is not itself a trusted proxy.
std::string client_address(std::string_view peer, std::string_view forwarded_for,
                           const std::vector<std::string>& trusted_proxies);

// Whether a media type is asked for by name in a header Accept.
bool accepts_by_name(std::string_view accept, std::string_view media_type) noexcept;
// Whether it is acceptable at all: by name, by "*/*" or "application/*", or without the header.
bool accepts(std::string_view accept, std::string_view media_type) noexcept;

// A line of an access log in the combined format, with its end.
std::string combined_log_line(const Request& request, std::string_view client, int status,
                              std::uint64_t bytes);

}  // namespace webstrata::serve
