// SPDX-License-Identifier: Apache-2.0

// What changed between two dates, and births and deaths of links over time.
// Tested by tests/serve/answers_test.cpp.

#include <array>
#include <map>

#include <fmt/format.h>

#include "webstrata/archive/ask/comparison.h"
#include "webstrata/archive/ask/page_changes.h"
#include "webstrata/archive/ask/presence.h"
#include "webstrata/base/json.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/ask/folders.h"
#include "webstrata/serve/ask/wide_scans.h"
#include "webstrata/show/diff_forms.h"
#include "webstrata/show/stats_forms.h"
#include "webstrata/words/url_word.h"

namespace webstrata::serve {
namespace {

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

Response diff_by_folder(const Question& question, Time from, Time to) {
  const FolderRange below = folder_range(question, question.needed("url"));
  std::string body;
  JsonWriter json(body);
  json.begin_object().field("from", to_rfc3339(from)).field("to", to_rfc3339(to));
  json.key("folders").begin_array();
  for (const auto& [path, folder] : changes_by_folder(question, below, from, to)) {
    json.begin_object().field("path", path).field("url", folder.url);
    for (const Change change :
         {Change::Kept, Change::Appeared, Change::Vanished, Change::NotSeen}) {
      json.field(fmt::format("pages_{}", to_string(change)),
                 folder.pages[static_cast<std::size_t>(change)]);
    }
    json.end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(body));
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
  const std::string list = question.choice("list", {"none", "pages", "links", "all"});
  const UidRange sources = sources_of(question);
  const std::uint64_t limit = question.whole("limit", 1, question.settings.list_max, 1000);
  std::string changes;
  std::uint64_t shown = 0;
  std::uint64_t left_out = 0;
  const auto visit = [&](const Difference& difference) {
    if (!is_shown(difference, list, sources)) return;
    if (shown == limit) {
      ++left_out;
      return;
    }
    changes += (shown++ > 0 ? "," : "") + difference_as_json(question.archive(), difference);
  };
  const ScanOptions options = {question.kinds("graph"), question.work()};
  const DiffResult result = list == "none" ? diff(question.archive(), *from, *to, options)
                                           : diff(question.archive(), *from, *to, options, visit);
  std::string body = hosts_as_json(result, *from, *to);
  if (list != "none") {
    body.resize(body.rfind('}'));
    body += fmt::format(",\"changes\":[{}],\"left_out\":{}}}", changes, left_out);
  }
  return json_response(std::move(body));
}

Response answer_stats(const Question& question) {
  if (question.text("url")) return stats_of_pages(question);
  const auto stats =
      question.served->derived.statistics(question.archive(), question.request.deadline);
  return json_response(as_json(question.archive(), *stats));
}

}  // namespace webstrata::serve
