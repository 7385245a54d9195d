// SPDX-License-Identifier: Apache-2.0

// Lines are made on the worker threads; revisits are resolved when a part is flushed, because only
// then is it known what came before them.
// Tested by tests/capture/extraction_test.cpp.

#include "webstrata/capture/extraction.h"

#include <memory>
#include <utility>

#include "webstrata/capture/capture_lines.h"
#include "webstrata/capture/record/revisits.h"

namespace webstrata {
namespace {

// Maximum number of revisits that wait for their originals; more are written as they are.
constexpr std::size_t kWaitingMax = 200'000;

class Extraction {
 public:
  Extraction(const std::vector<std::string>& paths, const ReadOptions& read_options,
             const ExtractOptions& options, const std::function<void(std::string_view)>& write)
      : paths_(paths),
        read_options_(read_options),
        options_(options),
        write_(write),
        scoring_(make_scoring()) {}

  // One for each sink; null if there are no topics.
  [[nodiscard]] std::unique_ptr<TopicScoring> make_scoring() const {
    if (options_.topics == nullptr) return nullptr;
    return std::make_unique<TopicScoring>(*options_.topics);
  }

  // The text was read only for the topics and is not printed.
  void append(std::string& out, Capture& capture, TopicScoring* scoring) const {
    if (!options_.with_lines) return;
    const bool is_scored = scoring != nullptr && scoring->score(capture);
    if (scoring != nullptr) capture.text.clear();
    switch (options_.format) {
      case LineFormat::Jsonl:
        return append_jsonl(out, capture, is_scored ? named(*scoring) : std::vector<NamedScores>());
      case LineFormat::Scores:
        if (is_scored) append_score(out, capture, scoring->scores().front());
        return;
      case LineFormat::LinkScores:
        if (is_scored) append_link_scores(out, capture, scoring->scores().front());
        return;
      case LineFormat::Tsv:
        return append_tsv(out, capture);
      case LineFormat::Cdxj:
        return append_cdxj(out, capture, options_.dialect);
    }
  }
  // CDXJ lines have no links, so there is nothing to resolve.
  [[nodiscard]] bool resolves_revisits() const noexcept {
    return options_.with_lines &&
           (options_.format == LineFormat::Jsonl || options_.format == LineFormat::Tsv);
  }

  void write(std::string_view lines) const { write_(lines); }
  void remember(const RevisitIndex::Entry& entry) { index_.add(entry); }

  // Writes the revisit with the links of its original, or keeps it for later.
  void write_revisit(std::unique_ptr<Capture> revisit) {
    if (!resolve(*revisit) && waiting_.size() < kWaitingMax) {
      waiting_.push_back(std::move(revisit));
    } else {
      write_line(*revisit);
    }
  }
  void write_waiting() {
    for (const auto& revisit : waiting_) {
      resolve(*revisit);
      write_line(*revisit);
    }
  }

 private:
  [[nodiscard]] std::vector<NamedScores> named(const TopicScoring& scoring) const {
    std::vector<NamedScores> names;
    for (std::size_t i = 0; i < scoring.scores().size(); ++i) {
      names.push_back({options_.topics->topics()[i].name, &scoring.scores()[i]});
    }
    return names;
  }

  bool resolve(Capture& revisit) {
    const auto place = index_.original(revisit.sighting);
    if (!place || !read_capture_at(paths_[place->input], place->offset, read_options_, original_)) {
      return false;
    }
    std::swap(revisit.links, original_.links);
    std::swap(revisit.title, original_.title);
    std::swap(revisit.text, original_.text);
    revisit.text_known = original_.text_known;
    revisit.links_known = true;
    return true;
  }

  void write_line(Capture& capture) {
    line_.clear();
    append(line_, capture, scoring_.get());
    write_(line_);
  }

  const std::vector<std::string>& paths_;
  const ReadOptions& read_options_;
  const ExtractOptions& options_;
  const std::function<void(std::string_view)>& write_;
  RevisitIndex index_;
  std::vector<std::unique_ptr<Capture>> waiting_;
  Capture original_;
  std::string line_;
  std::unique_ptr<TopicScoring> scoring_;  // of lines that are written at the flush
};

class ExtractSink : public PartSink {
 public:
  ExtractSink(Extraction& extraction, std::size_t input)
      : extraction_(extraction),
        input_(static_cast<std::uint32_t>(input)),
        scoring_(extraction.make_scoring()) {}

  void take(Capture& capture) override {
    const bool is_revisit = capture.sighting.kind == SightingKind::Revisit && !capture.links_known;
    if (is_revisit && extraction_.resolves_revisits()) {
      events_.push_back({lines_.size(), {}, std::make_unique<Capture>(capture)});
      return;
    }
    extraction_.append(lines_, capture, scoring_.get());
    if (!extraction_.resolves_revisits()) return;
    if (const auto entry = RevisitIndex::entry_of(capture, input_)) {
      events_.push_back({lines_.size(), *entry, nullptr});
    }
  }

  [[nodiscard]] std::size_t buffered_bytes() const override {
    return lines_.size() + events_.size() * sizeof(Event);
  }

  void flush() override {
    std::size_t written = 0;
    for (Event& event : events_) {
      if (event.revisit == nullptr) {
        extraction_.remember(event.entry);
        continue;
      }
      extraction_.write(std::string_view(lines_).substr(written, event.position - written));
      written = event.position;
      extraction_.write_revisit(std::move(event.revisit));
    }
    extraction_.write(std::string_view(lines_).substr(written));
    lines_.clear();
    events_.clear();
  }

 private:
  // Something that must happen in order between the lines: an original is known, a revisit comes.
  struct Event {
    std::size_t position = 0;  // in lines_
    RevisitIndex::Entry entry;
    std::unique_ptr<Capture> revisit;
  };

  Extraction& extraction_;
  std::uint32_t input_;
  std::unique_ptr<TopicScoring> scoring_;
  std::string lines_;
  std::vector<Event> events_;
};

}  // namespace

std::vector<InputSummary> extract(const std::vector<std::string>& paths,
                                  const ReadOptions& read_options, const ExtractOptions& options,
                                  const ParallelOptions& parallel_options,
                                  const std::function<void(std::string_view)>& write) {
  Extraction extraction(paths, read_options, options, write);
  auto summaries = read_inputs(paths, read_options, parallel_options, [&](std::size_t input) {
    return std::make_unique<ExtractSink>(extraction, input);
  });
  extraction.write_waiting();
  return summaries;
}

}  // namespace webstrata
