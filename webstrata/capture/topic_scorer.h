// SPDX-License-Identifier: Apache-2.0

// How much pages and links are about topics.
//
//   const TopicScorer scorer(topics, LinkWindow::Context);
//   read_options = scorer.wanting(read_options);   // readers must keep text and count round links
//   TopicScoring scoring(scorer);                  // one for each thread
//   if (scoring.score(capture)) ... scoring.scores()[topic].page ...
//
// n_k: how often keyword k occurs in the page's visible text, or in the windows of a link, over all
// its occurrences on the page; w_k its weight. With f(x) = damped(x) of topic.h:
//   counts   f(sum of w_k n_k)
//   tf-idf   sum of w_k f(n_k) idf_k,   idf_k = 1 + ln((1 + N) / (1 + N_k))
// where N_k of N captures have keyword k in their text (DocumentFrequencies). A page whose text is
// not known has no score, and neither have its links.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/capture/parallel_read.h"
#include "webstrata/capture/record/keyword_matcher.h"
#include "webstrata/capture/topic.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

// The number of captures with text, and of those that contain each keyword of a topic.
struct DocumentFrequencies {
  std::uint64_t documents = 0;
  std::vector<std::uint64_t> with_keyword;

  void add(const DocumentFrequencies& more);
  friend bool operator==(const DocumentFrequencies&, const DocumentFrequencies&) = default;
};

struct TopicLinkScore {
  std::uint32_t link = 0;  // its position in Capture::links
  double score = 0;
  friend bool operator==(const TopicLinkScore&, const TopicLinkScore&) = default;
};

// The scores of a capture for a topic.
struct TopicScores {
  double page = 0;
  std::vector<TopicLinkScore> links;  // positions ascending; those left out have 0
};

class TopicScorer {
 public:
  // Throws Error(BadInput) if two topics have the same name.
  TopicScorer(std::vector<Topic> topics, LinkWindow window);

  [[nodiscard]] const std::vector<Topic>& topics() const noexcept { return topics_; }
  [[nodiscard]] LinkWindow window() const noexcept { return window_; }
  // The options with what scoring needs. The scorer outlives the readers.
  [[nodiscard]] ReadOptions wanting(ReadOptions options) const;

  // Whether some topic weighs by tf-idf and so needs frequencies.
  [[nodiscard]] bool needs_frequencies() const noexcept;
  // One for each topic; read from inputs by count_documents().
  void set_frequencies(std::vector<DocumentFrequencies> frequencies);
  [[nodiscard]] const std::vector<DocumentFrequencies>& frequencies() const noexcept {
    return frequencies_;
  }

 private:
  friend class TopicScoring;

  [[nodiscard]] double score(std::size_t topic, std::span<const KeywordCount> counts) const;

  std::vector<Topic> topics_;
  LinkWindow window_;
  KeywordMatcher matcher_;  // of the keywords of all topics, one after the other
  std::vector<std::uint32_t> topic_of_;
  std::vector<double> weights_;
  std::vector<DocumentFrequencies> frequencies_;
  std::vector<double> rarities_;  // idf of each keyword
};

class TopicScoring {
 public:
  explicit TopicScoring(const TopicScorer& scorer);

  // False if the capture has no score. The text and the links must have been read with
  // TopicScorer::wanting().
  bool score(const Capture& capture);
  // By topic, of the last capture that was scored.
  [[nodiscard]] const std::vector<TopicScores>& scores() const noexcept { return scores_; }

  // Adds the capture to the frequencies of each topic.
  void count(const Capture& capture, std::vector<DocumentFrequencies>& frequencies);

 private:
  void score_links(const LinkSet& links);

  const TopicScorer& scorer_;
  KeywordCounter counter_;
  std::vector<TopicScores> scores_;
  std::vector<LinkMention> mentions_;
  std::vector<KeywordCount> counts_;
};

// Reads the inputs for the frequencies of every topic. Standard input cannot be read twice: throws
// Error(BadInput).
std::vector<DocumentFrequencies> count_documents(const std::vector<std::string>& paths,
                                                 const ReadOptions& options,
                                                 const TopicScorer& scorer,
                                                 const ParallelOptions& parallel);

}  // namespace webstrata
