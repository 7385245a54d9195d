// SPDX-License-Identifier: Apache-2.0

// Seeds as `webstrata seeds --json` prints them.
// Tested by tests/serve/runs_test.cpp.

#include <fmt/format.h>
#include <simdjson.h>

#include "webstrata/base/error.h"
#include "webstrata/serve/runs/run.h"

namespace webstrata::serve {
namespace {

namespace dom = simdjson::dom;

std::string text_of(const dom::element& object, const char* name) {
  std::string_view text;
  return object[name].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

class SeedsRun : public Run {
 public:
  explicit SeedsRun(const std::filesystem::path& file);

  [[nodiscard]] RunSummary summary() const override;
  void each_page(std::uint64_t from, const VisitPage& visit) const override;
  [[nodiscard]] std::optional<RunWhy> why(const std::string& url) const override;
  [[nodiscard]] std::vector<std::string> plan() const override;

 private:
  std::vector<RunPage> seeds_;
  std::vector<std::pair<std::string, std::string>> words_;
};

SeedsRun::SeedsRun(const std::filesystem::path& file) {
  dom::parser parser;
  dom::element document;
  dom::array seeds;
  const bool is_read = parser.load(file.string()).get(document) == simdjson::SUCCESS &&
                       document["seeds"].get(seeds) == simdjson::SUCCESS;
  if (!is_read) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: not a list of seeds as JSON", file.string()));
  }
  for (const char* name : {"method", "ended"}) {
    const std::string word = text_of(document, name);
    if (!word.empty()) words_.emplace_back(name, word);
  }
  for (const dom::element& seed : seeds) {
    RunPage page;
    page.url = text_of(seed, "url");
    page.why = text_of(seed, "why");
    double score = 0;
    if (seed["score"].get(score) == simdjson::SUCCESS) page.score = score;
    if (!page.url.empty()) seeds_.push_back(std::move(page));
  }
}

RunSummary SeedsRun::summary() const {
  RunSummary summary;
  summary.kind = RunKind::Seeds;
  summary.found = seeds_.size();
  summary.words = words_;
  summary.columns = {"seeds", "score"};
  for (const RunPage& seed : seeds_) {
    summary.points.push_back(static_cast<double>(summary.points.size() / 2 + 1));
    summary.points.push_back(seed.score.value_or(0));
  }
  return summary;
}

void SeedsRun::each_page(std::uint64_t from, const VisitPage& visit) const {
  for (std::uint64_t number = from; number < seeds_.size(); ++number) {
    if (!visit(number, seeds_[number])) return;
  }
}

std::optional<RunWhy> SeedsRun::why(const std::string& url) const {
  for (const RunPage& seed : seeds_) {
    if (seed.url == url) return RunWhy{seed, {}, {}};
  }
  return std::nullopt;
}

std::vector<std::string> SeedsRun::plan() const {
  std::vector<std::string> urls;
  for (const RunPage& seed : seeds_) urls.push_back(seed.url);
  return urls;
}

}  // namespace

std::unique_ptr<const Run> open_seeds_run(const std::filesystem::path& file) {
  return std::make_unique<SeedsRun>(file);
}

}  // namespace webstrata::serve
