// SPDX-License-Identifier: Apache-2.0

// A crawl whose order comes from a plan that several crawlers share (shared_plan.h).
//
// The ledger then knows only the pages that the plan gave to this crawler; what it finds goes to
// the plan, which may give it to any of them. Scope, traps, robots.txt, delays and budgets stay
// ours: a page of the plan is let in like a link. Reports follow the ledger: a page is reported as
// done after its record and its charge are durable, so a kill in between costs a second request and
// never a page. Pages in hand when a run ends are given back at once.
//
// Tested by tests/fetch/crawl_shared_test.cpp, and with a service by tests/frontier/crawl_test.py.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/fetch/crawl/crawler.h"

namespace webstrata {
namespace {

constexpr std::size_t kTakeAtOnce = 100;
constexpr Moment kAskAgainMs = 500;           // after the plan had nothing
constexpr Moment kPatienceMs = 60'000;        // until a plan that gives nothing ends the crawl
constexpr Moment kLeaveToOthersMs = 600'000;  // what is outside this crawler's scope or reach
constexpr std::size_t kFoundMax = 4'000'000;  // pages remembered as handed over

}  // namespace

void Crawler::hand_over(const Url& url, const UrlOrigin& origin) {
  SharedPlan::Task found{.url = std::string(url.href()), .depth = origin.depth};
  if (origin.from != kNoUrl) found.from = ledger_.url(origin.from).url;
  settings_.plan->discover(std::move(found));
}

// A link is handed over once: most links of a site are on all of its pages.
bool Crawler::was_handed_over(const Url& url) {
  if (handed_over_.size() >= kFoundMax) handed_over_.clear();
  return !handed_over_.insert(checksum64(url.href())).second;
}

void Crawler::leave_to_others(const std::string& url, std::string reason) {
  settings_.plan->report(
      {.url = url, .reason = std::move(reason), .again_at = clock_.now() + kLeaveToOthersMs});
}

void Crawler::report_end(const std::string& url, std::string reason) {
  settings_.plan->report({.url = url, .outcome = Outcome::Unknown, .reason = std::move(reason)});
}

// Whether a page of the plan may be requested; if not, the plan hears why.
bool Crawler::may_be_admitted(const SharedPlan::Task& task, const Url& url) {
  // What this crawler found itself was looked at then, and counted by the traps.
  const bool is_judged = handed_over_.contains(checksum64(url.href())) || ledger_.find(url.href());
  const bool is_outside = !settings_.scope.has(url);
  const auto [why, text] =
      is_judged && !is_outside
          ? Refusal{is_forgotten(url) ? TurnedAway::Forgotten : TurnedAway::Unsaid}
          : refusal(url, task.depth);
  if (why == TurnedAway::Unsaid) return true;
  if (why == TurnedAway::OutsideScope || why == TurnedAway::TooDeep) {
    leave_to_others(task.url, text);
  } else {
    report_end(task.url, why == TurnedAway::Forgotten ? "forgotten" : text);
  }
  return false;
}

// The number under which the ledger has a page of the plan; none if it is not to be requested now.
std::optional<UrlNumber> Crawler::admitted(const SharedPlan::Task& task) {
  Url url;
  if (!parse_url(task.url, url) || !url.is_web()) {
    report_end(task.url, "not a URL that can be requested");
    return std::nullopt;
  }
  if (!may_be_admitted(task, url)) return std::nullopt;
  const Moment now = clock_.now();
  std::optional<UrlNumber> number = ledger_.find(url.href());
  if (!number || *number == kNoUrl) {
    number = ledger_.add(url.href(), {.depth = task.depth, .found = now});
  } else if (in_hand_.contains(*number)) {
    return std::nullopt;  // its lease ended before its turn came
  } else if (ledger_.url(*number).state != UrlState::Waiting) {
    ledger_.reopen(*number, now, "the plan asks again");
  }
  if (!number) {
    report_end(task.url, "turned away earlier");
    return std::nullopt;
  }
  if (ledger_.url(*number).lost > kLostMax) {
    report_end(task.url, "the program ended each time while it was asked");
    return std::nullopt;
  }
  in_hand_.emplace(*number, task.url);
  return number;
}

std::optional<Visit> Crawler::next_of_plan() {
  const Moment now = clock_.now();
  while (true) {
    if (taken_.empty() && now >= ask_plan_at_) {
      for (SharedPlan::Task& task : settings_.plan->take(kTakeAtOnce)) {
        taken_.push_back(std::move(task));
      }
      if (taken_.empty()) ask_plan_at_ = now + kAskAgainMs;
      if (!taken_.empty()) plan_gave_at_ = now;
    }
    if (taken_.empty()) return std::nullopt;
    const SharedPlan::Task task = std::move(taken_.front());
    taken_.pop_front();
    if (const auto number = admitted(task)) {
      return Visit{.url = *number, .href = ledger_.url(*number).url, .why = "plan"};
    }
  }
}

void Crawler::report_answer(const Answer& answer) {
  const auto held = in_hand_.extract(answer.learned.url);
  if (held.empty()) return;
  const Settlement& settlement = answer.settlement;
  settings_.plan->report({.url = held.mapped(),
                          .status = settlement.status,
                          .outcome = settlement.outcome,
                          .reason = settlement.evidence,
                          .again_at = settlement.again_at});
}

void Crawler::report_unasked(const Visited& visited) {
  const auto held = in_hand_.extract(visited.visit.url);
  if (held.empty()) return;
  if (visited.end == VisitEnd::Closed) {
    leave_to_others(held.mapped(), visited.reason);
  } else {
    const Outcome outcome =
        visited.end == VisitEnd::Disallowed ? Outcome::Blocked : Outcome::Unknown;
    settings_.plan->report({.url = held.mapped(), .outcome = outcome, .reason = visited.reason});
  }
}

void Crawler::tell_plan() {
  ledger_.commit(clock_.now());
  settings_.plan->send();
}

// Why nothing more is to be expected of the plan; empty while something is.
std::string Crawler::plan_end() {
  if (settings_.plan->waiting() == 0) return "the plan has no page left";
  if (clock_.now() - plan_gave_at_ < kPatienceMs) return "";
  return fmt::format("the plan has given no page for {} s", kPatienceMs / 1000);
}

void Crawler::give_back() {
  const Moment now = clock_.now();
  for (const auto& [number, url] : in_hand_) {
    settings_.plan->report({.url = url, .reason = "given back", .again_at = now});
  }
  for (const SharedPlan::Task& task : taken_) {
    settings_.plan->report({.url = task.url, .reason = "given back", .again_at = now});
  }
  in_hand_.clear();
  taken_.clear();
  tell_plan();
}

}  // namespace webstrata
