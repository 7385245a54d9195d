// SPDX-License-Identifier: Apache-2.0

// An answer as a server sends it: head and body in any bytes, through everything that looks at
// them.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "webstrata/capture/http/http_message.h"
#include "webstrata/fetch/probe/page_answer.h"
#include "webstrata/fetch/rules/politeness.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find("\r\n\r\n");
  webstrata::Response response;
  response.url = "http://a.example/d/p?q=1";
  response.head = text.substr(0, end == std::string_view::npos ? size : end + 4);
  response.body = end == std::string_view::npos ? std::string_view() : text.substr(end + 4);
  webstrata::HttpResponse parsed;
  response.status = webstrata::parse_http_response(response.head, parsed) ? parsed.status : 0;
  static webstrata::AnswerReader reader;
  const webstrata::PageAnswer answer = reader.read(response);
  if (!answer.target.empty() && !answer.target.starts_with("http") &&
      !answer.target.starts_with("ftp")) {
    std::abort();
  }
  if (answer.sketch.hashes.size() > webstrata::kSketchSize) std::abort();
  const auto retry = webstrata::retry_after(response, 1'700'000'000'000);
  static_cast<void>(retry);
  return 0;
}
