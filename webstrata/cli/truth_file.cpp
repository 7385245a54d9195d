// Tested by tests/cli/liverank_test.py.

#include "webstrata/cli/truth_file.h"

#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/text.h"
#include "webstrata/graph/line_reader.h"

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

// 0, 1 or a status of three digits (Heritrix's codes are negative).
std::optional<Outcome> outcome_of_number(std::string_view word) {
  const auto number = number_in(word);
  if (!number) return std::nullopt;
  if (word == "0") return Outcome::Gone;
  if (word == "1") return Outcome::Alive;
  if (*number < 0 || (*number >= 100 && *number <= 599)) return outcome_of_status(*number, true);
  return std::nullopt;
}

void read_activity(std::string_view word, const LineReader& lines, TruthLine& line) {
  line.outcome = Outcome::Alive;
  if (word.empty() || word == "-") return;
  line.active = parse_time(word);
  if (line.active) return;
  const auto outcome = parse_outcome(word);
  if (!outcome) lines.refuse(fmt::format("{}: not a time of activity or an outcome", word));
  line.outcome = *outcome;
}

void read_outcome(std::string_view word, const LineReader& lines, TruthLine& line) {
  auto outcome = parse_outcome(word);
  if (!outcome) outcome = outcome_of_number(word);
  if (!outcome) {
    lines.refuse(fmt::format("{}: not an outcome such as alive or gone, a status, 1 or 0", word));
  }
  line.outcome = *outcome;
}

// The place of the column that counts, by the names of a first line.
std::optional<std::size_t> named_column(const std::vector<std::string_view>& names) {
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i] == "outcome" || names[i] == "status" || names[i] == "time") return i;
  }
  return std::nullopt;
}

}  // namespace

TruthFileForm read_truth_lines(const std::string& path, Target target,
                               const std::function<void(const TruthLine&)>& take) {
  TruthFileForm form;
  LineReader lines(path);
  std::optional<std::size_t> place;
  while (const auto text = lines.next()) {
    if (trim(*text).empty()) continue;
    const auto columns = columns_of(*text);
    if (lines.line_number() == 1 && columns[0] == "url") {
      place = named_column(columns);
      continue;
    }
    ++form.lines;
    TruthLine line{columns[0], Outcome::Alive, {}};
    if (columns.size() > 1) {
      form.names_only = false;
      const std::string_view word =
          columns[place && *place < columns.size() ? *place : columns.size() - 1];
      target == Target::Active ? read_activity(word, lines, line) : read_outcome(word, lines, line);
    }
    take(line);
  }
  return form;
}

Truth read_truth(const std::string& path, const Population& pages, const TruthOptions& options) {
  TruthList list(pages, options);
  const auto form =
      read_truth_lines(path, options.target, [&](const TruthLine& line) { list.add(line); });
  return list.finish(form.names_only ? Outcome::Gone : Outcome::Unknown);
}

}  // namespace webstrata
