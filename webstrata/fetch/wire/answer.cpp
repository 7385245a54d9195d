// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/answer_test.cpp.

#include "webstrata/fetch/wire/answer.h"

#include "webstrata/capture/http/http_message.h"

namespace webstrata {

std::optional<Url> redirect_target(const Response& response) {
  if (response.status < 300 || response.status >= 400) return std::nullopt;
  const std::string_view location = header_value(response, "Location");
  Url asked;
  Url target;
  if (location.empty() || !parse_url(response.url, asked)) return std::nullopt;
  if (!resolve_url(asked, location, target) || !target.is_web()) return std::nullopt;
  if (target.scheme() == "ftp") return std::nullopt;
  return target;
}

std::string_view AnswerBody::content(const Response& response) {
  block_ = archived_answer(response);
  HttpResponse parsed;
  if (!parse_http_response(block_, parsed)) return {};
  return decoder_.decode(parsed).content;
}

}  // namespace webstrata
