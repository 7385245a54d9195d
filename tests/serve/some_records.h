// SPDX-License-Identifier: Apache-2.0

// WARC records written by hand, of URLs and times that small_web.h has too.

#pragma once

#include <string>

namespace webstrata::serve {

inline std::string record(const std::string& type, const std::string& url, const std::string& date,
                          const std::string& http, const std::string& digest) {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Target-URI: " + url +
         "\r\nWARC-Date: " + date + "T00:00:00Z\r\nWARC-Payload-Digest: " + digest +
         "\r\nContent-Length: " + std::to_string(http.size()) + "\r\n\r\n" + http + "\r\n\r\n";
}

inline std::string some_records() {
  const std::string chunked =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nold\r\n0\r\n\r\n";
  const std::string gone = "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone";
  const std::string unchanged = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  return record("response", "http://a.example/", "2020-06-01", chunked, "sha1:A") +
         record("response", "https://a.example/b?c", "2020-06-01", gone, "sha1:B") +
         record("response", "http://a.example/", "2021-06-01",
                "HTTP/1.1 301 Moved\r\nLocation: /b?c\r\n\r\n", "sha1:C") +
         record("revisit", "http://c.example/", "2021-06-01", unchanged, "sha1:A");
}

}  // namespace webstrata::serve
