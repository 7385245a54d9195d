// SPDX-License-Identifier: Apache-2.0

// Crawls, probes, campaigns and seeds: how far they are, what became of each page and why. What an
// archive of this server has forgotten is left out of all lists, whichever archive the address
// names. A stream of events never reads a run itself: Runs::refresh() does that on its own thread.
// Tested by tests/serve/runs_test.cpp and tests/serve/runs_test.py.

#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/base/text.h"
#include "webstrata/graph/hand_over.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/serve/runs/runs.h"
#include "webstrata/words/url_word.h"

namespace webstrata::serve {
namespace {

constexpr std::uint64_t kCurvePoints = 500;
// A sign of life, so that a connection whose client has gone is noticed.
constexpr std::chrono::seconds kSignOfLife{15};

std::string time_of(Moment moment) { return to_rfc3339(seconds_of(moment)); }

RunPlace place_of_run(const Question& question) {
  const std::string& name = question.places.find("run")->second;
  auto place = question.runs.find(name);
  if (!place) {
    throw Problem(404, fmt::format("no run is called {}; api/v1/{}/runs lists them", name,
                                   question.served->name));
  }
  return *std::move(place);
}

HandOver nameable(const Question& question) {
  HandOver hand_over;
  for (const auto& served : question.archives.all()) hand_over.ask(served->archive.path());
  return hand_over;
}

void append_counts(JsonWriter& json, std::string_view name,
                   const std::map<std::string, std::uint64_t>& counts) {
  if (counts.empty()) return;
  json.key(name).begin_object();
  for (const auto& [word, count] : counts) json.field(word, count);
  json.end_object();
}

void append_beginning(JsonWriter& json, const SeenRun& seen) {
  const RunSummary& summary = seen.summary;
  json.field("name", seen.name).field("kind", to_string(summary.kind));
  json.field("running", summary.is_running);
  if (summary.began) json.field("began", time_of(*summary.began));
  if (summary.changed) json.field("changed", time_of(*summary.changed));
  json.field("tests", summary.tests).field("found", summary.found);
  if (summary.waiting) json.field("waiting", *summary.waiting);
  if (summary.harvest) json.field("harvest", *summary.harvest);
}

std::string status_json(const SeenRun& seen) {
  const RunSummary& summary = seen.summary;
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  append_beginning(json, seen);
  append_counts(json, "outcomes", summary.outcomes);
  append_counts(json, "states", summary.states);
  for (const auto& [name, count] : summary.counts) json.field(name, count);
  for (const auto& [name, word] : summary.words) json.field(name, word);
  json.key("budget").begin_object();
  for (const auto& [name, amount] : summary.budget) json.field(name, amount);
  json.end_object().key("settings").begin_object();
  for (const auto& [name, word] : summary.settings) json.field(name, word);
  json.end_object().end_object();
  return body;
}

void append_page_fields(JsonWriter& json, const RunPage& page, const HandOver& hand_over) {
  const auto text = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) json.field(name, value);
  };
  const auto url = [&](std::string_view name, const std::string& value) {
    if (!value.empty() && hand_over.may_name(value)) json.field(name, value);
  };
  json.field("url", page.url);
  text("state", page.state);
  text("outcome", page.outcome);
  if (page.status != 0) json.field("status", page.status);
  url("target", page.target);
  // The evidence of a redirect names its target.
  if (page.target.empty() || hand_over.may_name(page.target)) text("evidence", page.evidence);
  if (page.time) json.field("time", time_of(*page.time));
  if (page.not_before) json.field("not_before", time_of(*page.not_before));
  if (page.tries > 0) json.field("tries", page.tries);
  if (page.depth) json.field("depth", *page.depth);
  url("from", page.from);
  if (page.score) json.field("score", *page.score);
  text("why", page.why);
}

// Which pages a list is asked for.
struct PageFilter {
  std::string outcome;
  std::string state;
  std::string match;

  [[nodiscard]] bool fits(const RunPage& page) const {
    const std::string_view known =
        page.outcome.empty() ? "unknown" : std::string_view(page.outcome);
    if (!outcome.empty() && outcome != known) return false;
    if (!state.empty() && state != page.state) return false;
    return match.empty() || page.url.find(match) != std::string::npos;
  }
};

std::uint64_t first_page(const Question& question) {
  const auto after = question.text("after");
  if (!after) return 0;
  std::uint64_t number = 0;
  const char* const end = after->data() + after->size();
  const auto [rest, error] = std::from_chars(after->data(), end, number);
  if (error != std::errc() || rest != end) {
    throw Problem(400, "after: not a value that an answer gave as next");
  }
  return number;
}

// Reads pages in portions, so that a list can be made element by element.
struct PageCursor {
  static constexpr std::size_t kPortion = 256;

  std::unique_ptr<const Run> run;
  PageFilter filter;
  HandOver hand_over;
  std::uint64_t next = 0;  // of the run
  std::vector<std::pair<std::uint64_t, RunPage>> pages = {};
  std::size_t given = 0;  // of `pages`

  bool advance(std::string& out) {
    if (given >= pages.size() && !read()) return false;
    JsonWriter json(out);
    json.begin_object();
    append_page_fields(json, pages[given++].second, hand_over);
    json.end_object();
    return true;
  }
  bool read() {
    pages.clear();
    given = 0;
    run->each_page(next, [&](std::uint64_t number, const RunPage& page) {
      next = number + 1;
      if (filter.fits(page) && hand_over.may_name(page.url)) pages.emplace_back(number, page);
      return pages.size() < kPortion;
    });
    return !pages.empty();
  }
  [[nodiscard]] std::string resume() const {
    return std::to_string(given < pages.size() ? pages[given].first : next);
  }
};

// At most `most` rows of the curve, evenly spread, the first and the last included.
void append_points(JsonWriter& json, const RunSummary& summary, std::uint64_t most) {
  const std::size_t width = summary.columns.size();
  const std::size_t rows = width == 0 ? 0 : summary.points.size() / width;
  const std::size_t count = std::min<std::size_t>(rows, most);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = count == 1 ? rows - 1 : i * (rows - 1) / (count - 1);
    json.begin_array();
    for (std::size_t column = 0; column < width; ++column) {
      const double value = summary.points[row * width + column];
      const auto whole = static_cast<std::int64_t>(value);
      static_cast<double>(whole) == value ? json.value(whole) : json.value(value);
    }
    json.end_array();
  }
}

// Null for a job that has not begun yet, and for a run that was just deleted.
std::shared_ptr<const SeenRun> look_if_begun(Runs& runs, const RunPlace& place) {
  try {
    return runs.look(place);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotFound) throw;
    return nullptr;
  }
}

std::string event_of(const SeenRun& seen) {
  return fmt::format("id: {}\nevent: status\ndata: {}\n\n", seen.version, status_json(seen));
}

}  // namespace

Response answer_runs(const Question& question) {
  std::string body;
  JsonWriter json(body);
  json.begin_object().key("runs").begin_array();
  for (const RunPlace& place : question.runs.places()) {
    question.check_time();
    const auto seen = look_if_begun(question.runs, place);
    if (!seen) continue;
    json.begin_object();
    append_beginning(json, *seen);
    json.end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(body));
}

Response answer_run(const Question& question) {
  return json_response(status_json(*question.runs.look(place_of_run(question))));
}

Response answer_run_curve(const Question& question) {
  const std::uint64_t most = question.whole("limit", 2, 10'000, kCurvePoints);
  const auto seen = question.runs.look(place_of_run(question));
  std::string body;
  JsonWriter json(body);
  json.begin_object().key("columns").begin_array();
  for (const std::string& column : seen->summary.columns) json.value(column);
  json.end_array().key("points").begin_array();
  append_points(json, seen->summary, most);
  json.end_array().end_object();
  return json_response(std::move(body));
}

Response answer_run_pages(const Question& question) {
  const auto cursor = std::make_shared<PageCursor>();
  cursor->run = open_run(place_of_run(question).path);
  cursor->filter = {question.text("outcome").value_or(""), question.text("state").value_or(""),
                    question.text("match").value_or("")};
  cursor->hand_over = nameable(question);
  cursor->next = first_page(question);
  ListAnswer list;
  list.name = "pages";
  list.columns = {{"url"},
                  {"state"},
                  {"outcome"},
                  {"status", ColumnKind::Whole},
                  {"target"},
                  {"evidence"},
                  {"time", ColumnKind::Moment},
                  {"not_before", ColumnKind::Moment},
                  {"tries", ColumnKind::Whole},
                  {"depth", ColumnKind::Whole},
                  {"from"},
                  {"score", ColumnKind::Number},
                  {"why"}};
  list.next = [cursor](std::string& out) { return cursor->advance(out); };
  list.resume = [cursor] { return cursor->resume(); };
  return list_response(question, std::move(list));
}

Response answer_run_why(const Question& question) {
  const std::string word = question.needed("url");
  const std::string url = requested_url(word, "url: ");
  const HandOver hand_over = nameable(question);
  const auto why =
      hand_over.may_name(url) ? open_run(place_of_run(question).path)->why(url) : std::nullopt;
  if (!why) throw Problem(404, fmt::format("the run does not know {}", url));
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  append_page_fields(json, why->page, hand_over);
  json.key("path").begin_array();
  for (const std::string& page : why->path) {
    if (hand_over.may_name(page)) json.value(page);
  }
  json.end_array().key("requests").begin_array();
  for (const RunRequest& request : why->requests) {
    json.begin_object().field("time", time_of(request.time)).field("kind", request.kind);
    json.field("why", request.why).field("score", request.score);
    if (!request.outcome.empty()) json.field("outcome", request.outcome);
    if (request.status != 0) json.field("status", request.status);
    const bool may_tell = why->page.target.empty() || hand_over.may_name(why->page.target);
    if (!request.evidence.empty() && may_tell) json.field("evidence", request.evidence);
    if (!request.file.empty()) json.field("file", request.file).field("offset", request.offset);
    json.end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(body));
}

Response answer_run_plan(const Question& question) {
  const std::uint64_t most =
      question.whole("limit", 1, question.settings.list_max, question.settings.list_max);
  const RunPlace place = place_of_run(question);
  const HandOver hand_over = nameable(question);
  Response response;
  response.content_type = "text/plain; charset=utf-8";
  response.headers.emplace_back("Content-Disposition",
                                fmt::format("attachment; filename=\"{}-plan.txt\"", place.name));
  std::uint64_t count = 0;
  for (const std::string& url : open_run(place.path)->plan()) {
    if (!hand_over.may_name(url)) continue;
    if (count++ == most) break;
    response.body += url;
    response.body += '\n';
  }
  return response;
}

Response answer_run_events(const Question& question) {
  const auto seen = question.runs.look(place_of_run(question));
  Response response;
  response.content_type = "text/event-stream";
  response.body = event_of(*seen);
  response.more = [&runs = question.runs, name = seen->name, version = seen->version,
                   sent = std::chrono::steady_clock::now()](std::string& out) mutable {
    const auto now = std::chrono::steady_clock::now();
    const auto latest = runs.last_seen(name);
    if (latest && latest->version != version) {
      version = latest->version;
      sent = now;
      out += event_of(*latest);
    } else if (now - sent >= kSignOfLife) {
      sent = now;
      out += ": nothing new\n\n";
    }
    return More::Wait;
  };
  return response;
}

}  // namespace webstrata::serve
