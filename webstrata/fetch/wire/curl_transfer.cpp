// SPDX-License-Identifier: Apache-2.0

// curl returns the body as received, with chunks and codings, because a WARC record stores it that
// way; it still parses the chunks, so that broken ones are noticed.
// Tested by tests/fetch/hostile_server_test.py.

#include "webstrata/fetch/wire/curl_transfer.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/capture/remote/curl_library.h"

namespace webstrata {
namespace {

constexpr std::string_view kAcceptedCodings = "gzip, br";

template <typename Value>
void set(CURL* handle, CURLoption option, Value value) {
  const CURLcode code = curl().easy_setopt(handle, option, value);
  if (code != CURLE_OK) {
    throw Error(ErrorKind::BadInput,
                fmt::format("libcurl refuses an option: {}", curl().easy_strerror(code)));
  }
}

std::string_view version_text(long version) {
  switch (version) {
    case CURL_HTTP_VERSION_1_0:
      return "1.0";
    case CURL_HTTP_VERSION_2_0:
      return "2";
    default:
      return "1.1";
  }
}

}  // namespace

CurlTransfer::CurlTransfer(RequestId id, const Request& request, Moment started)
    : request_(request) {
  response_.id = id;
  response_.url = request.url;
  response_.started = started;
}

CurlTransfer::~CurlTransfer() { release(); }

void CurlTransfer::release() {
  curl().easy_cleanup(handle_);
  curl().slist_free_all(headers_);
  curl().slist_free_all(connect_to_);
  handle_ = nullptr;
  headers_ = connect_to_ = nullptr;
}

CURL* CurlTransfer::prepare(const CurlSettings& settings, const std::string& place, Moment now) {
  release();
  handle_ = curl().easy_init();
  if (handle_ == nullptr) throw Error(ErrorKind::Io, "libcurl has no memory for a request");
  set_options(settings, place, now);
  set_headers();
  return handle_;
}

void CurlTransfer::set_options(const CurlSettings& settings, const std::string& place, Moment now) {
  const RequestLimits& limits = request_.limits;
  const std::string rule = "::" + place;
  connect_to_ = curl().slist_append(nullptr, rule.c_str());
  set(handle_, CURLOPT_PRIVATE, this);
  set(handle_, CURLOPT_URL, request_.url.c_str());
  set(handle_, CURLOPT_CONNECT_TO, connect_to_);
  set(handle_, CURLOPT_PROTOCOLS_STR, "http,https");
  set(handle_, CURLOPT_PROXY, "");
  set(handle_, CURLOPT_PATH_AS_IS, 1L);
  set(handle_, CURLOPT_FOLLOWLOCATION, 0L);
  if (request_.is_head) set(handle_, CURLOPT_NOBODY, 1L);
  set(handle_, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_2TLS});
  set(handle_, CURLOPT_HTTP_TRANSFER_DECODING, 0L);
  set(handle_, CURLOPT_NOSIGNAL, 1L);
  set(handle_, CURLOPT_USERAGENT, settings.agent.c_str());
  if (!settings.ca_file.empty()) set(handle_, CURLOPT_CAINFO, settings.ca_file.c_str());

  set(handle_, CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<Moment>(1, deadline() - now)));
  set(handle_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect_ms_max));
  set(handle_, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(limits.low_speed_bytes));
  set(handle_, CURLOPT_LOW_SPEED_TIME,
      static_cast<long>(std::max<Moment>(1, limits.low_speed_ms / 1000)));

  set(handle_, CURLOPT_ERRORBUFFER, error_);
  set(handle_, CURLOPT_HEADERFUNCTION, on_header);
  set(handle_, CURLOPT_HEADERDATA, this);
  set(handle_, CURLOPT_WRITEFUNCTION, on_body);
  set(handle_, CURLOPT_WRITEDATA, this);
  // Only to record what was sent.
  set(handle_, CURLOPT_VERBOSE, 1L);
  set(handle_, CURLOPT_DEBUGFUNCTION, on_debug);
  set(handle_, CURLOPT_DEBUGDATA, this);
}

void CurlTransfer::set_headers() {
  const auto add = [this](std::string_view name, std::string_view value) {
    headers_ = curl().slist_append(headers_, fmt::format("{}: {}", name, value).c_str());
  };
  add("Accept-Encoding", kAcceptedCodings);
  for (const auto& [name, value] : request_.headers) add(name, value);
  set(handle_, CURLOPT_HTTPHEADER, headers_);
  if (request_.first_bytes && *request_.first_bytes > 0) {
    set(handle_, CURLOPT_RANGE, fmt::format("0-{}", *request_.first_bytes - 1).c_str());
  }
}

std::size_t CurlTransfer::on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  return static_cast<CurlTransfer*>(self)->take_header({bytes, size * count}) ? size * count : 0;
}

std::size_t CurlTransfer::on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  const Taken taken = static_cast<CurlTransfer*>(self)->take_body({bytes, size * count});
  if (taken == Taken::Halted) return CURL_WRITEFUNC_PAUSE;  // they come again
  return taken == Taken::All ? size * count : 0;
}

int CurlTransfer::on_debug(CURL*, curl_infotype type, char* bytes, std::size_t size, void* self) {
  if (type == CURLINFO_HEADER_OUT) {
    static_cast<CurlTransfer*>(self)->response_.request_head.assign(bytes, size);
  }
  return 0;
}

bool CurlTransfer::take_header(std::string_view line) {
  head_bytes_ += line.size();
  if (head_bytes_ > request_.limits.head_bytes_max) {
    head_is_too_large_ = true;
    return false;
  }
  if (head_is_whole_ && line.starts_with("HTTP/")) {  // the answer after a 1xx one
    response_.head.clear();
    head_is_whole_ = false;
  }
  if (head_is_whole_) return true;  // trailers
  response_.head.append(line);
  if (line == "\r\n" || line == "\n") head_is_whole_ = true;
  return true;
}

CurlTransfer::Taken CurlTransfer::take_body(std::string_view bytes) {
  const std::uint64_t room = request_.limits.body_bytes_max - response_.body.size();
  const std::string_view wanted = bytes.substr(0, room);
  is_halted_ =
      request_.body_granted && response_.body.size() + wanted.size() > *request_.body_granted;
  if (is_halted_) return Taken::Halted;
  response_.body.append(wanted);
  body_is_cut_ = bytes.size() > room;
  return body_is_cut_ ? Taken::Cut : Taken::All;
}

void CurlTransfer::grant(std::uint64_t body_bytes) {
  request_.body_granted = body_bytes;
  if (!std::exchange(is_halted_, false)) return;
  curl().easy_pause(handle_, CURLPAUSE_CONT);
}

bool CurlTransfer::was_connected() const {
  curl_off_t microseconds = 0;
  const bool is_secure = request_.url.starts_with("https:");
  curl().easy_getinfo(handle_, is_secure ? CURLINFO_APPCONNECT_TIME_T : CURLINFO_CONNECT_TIME_T,
                      &microseconds);
  return microseconds > 0;
}

Failure CurlTransfer::failure_of(CURLcode code) const {
  const std::string_view words = error_;
  switch (code) {
    case CURLE_OK:
      return Failure::None;
    case CURLE_COULDNT_CONNECT: {
      long number = 0;
      curl().easy_getinfo(handle_, CURLINFO_OS_ERRNO, &number);
      return number == ECONNREFUSED ? Failure::ConnectionRefused : Failure::ConnectTimeout;
    }
    case CURLE_OPERATION_TIMEDOUT:
      if (words.starts_with("Operation too slow")) return Failure::TooSlow;
      return was_connected() ? Failure::Timeout : Failure::ConnectTimeout;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_USE_SSL_FAILED:
      return Failure::Tls;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_PARTIAL_FILE:
      return Failure::Reset;
    case CURLE_RECV_ERROR:  // also for broken chunks
      return words.find("hunk") == std::string_view::npos ? Failure::Reset : Failure::BadProtocol;
    case CURLE_OUT_OF_MEMORY:  // one header line beyond curl's own limit
      return head_is_whole_ ? Failure::BadProtocol : Failure::HeadTooLarge;
    case CURLE_URL_MALFORMAT:
      return Failure::BadUrl;
    default:
      return Failure::BadProtocol;
  }
}

void CurlTransfer::finish(CURLcode code, Moment now) {
  Failure failure = failure_of(code);
  if (body_is_cut_) failure = Failure::None;
  if (head_is_too_large_) failure = Failure::HeadTooLarge;
  response_.failure = failure;
  if (failure != Failure::None) {
    response_.detail = failure == Failure::HeadTooLarge ? "more header lines than we take"
                       : error_[0] != '\0'              ? error_
                                                        : curl().easy_strerror(code);
  }
  if (head_is_whole_ && failure != Failure::HeadTooLarge) {
    long status = 0;
    curl().easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    response_.status = static_cast<int>(status);
    const bool is_late = failure == Failure::Timeout || failure == Failure::TooSlow;
    response_.truncated = body_is_cut_               ? Truncation::Length
                          : failure == Failure::None ? Truncation::None
                          : is_late                  ? Truncation::TooLate
                                                     : Truncation::Disconnect;
  } else {
    response_.head.clear();
    response_.body.clear();
  }
  long version = 0;
  curl().easy_getinfo(handle_, CURLINFO_HTTP_VERSION, &version);
  response_.http_version = version_text(version);
  char* address = nullptr;
  curl().easy_getinfo(handle_, CURLINFO_PRIMARY_IP, &address);
  if (address != nullptr) response_.address = address;
  response_.bytes_received = head_bytes_ + response_.body.size();
  response_.finished = now;
  release();
}

void CurlTransfer::fail(Failure failure, std::string_view detail, Moment now) {
  response_.failure = failure;
  response_.detail = detail;
  response_.finished = now;
  response_.status = 0;
  response_.head.clear();
  response_.body.clear();
  response_.bytes_received = head_bytes_;
  release();
}

}  // namespace webstrata
