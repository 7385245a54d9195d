// SPDX-License-Identifier: Apache-2.0

// The presence matrix of a page: which of its links each of its captures had.
// Tested by tests/serve/answers_test.cpp.

#include "webstrata/show/strata.h"

#include "webstrata/archive/ask/presence.h"
#include "webstrata/serve/answers/answers.h"

namespace webstrata::serve {

Response answer_strata(const Question& question) {
  PresenceQuestion asked;
  asked.direction =
      question.choice("direction", {"out", "in"}) == "in" ? Direction::In : Direction::Out;
  asked.during = question.during("during");
  asked.kinds = question.kinds("all");
  asked.links_max = question.whole("limit", 1, asked.links_max, asked.links_max);
  const std::vector<Uid> nodes = {question.node("url")};
  const Presence found = presence(question.archive(), nodes, asked);
  return json_response(
      strata_as_json(strata_of(question.archive(), nodes, asked.direction, found)));
}

}  // namespace webstrata::serve
