// SPDX-License-Identifier: Apache-2.0

// A LiveRank campaign, read from its state file. What an answer means depends on the target of the
// campaign; digests cannot be compared without the graph, so a page that only a digest would decide
// does not count as found.
// Tested by tests/serve/runs_test.cpp.

#include <algorithm>
#include <set>
#include <unordered_map>

#include "webstrata/jobs/campaign.h"
#include "webstrata/jobs/truth_file.h"
#include "webstrata/serve/runs/run.h"

namespace webstrata::serve {
namespace {

bool is_found(const TruthLine& line, Target target) {
  switch (target) {
    case Target::Present:
      return line.outcome == Outcome::Alive;
    case Target::Moved:
      return line.outcome == Outcome::Alive || line.outcome == Outcome::Moved;
    case Target::Unchanged:
      return line.is_same == std::optional(true);
    case Target::Changed:
      return line.is_same == std::optional(false);
    case Target::Active:
      return line.active.has_value();
  }
  return false;
}

class CampaignRun : public Run {
 public:
  explicit CampaignRun(const std::filesystem::path& file) : state_(read_live_state(file)) {
    const auto target = state_.settings.find("target");
    if (target != state_.settings.end()) {
      target_ = parse_target(target->second).value_or(Target::Present);
    }
    for (const LiveAnswer& answer : state_.answers) answered_[answer.url] = answer.word;
    std::error_code error;
    const auto written = std::filesystem::last_write_time(file, error);
    if (!error) changed_ = moment_of(written);
  }

  [[nodiscard]] RunSummary summary() const override;
  void each_page(std::uint64_t from, const VisitPage& visit) const override;
  [[nodiscard]] std::optional<RunWhy> why(const std::string& url) const override;
  [[nodiscard]] std::vector<std::string> plan() const override;

 private:
  static Moment moment_of(std::filesystem::file_time_type time) {
    const auto on_clock = std::chrono::file_clock::to_sys(time);
    return std::chrono::duration_cast<std::chrono::milliseconds>(on_clock.time_since_epoch())
        .count();
  }
  [[nodiscard]] RunPage page_of(const std::string& url) const;

  LiveState state_;
  Target target_ = Target::Present;
  std::unordered_map<std::string, std::string> answered_;  // the last word about a page
  std::optional<Moment> changed_;
};

RunPage CampaignRun::page_of(const std::string& url) const {
  RunPage page;
  page.url = url;
  const auto answer = answered_.find(url);
  page.state = answer == answered_.end() ? "waiting" : "done";
  if (answer == answered_.end()) return page;
  page.evidence = answer->second;
  const auto line = parse_answer(answer->second, target_);
  if (line) page.outcome = to_string(line->outcome);
  page.tries = 1;
  return page;
}

RunSummary CampaignRun::summary() const {
  RunSummary summary;
  summary.kind = RunKind::Campaign;
  summary.changed = changed_;
  summary.columns = {"tests", "found"};
  for (const LiveAnswer& answer : state_.answers) {
    const auto line = parse_answer(answer.word, target_);
    ++summary.tests;
    if (line) ++summary.outcomes[std::string(to_string(line->outcome))];
    if (line && is_found(*line, target_)) ++summary.found;
    summary.points.push_back(static_cast<double>(summary.tests));
    summary.points.push_back(static_cast<double>(summary.found));
  }
  summary.waiting = plan().size();
  summary.states = {{"waiting", *summary.waiting}, {"done", answered_.size()}};
  summary.counts = {{"asked", state_.asked.size()}};
  for (const auto& [name, word] : state_.settings) summary.settings.emplace_back(name, word);
  return summary;
}

// Those that plans named, then those about which answers came unasked.
void CampaignRun::each_page(std::uint64_t from, const VisitPage& visit) const {
  const std::set<std::string_view> named(state_.asked.begin(), state_.asked.end());
  std::vector<const std::string*> urls;
  for (const std::string& url : state_.asked) urls.push_back(&url);
  std::set<std::string_view> unasked;
  for (const LiveAnswer& answer : state_.answers) {
    if (!named.contains(answer.url) && unasked.insert(answer.url).second) {
      urls.push_back(&answer.url);
    }
  }
  for (std::uint64_t number = from; number < urls.size(); ++number) {
    if (!visit(number, page_of(*urls[number]))) return;
  }
}

std::optional<RunWhy> CampaignRun::why(const std::string& url) const {
  const auto place = std::find(state_.asked.begin(), state_.asked.end(), url);
  const bool is_asked = place != state_.asked.end();
  if (!is_asked && !answered_.contains(url)) return std::nullopt;
  RunWhy why;
  why.page = page_of(url);
  const auto method = state_.settings.find("by");
  if (is_asked) {
    why.page.why = "page " + std::to_string(place - state_.asked.begin() + 1) + " of the plans";
    if (method != state_.settings.end()) why.page.why += " by " + method->second;
  } else {
    why.page.why = "no plan named it";
  }
  return why;
}

std::vector<std::string> CampaignRun::plan() const {
  std::vector<std::string> urls;
  for (const std::string& url : state_.asked) {
    if (!answered_.contains(url)) urls.push_back(url);
  }
  return urls;
}

}  // namespace

std::unique_ptr<const Run> open_campaign_run(const std::filesystem::path& file) {
  return std::make_unique<CampaignRun>(file);
}

}  // namespace webstrata::serve
