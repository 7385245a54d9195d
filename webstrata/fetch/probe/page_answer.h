// SPDX-License-Identifier: Apache-2.0

// What an answer says about a page, in a few hundred bytes: everything that a verdict (verdict.h)
// needs after the body is discarded.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "webstrata/fetch/probe/text_sketch.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

// How the request for a page ended.
enum class AskEnd : std::uint8_t {
  Answered,    // `status` and `failure` say how
  Disallowed,  // by robots.txt; not requested
  NotAsked,    // for another reason; `detail` says which
  Refused,     // by us: what we must not request says nothing about the page
};

struct PageAnswer {
  std::string url = {};
  AskEnd end = AskEnd::Answered;
  Moment time = 0;
  bool is_head = false;  // the answer to HEAD: nothing is known of the content
  int status = 0;
  Failure failure = Failure::None;
  std::string detail = {};  // of a failure, of a rule of robots.txt
  Truncation truncated = Truncation::None;
  std::string target = {};  // of a redirect: where it leads, normalised

  // Of 2xx answers.
  std::string digest = {};  // of the payload
  bool is_empty = true;
  std::string title = {};
  TextSketch sketch = {};  // of the visible text, without the page's own name
  bool says_not_found =
      false;  // "Page Not Found" or "Error 404" in title or text (the papers' rule)
  std::string sale_phrase = {};      // a phrase typical of domains for sale
  std::string parking_service = {};  // a host of a parking service that the page loads or links to
};

class AnswerReader {
 public:
  AnswerReader();
  ~AnswerReader();
  // is_head: the request was HEAD, so a body is not missing.
  PageAnswer read(const Response& response, bool is_head = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The words of a URL that an error page may repeat: the last parts of its path, lower case.
std::vector<std::string> own_words(std::string_view url);

}  // namespace webstrata
