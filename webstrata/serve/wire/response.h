// SPDX-License-Identifier: Apache-2.0

// An answer: status, headers, and a body that is complete or comes in pieces.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace webstrata::serve {

// What the producer of a body in pieces did.
enum class More : std::uint8_t {
  Data,  // appended something; ask again
  Wait,  // nothing yet; ask again after a second
  End,   // appended the last piece, or nothing
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  // The headers are all that there are, as they were recorded: none is added about the content, and
  // the body is sent as it is.
  bool is_recorded = false;
  // Nothing was answered, since it would take long: ask again on a worker (Request::is_in_loop).
  bool needs_worker = false;
  // A body in pieces, if set: `body` comes first, then what each call appends. Errors that it
  // throws break the connection off, so that the client sees that the answer is incomplete.
  std::function<More(std::string& out)> more = {};

  [[nodiscard]] bool is_streamed() const noexcept { return static_cast<bool>(more); }
};

// What the head of a response says besides Response::headers.
struct HeadFacts {
  int version = 11;  // of the request
  bool keeps_connection = true;
  bool is_gzip = false;
  bool is_chunked = false;
};

// The status line and all headers, with the empty line. Control characters in values become '?', so
// that no value can begin a header of its own.
std::string head_of(const Response& response, const HeadFacts& facts);

// Whether a header Accept-Encoding allows gzip: named or by "*", and not with q=0.
bool accepts_gzip(std::string_view accept_encoding) noexcept;

// Compresses a body, piece by piece or at once.
class GzipBody {
 public:
  GzipBody();
  GzipBody(const GzipBody&) = delete;
  GzipBody& operator=(const GzipBody&) = delete;
  ~GzipBody();

  // What can be sent now, so that the client sees everything so far; with `is_last` the end.
  std::string compress(std::string_view bytes, bool is_last);

 private:
  struct State;
  State* state_;
};

}  // namespace webstrata::serve
