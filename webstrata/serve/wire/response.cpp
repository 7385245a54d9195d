// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/request_test.cpp.

#include "webstrata/serve/wire/response.h"

#include <zlib.h>

#include <new>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/base/time.h"
#include "webstrata/serve/wire/problem.h"

namespace webstrata::serve {
namespace {

constexpr int kGzipLevel = 4;         // of 9: half the time of the default for 3 % more bytes
constexpr int kGzipWindow = 15 + 16;  // the largest window, and the form of gzip

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  for (const char c : value) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    out += is_control ? '?' : c;
  }
  out += "\r\n";
}

// The text of the second does not change for a second.
const std::string& date_now() {
  thread_local Time at = 0;
  thread_local std::string text;
  const Time time = now();
  if (time != at || text.empty()) {
    at = time;
    text = to_rfc1123(time);
  }
  return text;
}

bool is_refused(std::string_view parameters) noexcept {
  const std::size_t q = parameters.find("q=");
  if (q == std::string_view::npos) return false;
  const std::string_view value = parameters.substr(q + 2);
  return value.starts_with('0') && value.find_first_of("123456789") == std::string_view::npos;
}

}  // namespace

std::string head_of(const Response& response, const HeadFacts& facts) {
  std::string head = fmt::format("HTTP/1.{} {} {}\r\n", facts.version == 10 ? 0 : 1,
                                 response.status, reason_of_status(response.status));
  if (!response.is_recorded) {
    append_header(head, "Date", date_now());
    append_header(head, "Server", "webstrata");
    append_header(head, "X-Content-Type-Options", "nosniff");
  }
  const bool has_body = response.status != 204 && response.status != 304;
  if (has_body && !response.is_recorded) {
    append_header(head, "Content-Type", response.content_type);
  }
  for (const auto& [name, value] : response.headers) append_header(head, name, value);
  if (facts.is_gzip) append_header(head, "Content-Encoding", "gzip");
  if (facts.is_chunked) {
    append_header(head, "Transfer-Encoding", "chunked");
  } else if (has_body && !response.is_streamed()) {
    append_header(head, "Content-Length", std::to_string(response.body.size()));
  }
  if (!facts.keeps_connection) {
    append_header(head, "Connection", "close");
  } else if (facts.version == 10) {
    append_header(head, "Connection", "keep-alive");
  }
  return head + "\r\n";
}

bool accepts_gzip(std::string_view accept_encoding) noexcept {
  bool accepts_any = false;
  while (!accept_encoding.empty()) {
    const std::size_t comma = accept_encoding.find(',');
    std::string_view coding = accept_encoding.substr(0, comma);
    accept_encoding =
        comma == std::string_view::npos ? std::string_view() : accept_encoding.substr(comma + 1);
    const std::size_t semicolon = coding.find(';');
    const std::string_view name = trim(coding.substr(0, semicolon));
    const bool refused =
        semicolon != std::string_view::npos && is_refused(coding.substr(semicolon + 1));
    if (equal_ignoring_case(name, "gzip") || equal_ignoring_case(name, "x-gzip")) return !refused;
    if (name == "*") accepts_any = !refused;
  }
  return accepts_any;
}

struct GzipBody::State {
  z_stream stream = {};
};

GzipBody::GzipBody() : state_(new State) {
  if (deflateInit2(&state_->stream, kGzipLevel, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    delete state_;
    throw std::bad_alloc();
  }
}

GzipBody::~GzipBody() {
  deflateEnd(&state_->stream);
  delete state_;
}

std::string GzipBody::compress(std::string_view bytes, bool is_last) {
  constexpr std::size_t kStep = std::size_t{16} << 10;
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int result = Z_OK;
  do {
    const std::size_t before = out.size();
    out.resize(before + kStep);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = kStep;
    result = deflate(&stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
    out.resize(out.size() - stream.avail_out);
  } while (stream.avail_out == 0 || (is_last && result == Z_OK));
  return out;
}

}  // namespace webstrata::serve
