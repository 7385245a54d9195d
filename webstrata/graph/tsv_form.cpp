// SPDX-License-Identifier: Apache-2.0

// Numbers and URLs are unambiguous: if the first line has them, all lines must. Names are harder,
// because two words of any text could be names. A table of names has the same number of columns in
// every line. With spaces between them it has at most four (more are prose, or an index) and no
// syntax of other formats: tags, braces, words that end in a colon. Tested by
// tests/graph/tsv_form_test.cpp and tests/cli/graph_formats_test.py.

#include "webstrata/graph/tsv_form.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/base/time.h"
#include "webstrata/facts/outcome.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr std::size_t kFormBytes = std::size_t{1} << 16;  // of a file that are examined
constexpr std::uint64_t kColumnsWithSpacesMax = 4;

bool is_web_url(std::string_view text) {
  Url url;
  return parse_url(text, url) && url.is_web();
}

bool has_web_url(std::string_view fields) {
  while (!fields.empty()) {
    const std::size_t end = std::min(fields.find('\t'), fields.size());
    if (is_web_url(trim(fields.substr(0, end)))) return true;
    fields.remove_prefix(std::min(end + 1, fields.size()));
  }
  return false;
}

// A number, or the word of an outcome.
bool is_finding(std::string_view text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  return is_number || parse_outcome(text).has_value();
}

// "2021-08-14T10:00:00Z", as tables of captures begin.
bool is_moment(std::string_view text) {
  return text.size() > 10 && text[10] == 'T' && parse_time(text).has_value();
}

bool is_control(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; }

// Characters with which no name begins or ends in a table whose columns are separated by spaces.
// With tabs a name may be anything: text with the same number of tabs in every line is a table.
bool is_markup(std::string_view field) {
  constexpr std::string_view kFirst = "<{[\"'(*=%";
  constexpr std::string_view kLast = ":;,>\"{}";
  return !field.empty() && (kFirst.find(field.front()) != std::string_view::npos ||
                            kLast.find(field.back()) != std::string_view::npos);
}

// Examines line by line.
class TsvJudge {
 public:
  // Why the line cannot belong to a table of links; empty if it can.
  std::string look_at(std::string_view line) {
    if (std::any_of(line.begin(), line.end(), is_control)) return "it holds control characters";
    if (line.starts_with('#') || trim(line).empty()) return {};
    const TsvFields fields = split_tsv(line);
    const TsvKind kind = tsv_kind_of(fields);
    ++lines_;
    has_target_ = has_target_ || !fields.target.empty();
    if (lines_ == 1) kind_ = kind;
    if (lines_ > 1) note_kind(kind);
    return kind_ == TsvKind::Names ? problem_of_names(fields) : problem_of_kind(fields, kind);
  }

  // Problems that show only after all lines.
  [[nodiscard]] std::string verdict() const {
    if (lines_ > 0 && !has_target_) return "no line has a target";
    if (kind_ != TsvKind::Names || lines_ < 2) return {};
    if (lines_ > 2 && (later_numbers_ == lines_ - 1 || later_urls_ == lines_ - 1)) {
      return "its first line is not like the others; if it is a header, begin it with '#'";
    }
    if (counts_up_)
      return "it is a list of numbered names, as Common Crawl's vertices, without edges";
    return {};
  }

 private:
  void note_kind(TsvKind kind) {
    later_numbers_ += kind == TsvKind::Numbers ? 1 : 0;
    later_urls_ += kind == TsvKind::Urls ? 1 : 0;
  }

  [[nodiscard]] std::string problem_of_kind(const TsvFields& fields, TsvKind kind) const {
    if (fields.has_tab && kind_ == TsvKind::Numbers && has_web_url(fields.rest)) {
      return "its URL is not in the first columns";
    }
    if (kind == kind_) return {};
    const bool are_numbers = kind_ == TsvKind::Numbers;
    const bool source_fits = tsv_kind_of({.source = fields.source}) == kind_;
    return fmt::format("'{}' is not a {}, as those before it",
                       source_fits ? fields.target : fields.source, are_numbers ? "number" : "URL");
  }

  std::string problem_of_names(const TsvFields& fields) {
    if (fields.source.empty()) return "it begins with a tab";
    for (const std::string_view field : {fields.source, fields.target}) {
      if (!fields.has_tab && is_markup(field)) return fmt::format("'{}' is not a name", field);
    }
    if (!fields.has_tab && fields.rest.find_first_of("<{[\"") != std::string_view::npos) {
      return fmt::format("'{}' is not a column", fields.rest);
    }
    if (is_moment(fields.source)) return "it begins with a time";
    note_number(fields);
    if (fields.target.empty()) return {};
    // Two columns between tabs are names of any kind, but not a URL and what is known of it: a
    // score, a status, an outcome. With more columns one of them may be a date.
    const bool is_pair = fields.has_tab && fields.count == 2;
    const bool is_one_url = is_web_url(fields.source) != is_web_url(fields.target);
    if (is_one_url && (!is_pair || is_finding(fields.source) || is_finding(fields.target))) {
      return "a URL is next to something that is not a URL";
    }
    if (fields.has_tab && has_web_url(fields.rest)) return "its URL is not in the first columns";
    if (columns_ == 0) {
      columns_ = fields.count;
      has_tabs_ = fields.has_tab;
    }
    if (fields.has_tab != has_tabs_) return "other lines have other separators";
    if (fields.count != columns_) {
      return fmt::format("it has {} columns, others {}", fields.count, columns_);
    }
    if (!has_tabs_ && columns_ > kColumnsWithSpacesMax) {
      return fmt::format("it has {} words and no tab between them", columns_);
    }
    return {};
  }

  // "0 org.example", "1 org.example-x", ...
  void note_number(const TsvFields& fields) {
    const auto number = parse_node_number(fields.source);
    const bool goes_on = number && !parse_node_number(fields.target) && !fields.target.empty() &&
                         (lines_ == 1 || *number == last_number_ + 1);
    counts_up_ = counts_up_ && goes_on;
    last_number_ = number.value_or(0);
  }

  TsvKind kind_ = TsvKind::Names;
  std::uint64_t lines_ = 0;
  std::uint64_t later_numbers_ = 0;
  std::uint64_t later_urls_ = 0;
  std::uint64_t columns_ = 0;  // of the first line that has two
  bool has_tabs_ = false;
  bool has_target_ = false;
  bool counts_up_ = true;
  std::uint64_t last_number_ = 0;
};

}  // namespace

TsvFields split_tsv(std::string_view line) {
  TsvFields fields;
  fields.has_tab = line.find('\t') != std::string_view::npos;
  const char separator = fields.has_tab ? '\t' : ' ';
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  if (!fields.has_tab) line = trim(line);
  const auto take = [&] {
    const std::size_t end = std::min(line.find(separator), line.size());
    const std::string_view field = trim(line.substr(0, end));
    line.remove_prefix(end);
    while (line.starts_with(separator)) line.remove_prefix(1);
    return field;
  };
  for (; !line.empty(); ++fields.count) {
    const std::string_view field = take();
    if (fields.count == 0) fields.source = field;
    if (fields.count == 1) {
      fields.target = field;
      fields.rest = line;
    }
  }
  return fields;
}

std::optional<std::uint64_t> parse_node_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

TsvKind tsv_kind_of(const TsvFields& fields) {
  const std::string_view other = fields.target.empty() ? fields.source : fields.target;
  if (parse_node_number(fields.source) && parse_node_number(other)) return TsvKind::Numbers;
  Url url;
  return parse_url(fields.source, url) && parse_url(other, url) ? TsvKind::Urls : TsvKind::Names;
}

std::optional<TsvProblem> problem_of_tsv(std::string_view first_lines) {
  TsvJudge judge;
  for (std::uint64_t number = 1; !first_lines.empty(); ++number) {
    const std::size_t end = std::min(first_lines.find('\n'), first_lines.size());
    std::string_view line = first_lines.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    first_lines.remove_prefix(std::min(end + 1, first_lines.size()));
    std::string reason = judge.look_at(line);
    if (!reason.empty()) return TsvProblem{number, std::move(reason)};
  }
  std::string reason = judge.verdict();
  if (reason.empty()) return std::nullopt;
  return TsvProblem{0, std::move(reason)};
}

void refuse_unless_tsv(LineReader& lines) {
  std::string_view text = lines.peek(kFormBytes);
  if (text.size() >= kFormBytes) {  // the last line may be cut
    text = text.substr(0, kFormBytes);
    const std::size_t end = text.rfind('\n');
    text = end == std::string_view::npos ? text : text.substr(0, end + 1);
  }
  const auto problem = problem_of_tsv(text);
  if (!problem) return;
  const std::string place = problem->line > 0 ? fmt::format("line {}: ", problem->line) : "";
  throw Error(ErrorKind::BadInput, fmt::format("{}: not a graph: {}{}. {}", lines.name(), place,
                                               problem->reason, graph_formats()));
}

std::string_view graph_formats() noexcept {
  return "A graph is an archive (lib.ws), a BVGraph (NAME.graph with NAME.properties), a table of "
         "links (source, tab, target on each line: numbers, URLs or names), an ASCII graph "
         "(.graph-txt), or Common Crawl's files of vertices and edges. Make an archive of crawl "
         "files first: webstrata build lib.ws INPUT...";
}

}  // namespace webstrata
