// SPDX-License-Identifier: Apache-2.0

// The HTTP interface on one screen; docs/api.md shows the answers.
// A path is compared with the routes part by part, in their order. What a parameter looks like
// stands here too, for the OpenAPI document; its meaning is checked where it is used
// (ask/question.h), so that the command line, Python and HTTP understand the same words.
// Tested by tests/serve/service_test.cpp.

#include "webstrata/serve/routes.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/words/dates.h"

namespace webstrata::serve {
namespace {

using enum ValueKind;

// clang-format off
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kText = "text/plain";

const ParameterEntry kUrl = {"url", Url, "A URL, or a wildcard such as example.org/*", true};
const ParameterEntry kPage = {"url", Url, "The URL of a page", true};
const ParameterEntry kBeginning = {"url", Url, "A wildcard, or the beginning of a URL", true};
const ParameterEntry kChangesOf = {"url", Url, "List only changes of the pages that this covers"};
const ParameterEntry kCounted = {"url", Url, "Only of the pages that this covers, by month"};
const ParameterEntry kScored = {"url", Url, "The scores of this page"};
const ParameterEntry kCentre = {"url", Url, "The neighbours of this page, host or domain"};
const ParameterEntry kSource = {"source", Url, "The page that links", true};
const ParameterEntry kTarget = {"target", Url, "What it links to", true};
const ParameterEntry kAt = {"at", Date, "As it was at the last second of this date"};
const ParameterEntry kDuring = {"during", Dates, "Only captures made in this time: 2015..2016"};
const ParameterEntry kFrom = {"from", Date, "From the first second of this date on"};
const ParameterEntry kTo = {"to", Date, "Up to the last second of this date"};
const ParameterEntry kOldDate = {"from", Date, "The state at the last second of this date", true};
const ParameterEntry kNewDate = {"to", Date, "Compared with the last second of this one", true};
const ParameterEntry kKinds = {"kinds", Text, "Kinds of links: graph, all, or navigation,embed …"};
const ParameterEntry kDirection = {"direction", Choice, "Links from the page or to it", false, {"out", "in"}};
const ParameterEntry kOtherEnd = {"level", Choice, "Count by the host or domain of the other end", false, {"page", "host", "domain"}};
const ParameterEntry kTexts = {"texts", Choice, "Add the texts of links", false, {"0", "1"}};
const ParameterEntry kLevel = {"level", Choice, "What the nodes are", false, {"host", "domain", "page"}};
const ParameterEntry kMatch = {"match", Text, "A part of the name, or *.example.org"};
const ParameterEntry kHostSort = {"sort", Choice, "What to sort by", false, {"name", "nodes", "pages", "captures", "links", "first", "last"}};
const ParameterEntry kOrder = {"order", Choice, "Which way", false, {"ascending", "descending"}};
const ParameterEntry kCaptured = {"captured", Choice, "Only pages that were captured", false, {"false", "true"}};
const ParameterEntry kGroup = {"group", Choice, "Count by folder instead", false, {"none", "folder"}};
const ParameterEntry kFolders = {"group", Choice, "Count the pages below the URL by folder", false, {"none", "folder"}};
const ParameterEntry kChanges = {"list", Choice, "List changes too", false, {"none", "pages", "links", "all"}};
const ParameterEntry kColumns = {"column", Text, "Columns, separated by commas (default: all)"};
const ParameterEntry kTop = {"limit", Whole, "URLs per column (default 20)", false, {}, 1, 10'000};
const ParameterEntry kNodes = {"limit", Whole, "Nodes at most (default 200)", false, {}, 1, 2000};
const ParameterEntry kRows = {"limit", Whole, "Links at most (default 10,000)", false, {}, 1, 10'000};
const ParameterEntry kDepth = {"depth", Whole, "Steps from it (default 1)", false, {}, 1, 2};
const ParameterEntry kLimit = {"limit", Whole, "Elements of the list at most"};
const ParameterEntry kPoints = {"limit", Whole, "Points at most (default 500)", false, {}, 2, 10'000};
const ParameterEntry kOutcome = {"outcome", Choice, "Only pages with this outcome", false, {"alive", "moved", "gone", "soft-gone", "blocked", "unreachable", "unknown"}};
const ParameterEntry kState = {"state", Choice, "Only pages in this state", false, {"waiting", "leased", "done", "dropped"}};
const ParameterEntry kPartOfUrl = {"match", Text, "Only URLs that contain this"};
const ParameterEntry kCrawl = {"crawl", Text, "Name of the crawl, stored with every sighting"};
const ParameterEntry kStrict = {"strict", Choice, "Change nothing if a line is damaged", false, {"false", "true"}};
const ParameterEntry kAfter = {"after", Text, "The `next` of the answer before"};
// clang-format on

Response answer_openapi(const Question& question) {
  std::vector<std::string> names;
  for (const auto& served : question.archives.all()) names.push_back(served->name);
  return json_response(openapi_document(question.base, names, question.settings));
}

}  // namespace

// clang-format off: a table is read by rows.
const std::vector<Route>& routes() {
  using enum Effort;
  static const std::vector<Route> all = {
      {"api/v1/archives", "The archives that are served", Quick, {}, answer_archives},
      {"api/v1/openapi.json", "This interface as OpenAPI 3.1", Quick, {}, answer_openapi},
      {"api/v1/{archive}/info", "Counts, time span and columns of scores", Quick, {}, answer_info},
      {"api/v1/{archive}/hosts",
       "Hosts with counts, also by year",
       Slow,
       {kMatch, kHostSort, kOrder, kLimit, kAfter},
       answer_hosts,
       kJson,
       true},
      {"api/v1/{archive}/urls",
       "URLs of a wildcard, completions, folders with counts",
       Slow,
       {kBeginning, kLimit, kAfter, kCaptured, kGroup},
       answer_urls,
       kJson,
       true},
      {"api/v1/{archive}/page",
       "The state of a page, and its states over time",
       Quick,
       {kPage, kAt},
       answer_page},
      {"api/v1/{archive}/captures",
       "Captures and sightings",
       Quick,
       {kUrl, kFrom, kTo, kLimit, kAfter},
       answer_captures,
       kJson,
       true},
      {"api/v1/{archive}/links",
       "Links of a page, at a date or with their history",
       Quick,
       {kUrl, kDirection, kAt, kDuring, kKinds, kOtherEnd, kTexts, kLimit, kAfter},
       answer_links,
       kJson,
       true},
      {"api/v1/{archive}/history",
       "One link: in which captures of its page it was",
       Quick,
       {kSource, kTarget},
       answer_history},
      {"api/v1/{archive}/strata",
       "Which of its links each capture of a page had",
       Slow,
       {kPage, kDirection, kDuring, kKinds, kRows},
       answer_strata},
      {"api/v1/{archive}/diff",
       "What changed between two dates, by host",
       Slow,
       {kOldDate, kNewDate, kKinds, kChangesOf, kChanges, kFolders, kLimit, kAfter},
       answer_diff,
       kJson,
       true},
      {"api/v1/{archive}/stats",
       "Births and deaths of links, lifetimes, locality",
       Slow,
       {kCounted},
       answer_stats},
      {"api/v1/{archive}/rank",
       "The top of saved scores, or the scores of a URL",
       Slow,
       {kColumns, kScored, kTop},
       answer_rank},
      {"api/v1/{archive}/network",
       "The network of hosts, domains or pages at a date",
       Slow,
       {kAt, kLevel, kCentre, kDepth, kKinds, kNodes},
       answer_network},
      {"api/v1/{archive}/runs",
       "Crawls, probes, LiveRank campaigns and seeds",
       Slow,
       {},
       answer_runs,
       kJson,
       false,
       false,
       true},
      {"api/v1/{archive}/runs/{run}",
       "One of them: counts, outcomes, budget",
       Slow,
       {},
       answer_run,
       kJson,
       false,
       false,
       true},
      {"api/v1/{archive}/runs/{run}/curve",
       "What was found against tests",
       Slow,
       {kPoints},
       answer_run_curve,
       kJson,
       false,
       false,
       true},
      {"api/v1/{archive}/runs/{run}/pages",
       "What became of each page, with the evidence",
       Slow,
       {kOutcome, kState, kPartOfUrl, kLimit, kAfter},
       answer_run_pages,
       kJson,
       true,
       false,
       true},
      {"api/v1/{archive}/runs/{run}/why",
       "Why this URL: the way to it, and every request",
       Slow,
       {kPage},
       answer_run_why,
       kJson,
       false,
       false,
       true},
      {"api/v1/{archive}/runs/{run}/plan",
       "What is to be requested next, one URL per line",
       Slow,
       {kLimit},
       answer_run_plan,
       kText,
       false,
       false,
       true},
      {"api/v1/{archive}/runs/{run}/events",
       "The status whenever it changes (server-sent events)",
       Slow,
       {},
       answer_run_events,
       "text/event-stream",
       false,
       false,
       true},
      {.path = "api/v1/{archive}/update",
       .summary = "Import captures",
       .effort = Long,
       .parameters = {kCrawl, kStrict},
       .answer = answer_update,
       .is_writing = true,
       .body_type = kLinesType},
      {.path = "api/v1/{archive}/forget",
       .summary = "Delete captures, links and names permanently",
       .effort = Long,
       .answer = answer_forget,
       .is_writing = true,
       .body_type = kJson},
      {.path = "api/v1/{archive}/compact",
       .summary = "Merge the strata into one",
       .effort = Long,
       .answer = answer_compact,
       .is_writing = true},
      {"cdx",
       "Index lines, as of pywb and the Wayback Machine",
       Quick,
       {},
       answer_cdx,
       kText,
       false,
       true},
      {"a/{archive}/cdx",
       "The same for an archive by name",
       Quick,
       {},
       answer_cdx,
       kText,
       false,
       true},
      {"timemap/{form}/{url}",
       "TimeMap (RFC 7089) as link, json or cdxj",
       Quick,
       {},
       answer_timemap,
       kText},
      {"a/{archive}/timemap/{form}/{url}",
       "The same for an archive by name",
       Quick,
       {},
       answer_timemap,
       kText},
      {"timegate/{url}", "TimeGate (RFC 7089)", Quick, {}, answer_timegate, kText},
      {"replay/{timestamp}/{url}", "A capture as it was recorded", Slow, {}, answer_replay, kText},
      {"a/{archive}/replay/{timestamp}/{url}",
       "The same for an archive by name",
       Slow,
       {},
       answer_replay,
       kText},
      {"a/{archive}/timegate/{url}",
       "The same for an archive by name",
       Quick,
       {},
       answer_timegate,
       kText},
  };
  return all;
}
// clang-format on

namespace {

// Takes the first segment off; false if there is none.
bool take_segment(std::string_view& path, std::string_view& segment) {
  if (path.empty()) return false;
  const std::size_t slash = path.find('/');
  segment = path.substr(0, slash);
  path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  return true;
}

// Compares part by part; most routes differ in the second.
bool fits(std::string_view pattern, std::string_view path) {
  std::string_view part;
  std::string_view segment;
  while (take_segment(pattern, part)) {
    if (part == "{url}") return !path.empty();
    if (!take_segment(path, segment)) return false;
    if (part.starts_with('{') ? segment.empty() : part != segment) return false;
  }
  return path.empty();
}

// What the places of a pattern that fits stand for.
void fill_places(std::string_view pattern, std::string_view path, std::string_view query,
                 FoundRoute& found) {
  std::string_view part;
  std::string_view segment;
  while (take_segment(pattern, part)) {
    if (part == "{url}") {
      found.tail = query.empty() ? std::string(path) : fmt::format("{}?{}", path, query);
      return;
    }
    take_segment(path, segment);
    if (part.starts_with('{')) {
      found.places.emplace(part.substr(1, part.size() - 2), decode_segment(segment));
    }
  }
}

}  // namespace

const Route* match_route(std::string_view path) noexcept {
  for (const Route& route : routes()) {
    if (path.ends_with('/') && !route.path.ends_with("{url}")) continue;
    if (fits(route.path, path)) return &route;
  }
  return nullptr;
}

std::optional<FoundRoute> find_route(std::string_view path, std::string_view query) {
  FoundRoute found;
  found.route = match_route(path);
  if (found.route == nullptr) return std::nullopt;
  fill_places(found.route->path, path, query, found);
  return found;
}

namespace {

// Also of parameters that this question does not need: a word that means nothing is a mistake.
void check_value(const ParameterEntry& entry, const std::string& value) {
  switch (entry.kind) {
    case ValueKind::Whole:
      parse_whole(entry.name, value, entry.least, entry.most);
      break;
    case ValueKind::Choice:
      if (std::find(entry.words.begin(), entry.words.end(), value) == entry.words.end()) {
        throw Problem(400, fmt::format("{}: {} is not one of {}", entry.name, value,
                                       fmt::join(entry.words, ", ")));
      }
      break;
    case ValueKind::Date:
      parse_date_word(entry.name, value);
      break;
    case ValueKind::Dates:
      parse_dates_word(entry.name, value);
      break;
    case ValueKind::Url:
    case ValueKind::Text:
      break;
  }
}

}  // namespace

void check_parameters(const Route& route, const Parameters& given) {
  if (route.takes_any_parameter) return;
  std::set<std::string_view> seen;
  for (const auto& [name, value] : given) {
    const auto entry = std::find_if(route.parameters.begin(), route.parameters.end(),
                                    [&](const auto& known) { return known.name == name; });
    if (entry == route.parameters.end()) {
      std::vector<std::string_view> names;
      for (const ParameterEntry& known : route.parameters) names.push_back(known.name);
      throw Problem(400, names.empty()
                             ? fmt::format("{}: this address takes no parameters", name)
                             : fmt::format("{}: not a parameter of this address, which takes {}",
                                           name, fmt::join(names, ", ")));
    }
    if (value.empty()) throw Problem(400, fmt::format("{} has no value", name));
    if (!seen.insert(name).second) throw Problem(400, fmt::format("{} is given twice", name));
    check_value(*entry, value);
  }
}

}  // namespace webstrata::serve
