// SPDX-License-Identifier: Apache-2.0

// A column's note: "window 100", the topic's text, and for tf-idf a line "documents N N_1 N_2 ...".
// An update compares the first two and goes on counting from the third.
// Tested by tests/cli/topics_test.py.

#include "webstrata/jobs/topic_columns.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "webstrata/archive/ask/link_scores.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::string_view kDocuments = "documents";

std::string_view window_word(LinkWindow window) {
  return window == LinkWindow::Anchor ? "anchor" : "100";
}

std::string note_head(const TopicScorer& scorer, std::size_t topic) {
  return fmt::format("window {}\n{}", window_word(scorer.window()),
                     to_text(scorer.topics()[topic]));
}

std::string note_of(const TopicScorer& scorer, std::size_t topic) {
  std::string note = note_head(scorer, topic);
  if (scorer.frequencies().empty()) return note;
  const DocumentFrequencies& known = scorer.frequencies()[topic];
  return note +
         fmt::format("{} {} {}\n", kDocuments, known.documents, fmt::join(known.with_keyword, " "));
}

DocumentFrequencies parse_frequencies(std::string_view numbers) {
  std::vector<std::uint64_t> found;
  const char* at = numbers.data();
  const char* const end = at + numbers.size();
  while (at != end) {
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error == std::errc()) found.push_back(number);
    at = error == std::errc() ? rest : at + 1;
  }
  if (found.empty()) return {};
  return {found.front(), std::vector<std::uint64_t>(found.begin() + 1, found.end())};
}

// What the column of that topic has counted, if there is one.
DocumentFrequencies frequencies_before(const TopicScorer& scorer, std::size_t topic,
                                       const Archive& archive) {
  const std::string& name = scorer.topics()[topic].name;
  const auto names = link_score_names(archive);
  if (std::find(names.begin(), names.end(), name) == names.end()) return {};
  const std::string note = link_score_note(archive, name);
  const std::string head = note_head(scorer, topic);
  const std::string_view rest = note.starts_with(head) ? std::string_view(note).substr(head.size())
                                                       : std::string_view("other");
  if (!rest.empty() && !rest.starts_with(kDocuments)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: the topic '{}' was saved with other keywords or another window; "
                            "use another @name, or build a new archive",
                            archive.path().string(), name));
  }
  return parse_frequencies(rest);
}

}  // namespace

std::unique_ptr<TopicScorer> load_topics(const std::vector<std::string>& files, LinkWindow window) {
  if (files.empty()) return nullptr;
  std::vector<Topic> topics;
  for (const std::string& file : files) topics.push_back(load_topic(file));
  return std::make_unique<TopicScorer>(std::move(topics), window);
}

void learn_frequencies(TopicScorer& scorer, const std::vector<std::string>& inputs,
                       const ReadOptions& options, const ParallelOptions& parallel,
                       const Archive* archive) {
  std::vector<DocumentFrequencies> all(scorer.topics().size());
  for (std::size_t i = 0; archive != nullptr && i < all.size(); ++i) {
    all[i] = frequencies_before(scorer, i, *archive);
  }
  if (!scorer.needs_frequencies()) return;
  const auto found = count_documents(inputs, options, scorer, parallel);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].add(found[i]);
  scorer.set_frequencies(std::move(all));
}

std::vector<ScoreColumn> columns_of(const TopicScorer& scorer) {
  std::vector<ScoreColumn> columns;
  for (std::size_t i = 0; i < scorer.topics().size(); ++i) {
    columns.push_back({scorer.topics()[i].name, note_of(scorer, i)});
  }
  return columns;
}

}  // namespace webstrata
