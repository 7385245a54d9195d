// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/explore_test.py.

#include "webstrata/jobs/topic_scores.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/explore/set_function.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/graph/score_columns.h"

namespace webstrata {
namespace {

double score_in(std::string_view word, const LineReader& lines, Smooth smooth) {
  double score = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), score);
  const bool is_number = error == std::errc() && rest == word.data() + word.size();
  if (!is_number || !std::isfinite(score) || score < 0) {
    lines.refuse(
        fmt::format("{}: a score is a number of at least 0, after one or two URLs, with tabs "
                    "between; for keywords, build the archive with this topic",
                    word));
  }
  if (smooth == Smooth::None) return score;
  if (score > 0 && score < 1) lines.refuse(fmt::format("{}: a count is 0 or at least 1", word));
  return smoothed_count(score);
}

// The nodes that a line names; false if the graph lacks one.
bool add_line(std::string_view line, const LineReader& lines, const Snapshot& graph, Smooth smooth,
              TopicScoresOfGraph& scores) {
  const std::size_t last_tab = line.rfind('\t');
  const double score = score_in(
      last_tab == std::string_view::npos ? line : trim(line.substr(last_tab + 1)), lines, smooth);
  if (last_tab == std::string_view::npos) lines.refuse("a score without a URL");
  const std::string_view names = line.substr(0, last_tab);
  const std::size_t tab = names.find('\t');
  const auto source = graph.find(trim(names.substr(0, tab)));
  if (!source) return false;
  if (tab == std::string_view::npos) {
    scores.node_scores[*source] = score;
    return true;
  }
  const auto target = graph.find(trim(names.substr(tab + 1)));
  const auto link = target ? graph.find_link(*source, *target) : std::nullopt;
  if (!link) return false;
  scores.link_scores[*link] = score;
  return true;
}

TopicScoresOfGraph scores_of_file(const std::string& path, const Snapshot& graph, Smooth smooth) {
  TopicScoresOfGraph scores{std::vector<double>(graph.node_count()),
                            std::vector<double>(graph.link_count()), 0};
  LineReader lines(path);
  std::uint64_t known = 0;
  while (const auto text = lines.next()) {
    const std::string_view line = trim(*text);
    if (line.empty() || line.front() == '#') continue;
    add_line(line, lines, graph, smooth, scores) ? ++known : ++scores.unknown;
  }
  if (known == 0) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: no line is about a page or link of the graph", path));
  }
  return scores;
}

std::vector<double> values_of(const Column<double>& column, std::uint64_t count) {
  std::vector<double> values(count);
  for (std::uint64_t i = 0; i < count; ++i) values[i] = column[i].value_or(0);
  return values;
}

TopicScoresOfGraph scores_of_columns(const std::string& topic, const Archive& archive,
                                     const Snapshot& graph) {
  TopicScoresOfGraph scores;
  scores.node_scores = values_of(node_scores_of(archive, graph, topic), graph.node_count());
  const Snapshot with_both = with_scores(archive, graph, topic);
  const auto column = with_both.link_columns().scores.find(topic);
  scores.link_scores = column == with_both.link_columns().scores.end()
                           ? std::vector<double>(graph.link_count())
                           : values_of(column->second, graph.link_count());
  return scores;
}

}  // namespace

Smooth parse_smooth_word(std::string_view what, std::string_view word) {
  if (word == "none") return Smooth::None;
  if (word == "log") return Smooth::Log;
  throw Error(ErrorKind::BadInput, fmt::format("{} {}: not none or log", what, word));
}

TopicScoresOfGraph topic_scores(const std::string& topic, const GraphSource& source,
                                const Snapshot& graph, Smooth smooth) {
  if (topic == "-" || std::filesystem::is_regular_file(topic)) {
    return scores_of_file(topic, graph, smooth);
  }
  if (smooth == Smooth::Log) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: not a file of counts to smooth; topics saved in an archive have "
                            "scores already",
                            topic));
  }
  if (!source.archive) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: no such file of scores, and only archives keep topics of "
                            "their own",
                            topic));
  }
  return scores_of_columns(topic, *source.archive, graph);
}

}  // namespace webstrata
