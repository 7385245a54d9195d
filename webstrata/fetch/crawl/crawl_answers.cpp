// SPDX-License-Identifier: Apache-2.0

// What becomes of an answer.
//
// take() reads it: its outcome, whether to try again, the record in the crawl files, its score and
// its links. Only when the files of all answers of a turn are synced does settle() give them to the
// ledger and to the order, so the ledger never names a record that a kill could take away.
//
// Tested by tests/fetch/crawl_test.cpp.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/fetch/crawl/crawler.h"
#include "webstrata/fetch/wire/answer.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {
namespace {

constexpr Moment kRetryMs = 10'000;  // doubles with each try

}  // namespace

void Crawler::learn_links(const LedgerUrl& page, Answer& answer) {
  UrlOrigin origin{.from = answer.learned.url, .depth = page.depth + 1, .found = clock_.now()};
  Url target;
  for (std::size_t i = 0; i < capture_.links.size(); ++i) {
    const Link link = capture_.links[i];
    if (!restore_url(link.target, link.shape, target)) continue;
    origin.hop = hop_of(link.kinds);
    const auto number = let_in(target, origin);
    if (!number || !order_->wants_links()) continue;
    const double score = i < link_scores_.size() ? link_scores_[i] : 0;
    answer.learned.links.push_back({*number, score});
  }
}

// A server that fails now may do better later.
void Crawler::set_retry(const LedgerUrl& page, const Response& response, Answer& answer) const {
  const HostSign sign = answer.settlement.sign;
  const bool may_change = sign == HostSign::Overloaded || sign == HostSign::Silent ||
                          response.status >= 500 || response.failure != Failure::None;
  if (sign == HostSign::Nothing || !may_change) return;
  const unsigned tries = page.tries - page.lost;
  if (tries >= settings_.tries_max) return;
  answer.settlement.again_at = clock_.now() + (kRetryMs << std::min(tries, 10U));
}

std::optional<Crawler::Stored> Crawler::store(const Response& response, const std::string& name,
                                              const Url& url, Settlement& settlement) {
  capture_.clear();
  const std::string block = archived_answer(response);
  if (!http_.take_response(block, url, 0, capture_)) return std::nullopt;
  std::optional<CrawlFiles::Earlier> earlier;
  if (settings_.archive && capture_.sighting.outcome == Outcome::Alive) {
    earlier = earlier_capture(*settings_.archive, name, capture_.sighting.digest);
  }
  const WarcPlace place = files_.write(response, block, earlier);
  settlement.file = place.file;
  settlement.offset = place.offset;
  return Stored{place.payload_digest, earlier.has_value()};
}

Crawler::Answer Crawler::settled_answer(const Visited& visited, const LedgerUrl& page) const {
  const Response& response = visited.response;
  Answer answer{.charge = *visited.charge,
                .chosen_by = visited.visit.score,
                .settlement = {},
                .learned = {},
                .mime = {},
                .digest = {}};
  answer.learned.url = visited.visit.url;
  Settlement& settlement = answer.settlement;
  settlement.status = response.status;
  if (response.status == 0) settlement.failure = response.failure;
  settlement.bytes = response.bytes_received;
  settlement.sign = host_sign(response);
  settlement.retry_at = retry_after(response, clock_.now());
  settlement.address = response.address;
  if (response.failure != Failure::None) {
    settlement.evidence = fmt::format("{}: {}", to_string(response.failure), response.detail);
  }
  set_retry(page, response, answer);
  if (response.status == 0) {
    settlement.outcome = Outcome::Unreachable;
    settlement.is_dropped = settlement.sign == HostSign::Nothing;
  }
  return answer;
}

Crawler::Answer Crawler::take(Visited& visited) {
  const Response& response = visited.response;
  const LedgerUrl page = ledger_.url(visited.visit.url);
  Answer answer = settled_answer(visited, page);
  if (response.status == 0) return answer;
  Settlement& settlement = answer.settlement;
  Url url;
  parse_url(page.url, url);
  if (is_forgotten(url)) {  // while it was asked
    answer.is_forgotten = true;
    return answer;
  }
  const auto stored = store(response, page.url, url, settlement);
  if (!stored) return answer;
  const Sighting& seen = capture_.sighting;
  settlement.outcome = seen.outcome;
  if (!is_forgotten(seen.redirect_target)) settlement.target = seen.redirect_target;
  answer.mime = seen.mime;
  answer.digest = stored->digest;
  answer.is_revisit = stored->is_revisit;
  if (!settlement.again_at) learn(visited, page, url, answer);
  return answer;
}

void Crawler::learn(const Visited& visited, const LedgerUrl& page, const Url& url, Answer& answer) {
  const Sighting& seen = capture_.sighting;
  const bool is_alive = seen.outcome == Outcome::Alive;
  link_scores_.clear();
  answer.is_page = true;  // a page that is gone teaches too: such links lead to nothing
  let_in_sitemaps(visited.visit.url, page, url);
  if (is_alive && is_sitemap(page, url, visited.response)) {
    learn_sitemap(page, url, visited.response, answer);
    return;
  }
  if (is_alive) {
    answer.learned.content = checksum64(seen.digest) | 1;
    link_scores_.assign(capture_.links.size(), 0);
    answer.learned.score =
        settings_.topic.score ? settings_.topic.score(capture_, link_scores_) : 1;
    if (!traps_.count_content(origin_of(url), answer.learned.content)) {
      answer.settlement.evidence =
          "its links are not followed: too many pages of its origin are the same";
      return;
    }
  }
  if (capture_.links_known) learn_links(page, answer);
}

void Crawler::settle(Answer& answer) {
  const Moment now = clock_.now();
  ledger_.settle(answer.charge, answer.settlement, now);
  const UrlNumber url = answer.learned.url;
  if (answer.is_forgotten) {
    ledger_.forget(url);
    order_->fail(url);
  } else if (answer.settlement.again_at) {
    if (!settings_.plan) retries_.push({*answer.settlement.again_at, url, answer.chosen_by});
  } else if (answer.is_page) {
    ledger_.learn(answer.learned);
    order_->learn(answer.learned);
    harvest_ += answer.learned.score;
    if (answer.learned.content != 0) ++pages_;
  } else {
    order_->fail(url);
  }
  if (settings_.plan) report_answer(answer);
}

void Crawler::take_all(std::vector<Visited> ended) {
  std::vector<Answer> answers;
  for (Visited& visited : ended) {
    if (visited.end == VisitEnd::Answered) {
      answers.push_back(take(visited));
      log_answer(visited, answers.back());
    } else if (visited.end == VisitEnd::Forgotten) {
      ledger_.forget(visited.visit.url);
      order_->fail(visited.visit.url);
    } else {
      log_unasked(visited.visit.url, code_of(visited));
      ledger_.drop(visited.visit.url, visited.reason, clock_.now());
      order_->fail(visited.visit.url);
    }
    if (settings_.plan && visited.end != VisitEnd::Answered) report_unasked(visited);
  }
  sync();
  for (Answer& answer : answers) settle(answer);
}

}  // namespace webstrata
