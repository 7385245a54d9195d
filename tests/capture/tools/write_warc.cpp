// SPDX-License-Identifier: Apache-2.0

// Writes WARCs with every kind of record for other tools to read: write_warc FOLDER
// PACKED and PLAIN hold ordinary messages; MIXED, answers whose header has every mixture of line
// ends.

#include "webstrata/capture/warc_writer.h"

#include <string>

#include <fmt/format.h>

namespace {

using namespace webstrata;  // NOLINT

void write_mixed_line_ends(const char* folder) {
  WarcWriter writer({.folder = folder, .prefix = "MIXED", .seed = 7});
  const std::string ends[] = {"\n", "\r\n", "\r\r\n"};
  for (int i = 0; i < 27; ++i) {
    const std::string url = fmt::format("http://a.example/{}", i);
    const std::string answer =
        fmt::format("HTTP/1.1 200 OK{}Content-Type: text/html{}{}\r\n<p>{}</p>", ends[i / 9],
                    ends[i / 3 % 3], ends[i % 3], i);
    const WarcMessage message{.url = url, .time = 1686355200 + i, .http = answer};
    const WarcPlace place = writer.write_response(message);
    writer.write_revisit(message, {.payload_digest = place.payload_digest, .refers_to_url = url});
  }
  writer.close();
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) return 2;
  write_mixed_line_ends(arguments[1]);
  for (const bool compress : {true, false}) {
    WarcWriter writer({.folder = arguments[1],
                       .prefix = compress ? "PACKED" : "PLAIN",
                       .info = {{"operator", "test"}},
                       .compress = compress,
                       .seed = 7});
    for (int i = 0; i < 50; ++i) {
      const std::string url = fmt::format("http://a.example/{}?q=\xc3\xa4", i);
      const std::string body(static_cast<std::size_t>(i * 1000), 'x');
      const std::string answer =
          fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}",
                      body.size(), body);
      const std::string request = fmt::format("GET /{} HTTP/1.1\r\nHost: a.example\r\n\r\n", i);
      const WarcMessage message{
          .url = url, .time = 1686355200 + i, .http = answer, .ip = "192.0.2.1"};
      const WarcPlace place = writer.write_response(message);
      writer.write_request({.url = url, .time = message.time, .http = request}, place.record_id);
      writer.write_metadata(url, message.time, place.record_id, {{"via", "http://b.example/"}});
      writer.write_revisit(message, {.payload_digest = place.payload_digest,
                                     .refers_to_url = url,
                                     .refers_to_time = message.time});
      writer.write_revisit(message, {.profile = RevisitProfile::NotModified, .refers_to_url = url});
    }
    writer.close();
  }
  return 0;
}
