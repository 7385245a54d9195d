// SPDX-License-Identifier: Apache-2.0

// URLs by wildcard, completions of what a user typed so far, and the folders below a path.
//
// All are ranges of keys, and so of uids: a page of answers costs what it shows, however long the
// range is. Only folders count what is below them; they skip from one to the next in the names, and
// read the times of its pages.
// Tested by tests/serve/answers_test.cpp.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/ask/folders.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/serve/ask/years.h"
#include "webstrata/url/url.h"
#include "webstrata/words/url_word.h"

namespace webstrata::serve {
namespace {

constexpr std::uint64_t kFolderNodesMax = 200'000;

void append_url(std::string& out, const Archive& archive, Uid uid, const std::vector<Time>& times) {
  JsonWriter json(out);
  json.begin_object().field("url", archive.url(uid)).field("uid", uid);
  json.field("captures", times.size());
  if (!times.empty()) {
    json.field("first", to_rfc3339(times.front())).field("last", to_rfc3339(times.back()));
  }
  json.end_object();
}

// A host that is not typed completely yet: "exam" begins "example.org". Keys have the labels in
// reverse, so such hosts are in many places; the table of hosts has them all.
std::vector<UidRange> hosts_that_begin(const Question& question, const std::string& typed) {
  std::vector<UidRange> ranges;
  const auto table = question.served->derived.hosts(question.archive(), question.request.deadline);
  for (const HostRow& row : *table) {
    const bool begins = row.host.starts_with(typed) ||
                        (row.host.starts_with("www.") && row.host.substr(4).starts_with(typed));
    if (begins) ranges.push_back(question.archive().range(host_keys(row.host)));
  }
  return ranges;
}

std::string without_scheme_part(const std::string& word) {
  const std::size_t slashes = word.find("://");
  return slashes == std::string::npos ? word : word.substr(slashes + 3);
}

// What a word covers: a wildcard as it is; anything else as the beginning of a URL.
std::vector<UidRange> ranges_of(const Question& question, const std::string& word) {
  const auto parsed = parse_url_word(word);
  if (parsed && parsed->is_wildcard()) return {question.archive().range(keys_of(*parsed))};
  const std::string typed = without_scheme_part(word);
  if (typed.find('/') == std::string::npos) return hosts_that_begin(question, typed);
  const auto prefix = parse_url_word(word + "*");
  if (!prefix) return {};
  return {question.archive().range(keys_of(*prefix))};
}

struct UrlCursor {
  std::vector<UidRange> ranges;
  std::size_t range = 0;
  Uid next = 0;  // at least
  bool only_captured = false;

  // The next node, with the times of its captures.
  bool advance(const Archive& archive, Uid& uid, std::vector<Time>& times) {
    for (; range < ranges.size(); ++range) {
      for (Uid at = std::max(next, ranges[range].first); at < ranges[range].end; ++at) {
        times = archive.capture_times(at);
        if (only_captured && times.empty()) continue;
        uid = at;
        next = at + 1;
        return true;
      }
    }
    return false;
  }
};

// Positions after a key: a new generation has other uids, but the same keys.
std::string resume_key(const Archive& archive, Uid next) {
  return next < archive.node_count() ? archive.url(next) : std::string();
}

struct Folder {
  std::string path;
  std::string url;
  std::uint64_t nodes = 0;
  std::uint64_t pages = 0;
  std::uint64_t captures = 0;
  std::map<int, std::uint64_t> years = {};
};

void count(Folder& folder, const std::vector<Time>& times) {
  ++folder.nodes;
  if (times.empty()) return;
  ++folder.pages;
  folder.captures += times.size();
  for (const Time time : times) ++folder.years[year_of_time(time)];
}

void append_folder(std::string& out, const Folder& folder) {
  JsonWriter json(out);
  json.begin_object().field("path", folder.path).field("url", folder.url);
  json.field("nodes", folder.nodes).field("pages", folder.pages);
  json.field("captures", folder.captures);
  append_year_counts(json, "years", folder.years);
  json.end_object();
}

std::vector<Folder> folders_of(const Question& question, const FolderRange& below) {
  std::vector<Folder> folders;
  std::map<std::string, std::size_t> places;
  for (Uid uid = below.nodes.first; uid < below.nodes.end; ++uid) {
    if (uid % 256 == 0) question.check_time();
    const auto folder = folder_of(question.archive().url(uid), below.depth);
    if (!folder) continue;
    const auto [place, is_new] = places.emplace(folder->path, folders.size());
    if (is_new) folders.push_back({folder->path, folder->url});
    count(folders[place->second], question.archive().capture_times(uid));
  }
  return folders;
}

Response answer_folders(const Question& question, const std::string& word) {
  const FolderRange below = folder_range(question, word);
  if (!below.nodes.empty() && below.nodes.end - below.nodes.first > kFolderNodesMax) {
    throw Problem(400, fmt::format("url: {} covers {} URLs; folders of at most {} can be counted",
                                   word, below.nodes.end - below.nodes.first, kFolderNodesMax));
  }
  const auto folders =
      std::make_shared<const std::vector<Folder>>(folders_of(question, below));
  ListAnswer list;
  list.name = "folders";
  list.limit = std::max<std::uint64_t>(folders->size(), 1);  // all of them, unless asked for less
  list.columns = {{"path"},
                  {"url"},
                  {"nodes", ColumnKind::Whole},
                  {"pages", ColumnKind::Whole},
                  {"captures", ColumnKind::Whole},
                  {"years", ColumnKind::Years}};
  fill_from_rows(list, question, folders, append_folder);
  return list_response(question, std::move(list));
}

}  // namespace

Response answer_urls(const Question& question) {
  const std::string word = question.needed("url");
  if (question.choice("group", {"none", "folder"}) == "folder") {
    return answer_folders(question, word);
  }
  const auto cursor = std::make_shared<UrlCursor>();
  cursor->ranges = ranges_of(question, word);
  cursor->only_captured = question.truth("captured");
  const Archive archive = question.archive();
  if (const auto after = question.text("after")) {
    Url url;
    if (!parse_url(*after, url)) {
      throw Problem(400, "after: not a value that an answer gave as next");
    }
    std::string key;
    append_key(url, key);
    cursor->next = archive.range({key, std::string(1, '\xff')}).first;
    while (cursor->range < cursor->ranges.size() &&
           cursor->ranges[cursor->range].end <= cursor->next) {
      ++cursor->range;
    }
  }
  ListAnswer list;
  list.name = "urls";
  list.columns = {{"url"},
                  {"uid", ColumnKind::Whole},
                  {"captures", ColumnKind::Whole},
                  {"first", ColumnKind::Moment},
                  {"last", ColumnKind::Moment}};
  list.next = [archive, cursor](std::string& out) {
    Uid uid = 0;
    std::vector<Time> times;
    if (!cursor->advance(archive, uid, times)) return false;
    append_url(out, archive, uid, times);
    return true;
  };
  list.resume = [archive, cursor] { return resume_key(archive, cursor->next); };
  return list_response(question, std::move(list));
}

}  // namespace webstrata::serve
