// SPDX-License-Identifier: Apache-2.0

// A page: its state, the times during which its sightings agree, its captures. The state at a time
// is that of the last sighting that decides one; it holds since the first of those before it that
// all agree. Captures are read node after node, so that a list of any length takes little memory.
// Tested by tests/serve/answers_test.cpp.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/archive/ask/page_captures.h"
#include "webstrata/base/json.h"
#include "webstrata/facts/page_state.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/url/url.h"
#include "webstrata/words/dates.h"

namespace webstrata::serve {
namespace {

struct StateSpan {
  PageState state = PageState::Unknown;
  Time since = 0;
  Time until = 0;
};

std::vector<StateSpan> states_of(const std::vector<Sighting>& sightings) {
  std::vector<StateSpan> spans;
  for (const Sighting& sighting : sightings) {
    const auto state = decided_by(sighting.outcome);
    if (!state) continue;
    const bool continues = !spans.empty() && spans.back().state == *state;
    if (continues) {
      spans.back().until = sighting.time;
    } else {
      spans.push_back({*state, sighting.time, sighting.time});
    }
  }
  return spans;
}

// Since when the sightings agree with the one that decided the state.
Time since_when(const std::vector<StateSpan>& states, const PageAt& page) {
  for (const StateSpan& span : states) {
    if (span.state == page.state && span.since <= page.since && page.since <= span.until) {
      return span.since;
    }
  }
  return page.since;
}

void append_states(JsonWriter& json, const std::vector<StateSpan>& states) {
  json.key("states").begin_array();
  for (const StateSpan& span : states) {
    json.begin_object().field("state", to_string(span.state));
    json.field("since", to_rfc3339(span.since)).field("until", to_rfc3339(span.until)).end_object();
  }
  json.end_array();
}

void append_spellings(JsonWriter& json, const Archive& archive, Uid uid) {
  json.key("spellings").begin_array();
  Url url;
  if (parse_url(archive.url(uid), url)) {
    for (const Uid other : archive.folded(archive.url(uid), Dialect::Ia)) {
      if (other != uid) json.value(archive.url(other));
    }
  }
  json.end_array();
}

void append_scores(JsonWriter& json, const Question& question, Uid uid) {
  json.key("scores").begin_object();
  for (const auto& [name, file] : question.archive().manifest().scores) {
    if (!question.served->derived.has_scores(name)) question.leave_loop();
    const auto scores =
        question.served->derived.scores(question.archive(), name, question.request.deadline);
    const double score = uid < scores->size() ? (*scores)[uid] : 0;
    if (score == score) json.field(name, score);  // missing is not a number
  }
  json.end_object();
}

void append_capture(std::string& out, const Capture& capture) {
  const Sighting& sighting = capture.sighting;
  JsonWriter json(out);
  json.begin_object().field("url", sighting.url).field("time", to_rfc3339(sighting.time));
  json.field("kind", to_string(sighting.kind));
  if (sighting.status) json.field("status", *sighting.status);
  json.field("outcome", to_string(sighting.outcome));
  if (!sighting.mime.empty()) json.field("mime", sighting.mime);
  if (!sighting.digest.empty()) json.field("digest", sighting.digest);
  if (capture.links_known) json.field("links", capture.links.size());
  if (!sighting.redirect_target.empty()) json.field("redirect", sighting.redirect_target);
  if (sighting.truncated) json.field("truncated", true);
  if (!sighting.file.empty()) json.field("file", sighting.file);
  if (sighting.offset) json.field("offset", *sighting.offset);
  if (sighting.length) json.field("length", *sighting.length);
  json.end_object();
}

TimeInterval interval_of_words(const Question& question) {
  TimeInterval interval = kEver;
  if (const auto from = question.text("from"))
    interval.first = parse_date_word("from", *from).first;
  if (const auto to = question.text("to")) interval.last = parse_date_word("to", *to).last;
  return interval;
}

// Captures node after node; those of one node are read at once.
struct CaptureCursor {
  std::vector<Uid> nodes;
  TimeInterval interval;
  std::size_t node = 0;  // the next one to read
  std::vector<std::string> lines = {};
  std::size_t line = 0;
  std::uint64_t given = 0;  // of the node that is read

  bool advance(const Archive& archive, std::string& out) {
    while (line >= lines.size()) {
      if (node >= nodes.size()) return false;
      lines.clear();
      line = 0;
      given = 0;
      visit_captures(archive, nodes[node++], [&](const Capture& capture) {
        const Time time = capture.sighting.time;
        if (time >= interval.first && time <= interval.last) {
          append_capture(lines.emplace_back(), capture);
        }
      });
    }
    out += lines[line++];
    ++given;
    return true;
  }
};

// "12 http://…": 12 captures of that URL were already returned.
std::string capture_resume(const Archive& archive, const CaptureCursor& cursor) {
  return fmt::format("{} {}", cursor.given, archive.url(cursor.nodes[cursor.node - 1]));
}

void resume_captures(const Archive& archive, const std::string& after, CaptureCursor& cursor) {
  const std::size_t space = after.find(' ');
  const auto uid = space == std::string::npos ? std::nullopt : archive.uid(after.substr(space + 1));
  const auto place =
      uid ? std::find(cursor.nodes.begin(), cursor.nodes.end(), *uid) : cursor.nodes.end();
  const bool is_number = space != 0 && space != std::string::npos && space <= 18 &&
                         after.find_first_not_of("0123456789") == space;
  if (place == cursor.nodes.end() || !is_number) {
    throw Problem(400, "after: not a value that an answer gave as next");
  }
  cursor.node = static_cast<std::size_t>(place - cursor.nodes.begin());
  const std::uint64_t skipped = std::stoull(after.substr(0, space));
  std::string ignored;
  for (std::uint64_t i = 0; i < skipped && cursor.advance(archive, ignored); ++i) ignored.clear();
}

}  // namespace

Response answer_page(const Question& question) {
  const Archive& archive = question.archive();
  const Uid uid = question.node("url");
  const auto& span = archive.manifest().counts.span;
  const Time at = question.at("at").value_or(span ? span->last : 0);
  const PageAt page = archive.links_at(uid, at);
  const std::vector<Sighting> sightings = archive.sightings(uid);
  const std::vector<StateSpan> states = states_of(sightings);
  const std::vector<Time> times = archive.capture_times(uid);
  std::string body;
  JsonWriter json(body);
  json.begin_object().field("url", archive.url(uid)).field("uid", uid);
  json.field("at", to_rfc3339(at)).field("state", to_string(page.state));
  if (page.state != PageState::Unknown) {
    json.field("since", to_rfc3339(since_when(states, page)));
    json.field("seen", to_rfc3339(page.since));
  }
  if (page.captured) json.field("captured", to_rfc3339(*page.captured));
  json.field("captures", times.size()).field("sightings", sightings.size());
  json.field("links_out", archive.link_count(uid));
  json.field("links_in", archive.link_count(uid, Direction::In));
  if (!sightings.empty()) {
    json.field("first", to_rfc3339(sightings.front().time));
    json.field("last", to_rfc3339(sightings.back().time));
  }
  append_states(json, states);
  append_spellings(json, archive, uid);
  append_scores(json, question, uid);
  json.end_object();
  return json_response(std::move(body));
}

Response answer_captures(const Question& question) {
  const Archive archive = question.archive();
  const auto cursor = std::make_shared<CaptureCursor>();
  cursor->nodes = question.nodes("url");
  cursor->interval = interval_of_words(question);
  if (const auto after = question.text("after")) resume_captures(archive, *after, *cursor);
  ListAnswer list;
  list.name = "captures";
  list.columns = {{"url"},
                  {"time", ColumnKind::Moment},
                  {"kind"},
                  {"status", ColumnKind::Whole},
                  {"outcome"},
                  {"mime"},
                  {"digest"},
                  {"links", ColumnKind::Whole},
                  {"redirect"},
                  {"truncated", ColumnKind::Truth},
                  {"file"},
                  {"offset", ColumnKind::Whole},
                  {"length", ColumnKind::Whole}};
  list.next = [archive, cursor](std::string& out) { return cursor->advance(archive, out); };
  list.resume = [archive, cursor] { return capture_resume(archive, *cursor); };
  return list_response(question, std::move(list));
}

}  // namespace webstrata::serve
