// SPDX-License-Identifier: Apache-2.0

// The keywords of all topics share one matcher, so a text is scanned once however many topics there
// are; each keyword remembers its topic and weight. The reader counts keywords around links while
// it parses; the scorer only adds up these counts. Document frequencies for tf-idf are counted in a
// first pass over the inputs.
// Tested by tests/capture/topic_scorer_test.cpp and tests/cli/topics_test.py.

#include "webstrata/capture/topic_scorer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

std::vector<std::string> words_of(const std::vector<Topic>& topics) {
  std::vector<std::string> words;
  for (const Topic& topic : topics) {
    for (const Keyword& keyword : topic.keywords) words.push_back(keyword.text);
  }
  return words;
}

void refuse_same_names(const std::vector<Topic>& topics) {
  std::set<std::string> names;
  for (const Topic& topic : topics) {
    if (names.insert(topic.name).second) continue;
    throw Error(
        ErrorKind::BadInput,
        fmt::format("two topics are called '{}'; give one of them another @name", topic.name));
  }
}

bool is_scored(const Capture& capture) {
  return capture.text_known && capture.links_known && capture.sighting.outcome == Outcome::Alive;
}

// Counts one part of the inputs.
class FrequencySink : public PartSink {
 public:
  FrequencySink(const TopicScorer& scorer, std::vector<DocumentFrequencies>& all)
      : scoring_(scorer), all_(all), found_(scorer.topics().size()) {}

  void take(Capture& capture) override { scoring_.count(capture, found_); }
  [[nodiscard]] std::size_t buffered_bytes() const override { return 0; }
  void flush() override {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      all_[i].add(found_[i]);
      found_[i] = {};
    }
  }

 private:
  TopicScoring scoring_;
  std::vector<DocumentFrequencies>& all_;
  std::vector<DocumentFrequencies> found_;
};

}  // namespace

void DocumentFrequencies::add(const DocumentFrequencies& more) {
  documents += more.documents;
  with_keyword.resize(std::max(with_keyword.size(), more.with_keyword.size()));
  for (std::size_t i = 0; i < more.with_keyword.size(); ++i) {
    with_keyword[i] += more.with_keyword[i];
  }
}

TopicScorer::TopicScorer(std::vector<Topic> topics, LinkWindow window)
    : topics_(std::move(topics)), window_(window), matcher_(words_of(topics_)) {
  refuse_same_names(topics_);
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    for (const Keyword& keyword : topics_[i].keywords) {
      topic_of_.push_back(static_cast<std::uint32_t>(i));
      weights_.push_back(keyword.weight);
    }
  }
  rarities_.resize(weights_.size(), 1);
}

ReadOptions TopicScorer::wanting(ReadOptions options) const {
  options.with_text = true;
  options.keywords = &matcher_;
  options.link_window = window_;
  return options;
}

bool TopicScorer::needs_frequencies() const noexcept {
  return std::any_of(topics_.begin(), topics_.end(),
                     [](const Topic& topic) { return topic.weighing == Weighing::TfIdf; });
}

void TopicScorer::set_frequencies(std::vector<DocumentFrequencies> frequencies) {
  frequencies_ = std::move(frequencies);
  std::size_t word = 0;
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    DocumentFrequencies& known = frequencies_[i];
    known.with_keyword.resize(topics_[i].keywords.size());
    for (const std::uint64_t with_keyword : known.with_keyword) {
      const double all = 1 + static_cast<double>(known.documents);
      rarities_[word++] = 1 + std::log(all / (1 + static_cast<double>(with_keyword)));
    }
  }
}

double TopicScorer::score(std::size_t topic, std::span<const KeywordCount> counts) const {
  const bool counts_alone = topics_[topic].weighing == Weighing::Counts;
  double sum = 0;
  for (const KeywordCount& count : counts) {
    if (topic_of_[count.keyword] != topic) continue;
    const double times = count.times;
    const double weight = weights_[count.keyword];
    sum += counts_alone ? weight * times : weight * damped(times) * rarities_[count.keyword];
  }
  return counts_alone ? damped(sum) : sum;
}

TopicScoring::TopicScoring(const TopicScorer& scorer)
    : scorer_(scorer), counter_(scorer.matcher_), scores_(scorer.topics_.size()) {}

bool TopicScoring::score(const Capture& capture) {
  if (!is_scored(capture)) return false;
  const auto counts = counter_.count(capture.text);
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    scores_[i].page = scorer_.score(i, counts);
    scores_[i].links.clear();
  }
  score_links(capture.links);
  return true;
}

// A link that occurs several times on the page has several windows, which are counted together.
void TopicScoring::score_links(const LinkSet& links) {
  mentions_.assign(links.mentions().begin(), links.mentions().end());
  std::sort(mentions_.begin(), mentions_.end());
  for (std::size_t i = 0; i < mentions_.size();) {
    const std::uint32_t link = mentions_[i].link;
    counts_.clear();
    for (; i < mentions_.size() && mentions_[i].link == link; ++i) {
      const bool is_new = counts_.empty() || counts_.back().keyword != mentions_[i].keyword;
      if (is_new) counts_.push_back({mentions_[i].keyword, 0});
      counts_.back().times += mentions_[i].times;
    }
    for (std::size_t topic = 0; topic < scores_.size(); ++topic) {
      const double score = scorer_.score(topic, counts_);
      if (score > 0) scores_[topic].links.push_back({link, score});
    }
  }
}

void TopicScoring::count(const Capture& capture, std::vector<DocumentFrequencies>& frequencies) {
  if (!is_scored(capture)) return;
  const auto counts = counter_.count(capture.text);
  std::size_t first = 0;
  for (std::size_t topic = 0; topic < frequencies.size(); ++topic) {
    DocumentFrequencies& known = frequencies[topic];
    const std::size_t size = scorer_.topics_[topic].keywords.size();
    known.with_keyword.resize(size);
    ++known.documents;
    for (const KeywordCount& count : counts) {
      const bool is_ours = count.keyword >= first && count.keyword < first + size;
      if (is_ours) ++known.with_keyword[count.keyword - first];
    }
    first += size;
  }
}

std::vector<DocumentFrequencies> count_documents(const std::vector<std::string>& paths,
                                                 const ReadOptions& options,
                                                 const TopicScorer& scorer,
                                                 const ParallelOptions& parallel) {
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    throw Error(ErrorKind::BadInput,
                "a topic that weighs by tf-idf reads its inputs twice, and standard input can be "
                "read once; save it to a file");
  }
  std::vector<DocumentFrequencies> all(scorer.topics().size());
  read_inputs(paths, scorer.wanting(options), parallel,
              [&](std::size_t) { return std::make_unique<FrequencySink>(scorer, all); });
  return all;
}

}  // namespace webstrata
