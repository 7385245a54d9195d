// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/visits_test.cpp.

#include "webstrata/fetch/visit/robots_book.h"

#include "webstrata/fetch/wire/answer.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {
namespace {

constexpr Moment kRobotsKeptMs = 24 * 3600 * 1000;
constexpr unsigned kRedirectsMax = 5;

RobotsRules rules_of(const RobotsRecord& record, std::string_view product) {
  const bool is_there = record.status >= 200 && record.status < 300;
  return is_there ? parse_robots(record.body, product) : RobotsRules::allow_all();
}

}  // namespace

const RobotsRules* RobotsBook::find(const std::string& origin, Moment now) {
  auto found = known_.find(origin);
  if (found == known_.end()) {
    const auto record = ledger_.robots(origin);
    if (!record) return nullptr;
    keep(origin, *record);
    found = known_.find(origin);
  }
  // One with a time in the future was read before the clock was set back.
  const Moment fetched = found->second.fetched;
  if (fetched + kRobotsKeptMs <= now || fetched > now) return nullptr;
  return &found->second.rules;
}

const RobotsRules* RobotsBook::keep(const std::string& origin, const RobotsRecord& record) {
  Entry& entry = known_[origin];
  entry.rules = rules_of(record, product_);
  entry.fetched = record.fetched;
  return &entry.rules;
}

RobotsErrand RobotsBook::errand(const std::string& origin) {
  return {origin, origin + "/robots.txt", origin, 0};
}

RobotsBook::Next RobotsBook::take(const RobotsErrand& errand, const Response& response,
                                  Moment now) {
  const int status = response.status;
  // 429 asks for fewer requests, which does not mean that there is no robots.txt.
  if (status == 0 || status == 429 || status >= 500) return {.is_unknown = true};
  RobotsRecord record{.fetched = now, .status = status};
  if (status >= 300 && status < 400 && errand.redirects < kRedirectsMax) {
    const auto target = redirect_target(response);
    if (target && !(is_forbidden_ && is_forbidden_(*target))) {
      return {.errand = RobotsErrand{errand.origin, std::string(target->href()), origin_of(*target),
                                     errand.redirects + 1}};
    }
  }
  if (status >= 200 && status < 300) {
    record.body = AnswerBody().content(response).substr(0, kRobotsBytesMax);
  }
  const RobotsRules& rules = *keep(errand.origin, record);
  ledger_.set_crawl_delay(errand.origin, rules.crawl_delay_ms().value_or(0));
  ledger_.set_robots(errand.origin, record);
  return {};
}

}  // namespace webstrata
