// SPDX-License-Identifier: Apache-2.0

// What all users of an answer need: its redirect target, and its content without codings.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "webstrata/capture/http/content_coding.h"
#include "webstrata/fetch/wire/transport.h"
#include "webstrata/url/url.h"

namespace webstrata {

// Where a 3xx answer leads: http or https, resolved against the request; empty if nowhere.
std::optional<Url> redirect_target(const Response& response);

class AnswerBody {
 public:
  // Without chunks and content codings, at most BodyDecoder::kContentMax bytes. Lives until the
  // next call.
  std::string_view content(const Response& response);

 private:
  std::string block_;
  BodyDecoder decoder_;
};

}  // namespace webstrata
