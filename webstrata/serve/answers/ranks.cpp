// SPDX-License-Identifier: Apache-2.0

// Saved scores: the top of each column, and the scores of one URL in all of them.
// Tested by tests/serve/answers_test.cpp.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/base/text.h"
#include "webstrata/base/time.h"
#include "webstrata/serve/answers/answers.h"

namespace webstrata::serve {
namespace {

// "2021-06" of "pagerank_2021-06"; empty if the name does not end with a date.
std::string date_of_column(std::string_view name) {
  const std::size_t begin = name.find_last_of('_');
  if (begin == std::string_view::npos) return "";
  const std::string_view date = name.substr(begin + 1);
  const bool begins_with_year = date.size() >= 4 && is_digit(date[0]);
  return begins_with_year && parse_interval(date) ? std::string(date) : std::string();
}

std::vector<std::string> columns_of_question(const Question& question) {
  const auto& known = question.archive().manifest().scores;
  std::vector<std::string> names;
  const auto words = question.text("column");
  if (!words) {
    for (const auto& [name, file] : known) names.push_back(name);
    return names;
  }
  std::string_view rest = *words;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    names.emplace_back(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    if (!known.contains(names.back())) {
      throw Problem(404, fmt::format("the archive {} has no column of scores called {}",
                                     question.served->name, names.back()));
    }
  }
  return names;
}

bool is_known(double score) { return !std::isnan(score); }

// The highest first; ties in the order of uids.
std::vector<Uid> top_of(const std::vector<double>& scores, std::size_t count) {
  std::vector<Uid> uids;
  for (Uid uid = 0; uid < scores.size(); ++uid) {
    if (is_known(scores[uid])) uids.push_back(uid);
  }
  const auto comes_first = [&](Uid a, Uid b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  const std::size_t kept = std::min(count, uids.size());
  std::partial_sort(uids.begin(), uids.begin() + static_cast<std::ptrdiff_t>(kept), uids.end(),
                    comes_first);
  uids.resize(kept);
  return uids;
}

void append_top(JsonWriter& json, const Archive& archive, const std::vector<double>& scores,
                std::size_t count) {
  json.key("top").begin_array();
  for (const Uid uid : top_of(scores, count)) {
    json.begin_object().field("url", archive.url(uid)).field("uid", uid);
    json.field("score", scores[uid]).end_object();
  }
  json.end_array();
}

// The score of one URL and its place, from 1.
void append_score_of(JsonWriter& json, const std::vector<double>& scores, Uid uid) {
  if (uid >= scores.size() || !is_known(scores[uid])) return;
  const auto higher = std::count_if(scores.begin(), scores.end(), [&](double score) {
    return is_known(score) && score > scores[uid];
  });
  json.field("score", scores[uid]).field("rank", higher + 1);
}

}  // namespace

Response answer_rank(const Question& question) {
  const std::vector<std::string> names = columns_of_question(question);
  const std::uint64_t limit = question.whole("limit", 1, 10'000, 20);
  const bool is_about_url = question.text("url").has_value();
  const Uid uid = is_about_url ? question.node("url") : 0;
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  if (is_about_url) json.field("url", question.archive().url(uid));
  json.key("columns").begin_array();
  for (const std::string& name : names) {
    const auto scores =
        question.served->derived.scores(question.archive(), name, question.request.deadline);
    json.begin_object().field("column", name);
    const std::string date = date_of_column(name);
    if (!date.empty()) json.field("date", date);
    is_about_url ? append_score_of(json, *scores, uid)
                 : append_top(json, question.archive(), *scores, limit);
    json.end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(body));
}

}  // namespace webstrata::serve
