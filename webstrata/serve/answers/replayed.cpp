// SPDX-License-Identifier: Apache-2.0

// The built-in replay: a capture of the archive, as the WARC files of the server recorded it.
//
// Only what the archive has is replayed, so what it has forgotten is not. A page of the past must
// not act in the name of this server: it is shown in a sandbox without scripts, nothing that it
// names is loaded, and of its headers only those that describe the content keep their names. The
// others are there for readers, as X-Archive-Orig-…; a redirect leads to the replay of its target.
// Tested by tests/serve/replayed_test.cpp.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/answers/mementos.h"
#include "webstrata/serve/replay/recorded_web.h"
#include "webstrata/url/url.h"
#include "webstrata/words/dates.h"

namespace webstrata::serve {
namespace {

constexpr std::string_view kReplayPolicy =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'";

// Headers that describe the content.
bool describes_content(std::string_view name) {
  static constexpr std::string_view kNames[] = {"content-type", "content-encoding",
                                                "content-language", "last-modified"};
  const std::string known = lower(name);
  return std::find(std::begin(kNames), std::end(kNames), known) != std::end(kNames);
}

// "20210814100000id_" or less of it. The recorded bytes are served with and without "id_".
Time time_of_place(const Question& question) {
  std::string word = question.places.find("timestamp")->second;
  if (word.ends_with("id_")) word.resize(word.size() - 3);
  return parse_date_word("the time in the address", word).last;
}

Response redirect_to(const std::string& address) {
  Response response;
  response.status = 302;
  response.content_type = "text/plain; charset=utf-8";
  response.headers = {{"Location", address}};
  return response;
}

// Where a recorded redirect leads, replayed at the same time; empty if that is not a URL.
std::string replayed_target(const std::string& replay, const std::string& timestamp,
                            const std::string& original, const std::string& location) {
  Url base;
  Url target;
  if (!parse_url(original, base) || !resolve_url(base, location, target) || !target.is_web()) {
    return "";
  }
  return memento_address(replay, timestamp, std::string(target.href()));
}

Response replayed(const RecordedAnswer& answer, const std::string& replay,
                  const std::string& original) {
  Response response;
  response.status = answer.status;
  response.is_recorded = true;
  response.headers = {{"Memento-Datetime", to_rfc1123(answer.time)},
                      {"Link", fmt::format("<{}>; rel=\"original\"", original)},
                      {"Content-Security-Policy", std::string(kReplayPolicy)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"}};
  for (const auto& [name, value] : answer.headers) {
    if (equal_ignoring_case(name, "Location")) {
      const std::string target =
          replayed_target(replay, to_timestamp14(answer.time), original, value);
      if (!target.empty()) response.headers.emplace_back("Location", target);
    }
    const bool keeps_name = describes_content(name);
    response.headers.emplace_back(keeps_name ? name : fmt::format("X-Archive-Orig-{}", name),
                                  value);
  }
  response.body = answer.body;
  return response;
}

}  // namespace

Response answer_replay(const Question& question) {
  if (question.recorded == nullptr) {
    throw Problem(404, "this server has no recorded pages; its administrator can add them");
  }
  const std::string original = original_of(question);
  const Time wanted = time_of_place(question);
  const std::vector<Sighting> sightings = replayable(question, original);
  const Sighting& nearest = nearest_to(sightings, wanted);
  const std::string replay = replay_template(question);
  if (nearest.time != wanted || nearest.url != original) {
    return redirect_to(memento_address(replay, to_timestamp14(nearest.time), nearest.url));
  }
  const auto answer = question.recorded->find(nearest.url, nearest.time);
  if (!answer) {
    throw Problem(404, fmt::format("the capture of {} at {} is in no file of this server",
                                   nearest.url, to_rfc3339(nearest.time)));
  }
  return replayed(*answer, replay, original);
}

}  // namespace webstrata::serve
