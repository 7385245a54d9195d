// SPDX-License-Identifier: Apache-2.0

// read_truth_lines() finds the columns that count and refuses a line that is neither a URL nor the
// name of a node; parse_answer() gives a word its meaning for the target. Whether the list has any
// words at all decides what a missing page means: gone in a list of live URLs, unknown in a list of
// outcomes.
// Tested by tests/cli/liverank_test.py.

#include "webstrata/jobs/truth_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  while (true) {
    const std::size_t tab = line.find('\t');
    columns.push_back(trim(line.substr(0, tab)));
    if (tab == std::string_view::npos) return columns;
    line.remove_prefix(tab + 1);
  }
}

std::optional<int> number_in(std::string_view word) {
  int number = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || rest != word.data() + word.size()) return std::nullopt;
  return number;
}

// 0, 1, a status of three digits, or a code of Heritrix, of which two say that there is no host.
std::optional<TruthLine> answer_of_number(std::string_view word) {
  constexpr int kDnsFailed = -1;
  constexpr int kDomainUnresolvable = -6;
  const auto number = number_in(word);
  if (!number) return std::nullopt;
  if (word == "0") return TruthLine{{}, Outcome::Gone};
  if (word == "1") return TruthLine{{}, Outcome::Alive};
  if (*number >= 600 || (*number >= 0 && *number < 100)) return std::nullopt;
  TruthLine line{{}, outcome_of_status(*number, true)};
  line.no_host = *number == kDnsFailed || *number == kDomainUnresolvable;
  return line;
}

// "sha1:3I42…": an algorithm and a value.
bool is_digest(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && colon > 0 && word.size() > colon + 8 &&
         (word.starts_with("sha") || word.starts_with("md5") || word.starts_with("xx"));
}

// A URL with a scheme and a host, or the number or name of a node of a graph file: not a sentence.
bool is_name(std::string_view text) {
  Url url;
  if (parse_url(text, url)) return url.is_web() || url.scheme() == "mailto";
  return !text.empty() && text.find_first_of(" <>{}\"'`:;#()") == std::string_view::npos;
}

constexpr std::size_t kShownMax = 60;

// The places of the columns that count, by the names of a first line.
struct Columns {
  std::optional<std::size_t> word;
  std::optional<std::size_t> target;
};

Columns named_columns(const std::vector<std::string_view>& names) {
  Columns columns;
  for (std::size_t i = 1; i < names.size(); ++i) {
    const std::string_view name = names[i];
    if (name == "target") columns.target = i;
    const bool counts = name == "outcome" || name == "status" || name == "time" || name == "digest";
    if (counts && !columns.word) columns.word = i;
  }
  return columns;
}

}  // namespace

std::optional<TruthLine> parse_answer(std::string_view word, Target target) {
  if (word.empty() || (word == "-" && target == Target::Active)) {
    return TruthLine{{}, Outcome::Alive};
  }
  if (const auto outcome = parse_outcome(word)) return TruthLine{{}, *outcome};
  TruthLine line{{}, Outcome::Alive};
  if (target == Target::Active) {
    line.active = parse_time(word);
    if (line.active) return line;
  }
  if (word == "no-host") {
    line.outcome = Outcome::Unreachable;
    line.no_host = true;
    return line;
  }
  if (word == "same" || word == "unchanged" || word == "changed") {
    line.is_same = word != "changed";
    return line;
  }
  if (is_digest(word)) {
    line.digest = word;
    return line;
  }
  return target == Target::Active ? std::nullopt : answer_of_number(word);
}

TruthFileForm read_truth_lines(const std::string& path, Target target, const TakeTruth& take,
                               const KnowsName& is_known) {
  TruthFileForm form;
  LineReader lines(path);
  Columns places;
  while (const auto text = lines.next()) {
    if (trim(*text).empty() || text->starts_with('#')) continue;
    const auto columns = columns_of(*text);
    if (lines.line_number() == 1 && columns[0] == "url") {
      places = named_columns(columns);
      continue;
    }
    if (!is_name(columns[0]) && !(is_known && is_known(columns[0]))) {
      lines.refuse(
          fmt::format("{}: not a URL; a truth is a list of URLs, each alone or with a tab "
                      "and an outcome",
                      columns[0].substr(0, kShownMax)));
    }
    ++form.lines;
    std::string_view word;
    if (columns.size() > 1) {
      form.names_only = false;
      const std::size_t place = places.word.value_or(columns.size() - 1);
      word = columns[std::min(place, columns.size() - 1)];
    }
    auto line = parse_answer(word, target);
    if (!line) {
      lines.refuse(target == Target::Active
                       ? fmt::format("{}: not a time of activity, - or an outcome", word)
                       : fmt::format("{}: not an outcome such as alive or gone, a status, 1 or 0, "
                                     "same or changed, a digest",
                                     word));
    }
    line->url = columns[0];
    if (places.target && *places.target < columns.size()) line->moved_to = columns[*places.target];
    take(*line, word);
  }
  return form;
}

Truth read_truth(const std::string& path, const Population& pages, const TruthOptions& options) {
  TruthList list(pages, options);
  const auto form = read_truth_lines(
      path, options.target,
      [&](const TruthLine& line, std::string_view /*word*/) { list.add(line); },
      [&](std::string_view name) { return pages.graph.find(name).has_value(); });
  if (form.lines == 0) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: the truth is empty: a list without URLs says nothing about any "
                            "page",
                            path));
  }
  return list.finish(form.names_only ? Outcome::Gone : Outcome::Unknown);
}

}  // namespace webstrata
