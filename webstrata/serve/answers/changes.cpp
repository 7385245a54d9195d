// SPDX-License-Identifier: Apache-2.0

// What changed between two dates, and births and deaths of links over time.
//
// A diff scans the whole archive, whatever is asked of it, and its counts by host are always those
// of everything. As JSON it is what the command line prints, and the changes themselves if they
// are asked for; as lines or rows it is one list: the changes, or else the hosts or folders.
// Changes are kept as numbers of nodes until they are written, and only those between `after` and
// the limit.
// Tested by tests/serve/answers_test.cpp.

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "webstrata/archive/ask/comparison.h"
#include "webstrata/archive/ask/page_changes.h"
#include "webstrata/archive/ask/presence.h"
#include "webstrata/base/json.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/ask/folders.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/serve/ask/wide_scans.h"
#include "webstrata/show/diff_forms.h"
#include "webstrata/show/stats_forms.h"
#include "webstrata/words/url_word.h"

namespace webstrata::serve {
namespace {

constexpr std::uint64_t kCountMax = std::uint64_t{1} << 53;
// Kept for an answer as lines, if no limit is asked for: 64 MB.
constexpr std::uint64_t kChangesMax = 2'000'000;

// The sources that count: all, or those of a wildcard.
UidRange sources_of(const Question& question) {
  const auto word = question.text("url");
  if (!word) return {0, question.archive().node_count()};
  const auto parsed = parse_url_word(*word);
  if (!parsed) throw Problem(400, fmt::format("url: {} is not a URL or wildcard", *word));
  return question.archive().range(keys_of(*parsed));
}

bool is_shown(const Difference& difference, const std::string& list, const UidRange& sources) {
  if (difference.source < sources.first || difference.source >= sources.end) return false;
  return list == (difference.target ? "links" : "pages") || list == "all";
}

// Pages of the folder directly below a path.
struct FolderChanges {
  std::string url;
  std::array<std::uint64_t, 4> pages = {};  // by Change
};

std::map<std::string, FolderChanges> changes_by_folder(const Question& question,
                                                       const FolderRange& below, Time from,
                                                       Time to) {
  std::map<std::string, FolderChanges> folders;
  for (const auto& [uid, change] :
       page_changes(question.archive(), below.nodes, from, to, question.work())) {
    const auto name = folder_of(question.archive().url(uid), below.depth);
    if (!name) continue;
    FolderChanges& folder = folders[name->path];
    if (folder.url.empty()) folder.url = name->url;
    ++folder.pages[static_cast<std::size_t>(change)];
  }
  return folders;
}

using Folders = std::map<std::string, FolderChanges>;

void append_folder_changes(std::string& out, const std::pair<std::string, FolderChanges>& row) {
  const auto& [path, folder] = row;
  JsonWriter json(out);
  json.begin_object().field("path", path).field("url", folder.url);
  for (const Change change : {Change::Kept, Change::Appeared, Change::Vanished, Change::NotSeen}) {
    json.field(fmt::format("pages_{}", to_string(change)),
               folder.pages[static_cast<std::size_t>(change)]);
  }
  json.end_object();
}

// "\"from\":…,\"to\":…"
std::string dates_field(Time from, Time to) {
  return fmt::format("\"from\":\"{}\",\"to\":\"{}\"", to_rfc3339(from), to_rfc3339(to));
}

const std::vector<ListColumn> kPageCounts = {{"pages_kept", ColumnKind::Whole},
                                             {"pages_appeared", ColumnKind::Whole},
                                             {"pages_vanished", ColumnKind::Whole},
                                             {"pages_not_seen", ColumnKind::Whole}};
const std::vector<ListColumn> kLinkCounts = {{"links_kept", ColumnKind::Whole},
                                             {"links_appeared", ColumnKind::Whole},
                                             {"links_vanished", ColumnKind::Whole},
                                             {"links_not_seen", ColumnKind::Whole}};

Response diff_by_folder(const Question& question, Time from, Time to) {
  const Folders folders =
      changes_by_folder(question, folder_range(question, question.needed("url")), from, to);
  const auto rows = std::make_shared<const std::vector<std::pair<std::string, FolderChanges>>>(
      folders.begin(), folders.end());
  ListAnswer list;
  list.name = "folders";
  list.head = dates_field(from, to);
  list.limit = std::max<std::uint64_t>(rows->size(), 1);  // all, unless less was asked for
  list.columns = {{"path"}, {"url"}};
  list.columns.insert(list.columns.end(), kPageCounts.begin(), kPageCounts.end());
  fill_from_rows(list, question, rows, append_folder_changes);
  return list_response(question, std::move(list));
}

// Of lines, the elements are hosts. JSON is what the command line prints, with all of them.
Response diff_by_host(const Question& question, Time from, Time to, const ScanOptions& options) {
  DiffResult result = diff(question.archive(), from, to, options);
  if (form_of(question.request.accept) == ListForm::Json) {
    return json_response(hosts_as_json(result, from, to));
  }
  ListAnswer list;
  list.name = "hosts";
  list.columns = {{"host"}};
  list.columns.insert(list.columns.end(), kPageCounts.begin(), kPageCounts.end());
  list.columns.insert(list.columns.end(), kLinkCounts.begin(), kLinkCounts.end());
  fill_from_rows(
      list, question,
      std::make_shared<const std::vector<HostDifference>>(std::move(result.hosts)),
      [](std::string& out, const HostDifference& host) { out += host_as_json(host); });
  return list_response(question, std::move(list));
}

// The fields of an object that has them, to put others after them.
std::string without_braces(std::string_view object) {
  const std::size_t begin = object.find('{') + 1;
  return std::string(object.substr(begin, object.rfind('}') - begin));
}

// The changes after the first `after`, up to the limit: `left_out` counts the rest.
Response diff_with_changes(const Question& question, Time from, Time to, const std::string& kind,
                           const ScanOptions& options) {
  const bool is_json = form_of(question.request.accept) == ListForm::Json;
  const std::uint64_t after = question.whole("after", 0, kCountMax, 0);
  const std::uint64_t limit = question.whole("limit", 1, question.settings.list_max,
                                             is_json ? ListAnswer().limit : kChangesMax);
  const UidRange sources = sources_of(question);
  const auto changes = std::make_shared<std::vector<Difference>>();
  std::uint64_t count = 0;
  const DiffResult result =
      diff(question.archive(), from, to, options, [&](const Difference& difference) {
        if (!is_shown(difference, kind, sources)) return;
        // One more than the limit says that the list goes on.
        if (count++ >= after && changes->size() <= limit) changes->push_back(difference);
      });
  const auto place = std::make_shared<std::uint64_t>(0);
  ListAnswer list;
  list.name = "changes";
  list.head = fmt::format("{},\"left_out\":{}", without_braces(hosts_as_json(result, from, to)),
                          count - std::min(count, after + limit));
  list.columns = {{"change"}, {"page"}, {"source"}, {"target"}};
  list.stream_limit = kChangesMax;
  list.next = [archive = question.archive(), changes, place](std::string& out) {
    if (*place >= changes->size()) return false;
    out += difference_as_json(archive, (*changes)[(*place)++]);
    return true;
  };
  list.resume = [after, place] { return std::to_string(after + *place); };
  return list_response(question, std::move(list));
}

using MonthSums = std::map<std::string, LinkChurn::Month>;

void append_sums(JsonWriter& json, std::string_view name, const MonthSums& sums) {
  json.key(name).begin_object();
  for (const auto& [period, sum] : sums) {
    json.key(period).begin_object().field("captures", sum.captures);
    json.field("new_pages", sum.new_pages).field("births", sum.births);
    json.field("deaths", sum.deaths).end_object();
  }
  json.end_object();
}

void add_month(LinkChurn::Month& sum, const LinkChurn::Month& month) {
  sum.captures += month.captures;
  sum.new_pages += month.new_pages;
  sum.births += month.births;
  sum.deaths += month.deaths;
}

ChurnSums churn_of_pages(const Question& question) {
  if (const auto range = question.covered("url")) {
    return *question.served->derived.churn(question.archive(), *range, question.request.deadline);
  }
  const LinkChurn churn = link_churn(question.archive(), question.nodes("url"));
  return {churn.pages.size(), churn.months};
}

// Counts of some pages, by year and month.
Response stats_of_pages(const Question& question) {
  const ChurnSums churn = churn_of_pages(question);
  MonthSums years;
  LinkChurn::Month all;
  for (const auto& [name, month] : churn.months) {
    add_month(years[name.substr(0, 4)], month);
    add_month(all, month);
  }
  std::string body;
  JsonWriter json(body);
  json.begin_object().field("pages", churn.pages).field("captures", all.captures);
  json.field("births", all.births).field("deaths", all.deaths);
  append_sums(json, "years", years);
  append_sums(json, "months", churn.months);
  json.end_object();
  return json_response(std::move(body));
}

}  // namespace

Response answer_diff(const Question& question) {
  const auto from = question.at("from");
  const auto to = question.at("to");
  if (!from || !to) throw Problem(400, "diff needs the parameters from and to");
  if (question.choice("group", {"none", "folder"}) == "folder") {
    return diff_by_folder(question, *from, *to);
  }
  const std::string changes = question.choice("list", {"none", "pages", "links", "all"});
  const ScanOptions options = {question.kinds("graph"), question.work()};
  return changes == "none" ? diff_by_host(question, *from, *to, options)
                           : diff_with_changes(question, *from, *to, changes, options);
}

Response answer_stats(const Question& question) {
  if (question.text("url")) return stats_of_pages(question);
  const auto stats =
      question.served->derived.statistics(question.archive(), question.request.deadline);
  return json_response(as_json(question.archive(), *stats));
}

}  // namespace webstrata::serve
