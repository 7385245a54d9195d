// SPDX-License-Identifier: Apache-2.0

// The way to the web: requests go out, answers come back, in any order.
//
//   CurlTransport web({.agent = "my-archive/1.0 (+https://archive.example/crawler)"}, clock);
//   web.start({.url = "http://www.example.org/"});
//   for (const Response& answer : web.wait(clock.now() + 1000)) …
//
// A transport knows nothing about politeness, robots.txt and budgets; its caller does. It follows
// no redirects: the caller checks the target like any URL, and requests it. Whatever a server does,
// the limits of the request hold, and every request is returned once.
//
// Two of them exist: curl_transport.h speaks HTTP over sockets; simulated_web.h answers from
// memory.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/fetch/wire/clock.h"

namespace webstrata {

using RequestId = std::uint64_t;

struct RequestLimits {
  std::uint64_t head_bytes_max = 64 << 10;  // of all header lines; larger ones are refused
  std::uint64_t body_bytes_max = 16 << 20;  // as sent, still compressed; the rest is left out
  Moment connect_ms_max = 15'000;
  Moment total_ms_max = 60'000;  // from start to end, including name look-up
  // Fewer bytes than this in each second of that time: too slow. 0: any speed is accepted.
  std::uint64_t low_speed_bytes = 50;
  Moment low_speed_ms = 20'000;
};

// GET or HEAD; nothing else is ever sent.
struct Request {
  std::string url;  // normalised, http or https
  bool is_head = false;
  std::vector<std::pair<std::string, std::string>> headers =
      {};                                         // in addition to those of the transport
  std::optional<std::uint64_t> first_bytes = {};  // Range: bytes=0-(n-1); a server may ignore it
  RequestLimits limits = {};
  // Bytes of the body to read before grant() allows more; empty: all within the limits.
  std::optional<std::uint64_t> body_granted = {};
};

// Why an exchange did not end as it should have.
enum class Failure : std::uint8_t {
  None,
  NameNotFound,      // the name server says that there is no such host, or no address for it
  NameServerFailed,  // it did not answer
  AddressRefused,    // ours: private, loopback, link-local
  ConnectionRefused,
  ConnectTimeout,  // also: no route
  Timeout,         // total_ms_max
  TooSlow,         // low_speed_bytes
  Tls,             // no handshake, or an invalid certificate
  Reset,           // the connection broke, before or inside the answer
  BadProtocol,     // not HTTP, broken chunks, wrong lengths
  HeadTooLarge,    // head_bytes_max
  BadUrl,          // not http or https
  Cancelled,
};
// "name-not-found", "tls", …
std::string_view to_string(Failure failure) noexcept;
std::optional<Failure> parse_failure(std::string_view name) noexcept;

// Why a body is incomplete, in the words of WARC-Truncated.
enum class Truncation : std::uint8_t { None, Length, TooLate, Disconnect };
// "length", "time", "disconnect"; empty for None.
std::string_view to_string(Truncation truncation) noexcept;

struct Response {
  RequestId id = 0;
  std::string url;  // of the request

  // 0: no complete head arrived, and `failure` says why. Otherwise there is an answer, and if
  // `failure` is not None its body ended too early. A body cut at body_bytes_max is not a failure.
  int status = 0;
  Failure failure = Failure::None;
  std::string detail;  // what went wrong in words, for people

  std::string http_version;  // "1.0", "1.1", "2"
  std::string request_head;  // as it was sent, with its empty line
  std::string head;          // status line and header lines as received, with the empty line
  std::string body;          // as received: with its chunks (HTTP/1.1) and content codings
  Truncation truncated = Truncation::None;

  std::string address;  // of the server, "192.0.2.1"; empty if none was reached
  Moment started = 0;
  Moment finished = 0;
  std::uint64_t bytes_received = 0;  // head and body, for budgets
};

// Where requests to a host would go.
struct Whereabouts {
  std::string addresses = {};  // that may be tried, separated by spaces; empty: none are known
  bool is_coming = false;      // ask again after the next wait()
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual RequestId start(const Request& request) = 0;
  // Waits until at least one request is finished or halted, a pending address is known, or `until`,
  // and returns all that are finished. With nothing in flight it waits until `until`.
  virtual std::vector<Response> wait(Moment until) = 0;
  // Needs no request, since politeness to addresses requires them first.
  virtual Whereabouts whereabouts(const std::string& /*host*/) { return {}; }
  // The next wait() returns it with Failure::Cancelled, unless it is already finished.
  virtual void cancel(RequestId id) = 0;
  // The requests that have read as much of the body as was granted, and could read more.
  [[nodiscard]] virtual std::vector<RequestId> halted() const { return {}; }
  // A halted request continues up to this size of the body.
  virtual void grant(RequestId /*id*/, std::uint64_t /*body_bytes*/) {}
  // Started and not yet returned.
  [[nodiscard]] virtual std::size_t in_flight() const = 0;
};

// The answer as in a WARC response record: the head, then the body. HTTP/2 has no status line of
// its own; it is written as the same answer in HTTP/1.1.
std::string archived_answer(const Response& response);
// The first field of that name in the answer's head; empty if there is none.
std::string_view header_value(const Response& response, std::string_view name);

}  // namespace webstrata
