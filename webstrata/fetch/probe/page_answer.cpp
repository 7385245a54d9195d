// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/page_answer_test.cpp.

#include "webstrata/fetch/probe/page_answer.h"

#include <algorithm>

#include "webstrata/base/text.h"
#include "webstrata/capture/http/http_capture.h"
#include "webstrata/fetch/probe/parked.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

bool holds_ignoring_case(std::string_view text, std::string_view phrase) {
  return std::search(text.begin(), text.end(), phrase.begin(), phrase.end(),
                     [](char a, char b) { return to_lower(a) == to_lower(b); }) != text.end();
}

ReadOptions page_options() {
  ReadOptions options;
  options.kinds = kAllKinds;  // parking services are loaded, not linked to
  options.with_title = true;
  options.with_text = true;
  return options;
}

// A service that another site's page loads. Its own pages are its site.
std::string service_of(const Capture& capture, std::string_view own_host) {
  Url target;
  for (std::size_t i = 0; i < capture.links.size(); ++i) {
    const Link link = capture.links[i];
    if (!restore_url(link.target, link.shape, target)) continue;
    const std::string_view service = parking_service(target.host());
    if (!service.empty() && parking_service(own_host).empty()) return std::string(service);
  }
  return {};
}

}  // namespace

struct AnswerReader::State {
  ReadOptions options = page_options();
  Report report;
  HttpCapture http{options, report};
  Capture capture;
  BodyDecoder decoder;
};

AnswerReader::AnswerReader() : state_(std::make_unique<State>()) {}
AnswerReader::~AnswerReader() = default;

PageAnswer AnswerReader::read(const Response& response, bool is_head) {
  PageAnswer answer{.url = response.url,
                    .time = response.finished,
                    .is_head = is_head,
                    .status = response.status,
                    .failure = response.failure,
                    .detail = response.detail,
                    .truncated = response.truncated};
  Url url;
  if (response.status == 0 || !parse_url(response.url, url)) return answer;
  const std::string block = archived_answer(response);
  Capture& capture = state_->capture;
  capture.clear();
  state_->report = {};
  if (!state_->http.take_response(block, url, 0, capture)) return answer;
  answer.target = capture.sighting.redirect_target;
  if (is_head || response.status < 200 || response.status >= 300) return answer;

  answer.digest = capture.sighting.digest;
  answer.is_empty = response.body.empty();
  std::string_view text = capture.text;
  if (!capture.links_known) {  // not a page: plain text, or something without words
    HttpResponse parsed;
    if (capture.sighting.mime == "text/plain" && parse_http_response(block, parsed)) {
      text = state_->decoder.decode(parsed).content;
    } else {
      text = {};
    }
  }
  answer.title = capture.title;
  answer.sketch = sketch_text(text, own_words(response.url));
  for (const std::string_view phrase : {"Page Not Found", "Error 404"}) {
    answer.says_not_found |=
        holds_ignoring_case(capture.title, phrase) || holds_ignoring_case(text, phrase);
  }
  answer.sale_phrase = sale_phrase(text);
  answer.parking_service = service_of(capture, url.host());
  return answer;
}

std::vector<std::string> own_words(std::string_view url) {
  std::vector<std::string> words;
  Url parsed;
  if (!parse_url(url, parsed)) return words;
  const auto add = [&words](std::string_view part) {
    std::string word(part);
    std::transform(word.begin(), word.end(), word.begin(), to_lower);
    if (word.size() >= 3) words.push_back(std::move(word));
  };
  std::string_view path = parsed.path();
  while (path.ends_with('/')) path.remove_suffix(1);
  add(path.substr(path.rfind('/') + 1));
  for (std::string_view query = parsed.query(); !query.empty();) {
    query.remove_prefix(1);  // '?' or '&'
    const std::string_view pair = query.substr(0, query.find('&'));
    const std::size_t equals = pair.find('=');
    add(equals == std::string_view::npos ? pair : pair.substr(equals + 1));
    query.remove_prefix(pair.size());
  }
  return words;
}

}  // namespace webstrata
