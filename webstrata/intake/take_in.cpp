// SPDX-License-Identifier: Apache-2.0

// A reader may guess wrong where a piece of a WARC begins and read it again, so the contents of a
// sink count only from its first flush on. From then on its batch grows to the size that the writer
// prefers; the rest of a part goes to the writer with the next flush, or at the end.
// Tested by tests/cli/archive_law_test.py.

#include "webstrata/intake/take_in.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/gather/run_gatherer.h"
#include "webstrata/capture/topic_scorer.h"

namespace webstrata {
namespace {

// The scores of one part's captures for each topic, before they go to the writer.
class TopicSink {
 public:
  explicit TopicSink(const TopicScorer& scorer)
      : scoring_(scorer), batch_(scorer.topics().size()), scores_(scorer.topics().size()) {}

  void take(const Capture& capture) {
    if (!scoring_.score(capture)) return;
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const TopicScores& found = scoring_.scores()[i];
      scores_[i].page = found.page;
      scores_[i].links.clear();
      for (const TopicLinkScore& link : found.links) {
        scores_[i].links.emplace_back(capture.links[link.link].target, link.score);
      }
    }
    batch_.add(capture, scores_);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return batch_.bytes(); }
  void give(ArchiveWriter& writer) {
    writer.take_scores(std::exchange(batch_, ScoreBatch(scores_.size())));
  }

 private:
  TopicScoring scoring_;
  ScoreBatch batch_;
  std::vector<CaptureScores> scores_;
};

// Batches of parts that have ended.
class Leftovers {
 public:
  explicit Leftovers(RunGatherer& gatherer) : gatherer_(gatherer) {}

  void keep(std::unique_ptr<FactBatch> batch) {
    const std::lock_guard lock(mutex_);
    batches_.push_back(std::move(batch));
  }
  void give() {
    std::vector<std::unique_ptr<FactBatch>> batches;
    {
      const std::lock_guard lock(mutex_);
      batches.swap(batches_);
    }
    for (auto& batch : batches) gatherer_.take(std::move(batch));
  }

 private:
  RunGatherer& gatherer_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<FactBatch>> batches_;
};

class BatchSink : public PartSink {
 public:
  BatchSink(RunGatherer& gatherer, Leftovers& leftovers, ArchiveWriter* scored,
            const TopicScorer* topics)
      : gatherer_(gatherer), leftovers_(leftovers), scored_(scored), batch_(gatherer.make_batch()) {
    if (topics != nullptr) topics_.emplace(*topics);
  }
  BatchSink(const BatchSink&) = delete;
  BatchSink& operator=(const BatchSink&) = delete;
  ~BatchSink() override {
    if (is_sure_) leftovers_.keep(std::move(batch_));
  }

  void take(Capture& capture) override {
    batch_->add(capture);
    if (topics_) topics_->take(capture);
  }

  [[nodiscard]] std::size_t buffered_bytes() const override {
    return batch_->bytes() - flushed_bytes_ + (topics_ ? topics_->bytes() : 0);
  }

  void flush() override {
    is_sure_ = true;
    leftovers_.give();
    if (topics_) topics_->give(*scored_);
    if (batch_->bytes() >= gatherer_.batch_bytes()) {
      gatherer_.take(std::exchange(batch_, gatherer_.make_batch()));
    }
    flushed_bytes_ = batch_->bytes();
  }

 private:
  RunGatherer& gatherer_;
  Leftovers& leftovers_;
  ArchiveWriter* scored_;
  std::unique_ptr<FactBatch> batch_;
  std::optional<TopicSink> topics_;
  std::size_t flushed_bytes_ = 0;
  bool is_sure_ = false;
};

}  // namespace

ReadOptions read_options_of(const ArchiveOptions& archive, const std::string& crawl) {
  ReadOptions options;
  options.kinds = archive.kinds;
  options.keep_other_schemes = archive.keep_other_schemes;
  options.with_anchor_text = keeps_texts(archive);
  options.crawl = crawl;
  return options;
}

namespace {

// Scores by topics go to `scored`, facts to `gatherer`.
std::vector<InputSummary> read_all(RunGatherer& gatherer, ArchiveWriter* scored,
                                   const std::vector<std::string>& inputs,
                                   const TakeInOptions& options) {
  Leftovers leftovers(gatherer);
  ReadOptions read_options = read_options_of(gatherer.options(), options.crawl);
  if (options.topics != nullptr) read_options = options.topics->wanting(std::move(read_options));
  auto summaries = read_inputs(inputs, read_options, options.parallel, [&](std::size_t) {
    return std::make_unique<BatchSink>(gatherer, leftovers, scored, options.topics);
  });
  leftovers.give();
  return summaries;
}

}  // namespace

std::vector<InputSummary> take_in(RunGatherer& gatherer, const std::vector<std::string>& inputs,
                                  const TakeInOptions& options) {
  assert(options.topics == nullptr);
  return read_all(gatherer, nullptr, inputs, options);
}

std::vector<InputSummary> take_in(ArchiveWriter& writer, const std::vector<std::string>& inputs,
                                  const TakeInOptions& options) {
  return read_all(writer.gatherer(), &writer, inputs, options);
}

std::vector<InputSummary> take_in_archives(ArchiveWriter& writer,
                                           const std::vector<std::filesystem::path>& archives) {
  std::vector<InputSummary> summaries;
  if (archives.empty()) return summaries;
  for (const Manifest& manifest : writer.join(archives)) {
    InputSummary& summary = summaries.emplace_back();
    const ArchiveCounts& counts = manifest.counts;
    summary.path = archives[summaries.size() - 1].string();
    summary.format = "archive";
    summary.records = counts.sightings;
    summary.captures = std::min(counts.captures, counts.sightings);
    summary.sightings = counts.sightings - summary.captures;
    summary.links = counts.link_facts;
    for (const auto& [layer, files] : manifest.layers) {
      for (const LayerFile& file : files) summary.bytes += file.size;
    }
  }
  return summaries;
}

void judge(std::vector<InputSummary>& summaries) {
  for (InputSummary& summary : summaries) {
    const bool is_hopeless = summary.records == 0 && summary.report.damage_count() > 0;
    if (!summary.error.empty() || !is_hopeless) continue;
    summary.error = fmt::format("{}: nothing in it can be read: {}", summary.path,
                                summary.report.damages().front().reason);
  }
}

}  // namespace webstrata
