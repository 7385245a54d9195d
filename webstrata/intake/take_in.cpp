// A reader may guess wrong where a piece of a WARC begins and read it again, so what a sink took
// counts only from its first flush on. From then on its batch grows to the size that the writer
// likes; what is left when the part ends goes to the writer with the next flush, or at the end.
// Tested by tests/cli/archive_law_test.py.

#include "webstrata/intake/take_in.h"

#include <memory>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/run_gatherer.h"

namespace webstrata {
namespace {

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
  BatchSink(RunGatherer& gatherer, Leftovers& leftovers)
      : gatherer_(gatherer), leftovers_(leftovers), batch_(gatherer.make_batch()) {}
  BatchSink(const BatchSink&) = delete;
  BatchSink& operator=(const BatchSink&) = delete;
  ~BatchSink() override {
    if (is_sure_) leftovers_.keep(std::move(batch_));
  }

  void take(Capture& capture) override { batch_->add(capture); }

  [[nodiscard]] std::size_t buffered_bytes() const override {
    return batch_->bytes() - flushed_bytes_;
  }

  void flush() override {
    is_sure_ = true;
    leftovers_.give();
    if (batch_->bytes() >= gatherer_.batch_bytes()) {
      gatherer_.take(std::exchange(batch_, gatherer_.make_batch()));
    }
    flushed_bytes_ = batch_->bytes();
  }

 private:
  RunGatherer& gatherer_;
  Leftovers& leftovers_;
  std::unique_ptr<FactBatch> batch_;
  std::size_t flushed_bytes_ = 0;
  bool is_sure_ = false;
};

ReadOptions read_options_of(const ArchiveOptions& archive, const std::string& crawl) {
  ReadOptions options;
  options.kinds = archive.kinds;
  options.keep_other_schemes = archive.keep_other_schemes;
  options.crawl = crawl;
  return options;
}

}  // namespace

std::vector<InputSummary> take_in(RunGatherer& gatherer, const std::vector<std::string>& inputs,
                                  const TakeInOptions& options) {
  Leftovers leftovers(gatherer);
  auto summaries =
      read_inputs(inputs, read_options_of(gatherer.options(), options.crawl), options.parallel,
                  [&](std::size_t) { return std::make_unique<BatchSink>(gatherer, leftovers); });
  leftovers.give();
  return summaries;
}

std::vector<InputSummary> take_in(ArchiveWriter& writer, const std::vector<std::string>& inputs,
                                  const TakeInOptions& options) {
  return take_in(writer.gatherer(), inputs, options);
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
