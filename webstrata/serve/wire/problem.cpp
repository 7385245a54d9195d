// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/request_test.cpp.

#include "webstrata/serve/wire/problem.h"

#include "webstrata/base/json.h"

namespace webstrata::serve {

std::string_view reason_of_status(int status) noexcept {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 421:
      return "Misdirected Request";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    default:
      return "Unknown";
  }
}

Response problem_response(int status, std::string_view sentence) {
  Response response;
  response.status = status;
  response.content_type = "application/problem+json";
  JsonWriter json(response.body);
  json.begin_object().field("type", "about:blank").field("title", reason_of_status(status));
  json.field("status", status).field("detail", sentence).end_object();
  response.body += "\n";
  if (status == 429 || status == 503) response.headers.emplace_back("Retry-After", "5");
  return response;
}

}  // namespace webstrata::serve
