// SPDX-License-Identifier: Apache-2.0

// One request inside curl_transport.cpp: what curl delivers meanwhile, and how it ended.

#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

struct CurlSettings {
  std::string agent;
  std::string ca_file;
};

class CurlTransfer {
 public:
  CurlTransfer(RequestId id, const Request& request, Moment started);
  ~CurlTransfer();
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  // Prepares the handle to connect to `place` ("192.0.2.1:80", "[2001:db8::1]:443").
  CURL* prepare(const CurlSettings& settings, const std::string& place, Moment now);
  // Reads from the handle how it ended, then releases it.
  void finish(CURLcode code, Moment now);
  // Ends without an exchange.
  void fail(Failure failure, std::string_view detail, Moment now);

  [[nodiscard]] const Request& request() const noexcept { return request_; }
  [[nodiscard]] CURL* handle() const noexcept { return handle_; }
  [[nodiscard]] Response& response() noexcept { return response_; }
  // More of the body has arrived than was granted.
  [[nodiscard]] bool is_halted() const noexcept { return is_halted_; }
  void grant(std::uint64_t body_bytes);
  [[nodiscard]] Moment deadline() const noexcept {
    return response_.started + request_.limits.total_ms_max;
  }

 private:
  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self);
  static int on_debug(CURL* handle, curl_infotype type, char* bytes, std::size_t size, void* self);
  bool take_header(std::string_view line);
  enum class Taken : std::uint8_t { All, Halted, Cut };
  Taken take_body(std::string_view bytes);
  void set_options(const CurlSettings& settings, const std::string& place, Moment now);
  void set_headers();
  void release();
  [[nodiscard]] Failure failure_of(CURLcode code) const;
  [[nodiscard]] bool was_connected() const;

  Request request_;
  Response response_;
  CURL* handle_ = nullptr;
  curl_slist* headers_ = nullptr;
  curl_slist* connect_to_ = nullptr;
  std::uint64_t head_bytes_ = 0;  // of all heads, 1xx and trailers included
  bool head_is_whole_ = false;
  bool head_is_too_large_ = false;
  bool body_is_cut_ = false;
  bool is_halted_ = false;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace webstrata
