// SPDX-License-Identifier: Apache-2.0

// The body of an HTTP message without its codings: chunked transfer, then gzip, deflate, br, zstd.
//
// Crawlers often store the decoded body and keep the old headers (Common Crawl does). So a coding
// that was not applied is ignored, and that is not damage.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/capture/http/http_message.h"

namespace webstrata {

struct DecodedBody {
  std::string_view entity;   // without transfer coding; what a payload digest is computed from
  std::string_view content;  // without content coding either; what a reader sees
  std::string problem;       // why `content` ends early; empty if it does not
};

class BodyDecoder {
 public:
  // A body that grows beyond this is cut there.
  static constexpr std::size_t kContentMax = std::size_t{48} << 20;

  // Views point into `response.body` or into buffers of the decoder, until the next call.
  DecodedBody decode(const HttpResponse& response);

 private:
  std::string dechunked_;
  std::string content_[2];
};

}  // namespace webstrata
