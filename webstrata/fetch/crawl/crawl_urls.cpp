// SPDX-License-Identifier: Apache-2.0

// Which URLs a crawl lets in, and which it asks next.
//
// A URL is looked at twice: when it is found (refusal: forgotten, scheme, scope, depth, traps) and
// when it is its turn (may_be_asked), since the archive may have forgotten it meanwhile and a later
// run may have a narrower scope. What only the scope or the depth kept out comes in when a later
// run widens them. Pages that wait for another try go before what the order proposes.
//
// Tested by tests/fetch/crawl_test.cpp.

#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/fetch/crawl/crawler.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {

bool Crawler::is_forgotten(const Url& url) const {
  return settings_.is_forgotten && settings_.is_forgotten(url);
}

bool Crawler::is_forgotten(const std::string& url) const {
  Url parsed;
  return parse_url(url, parsed) && is_forgotten(parsed);
}

Refusal Crawler::refusal(const Url& url, std::uint32_t depth) {
  using enum TurnedAway;
  if (is_forgotten(url)) return {Forgotten};
  if (url.scheme() != "http" && url.scheme() != "https") {
    return {OtherScheme, "neither http nor https"};
  }
  if (!settings_.scope.has(url)) return {OutsideScope, "outside the scope"};
  if (settings_.depth_max && depth > *settings_.depth_max) {
    return {TooDeep, fmt::format("deeper than {} links", *settings_.depth_max)};
  }
  std::string trap = traps_.refusal(url, seconds_of(clock_.now()));
  return {trap.empty() ? Unsaid : Trap, std::move(trap)};
}

// The number of a url that is known or may be; the ledger hears of it either way.
std::optional<UrlNumber> Crawler::let_in(const Url& url, const UrlOrigin& origin) {
  if (const auto known = ledger_.find(url.href())) {
    return *known == kNoUrl ? std::nullopt : known;
  }
  if (settings_.plan && was_handed_over(url)) return std::nullopt;
  const auto [why, text] = refusal(url, origin.depth);
  if (why == TurnedAway::Unsaid && settings_.plan) {
    hand_over(url, origin);
    return std::nullopt;
  }
  if (why == TurnedAway::Unsaid) return ledger_.add(url.href(), origin);
  // The name of what was forgotten is not written down anywhere.
  if (why != TurnedAway::Forgotten) ledger_.turn_away(url.href(), origin, why, text);
  return std::nullopt;
}

void Crawler::add_seed(const std::string& text) {
  Url url;
  if (!parse_url(text, url) || !url.is_web()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: not a URL such as http://www.example.org/", text));
  }
  let_in(url, {.found = clock_.now()});
}

// By what the pages that wait for another try were chosen: it stands in their last charges.
void Crawler::remember_scores() {
  std::size_t left = remembered_retries_.size();
  std::unordered_set<UrlNumber> seen;
  ledger_.each_charge_backwards([&](const Charge& charge) {
    if (left == 0) return false;
    const auto found = remembered_retries_.find(charge.url);
    if (found == remembered_retries_.end() || !seen.insert(charge.url).second) return true;
    found->second.score = charge.score;
    return --left > 0;
  });
}

// What the job knew when it ended the last time.
void Crawler::remember() {
  ledger_.each_url([&](UrlNumber number, const LedgerUrl& known) {
    Url url;
    if (parse_url(known.url, url)) traps_.count(url);
    const bool waits_for_a_retry = !settings_.plan && known.state == UrlState::Waiting &&
                                   known.tries > 0 && known.not_before > 0;
    if (waits_for_a_retry) remembered_retries_.emplace(number, Retry{known.not_before, number});
    return true;
  });
  remember_scores();
  for (const auto& [number, retry] : remembered_retries_) retries_.push(retry);
  ledger_.each_learned([&](const LearnedPage& page) {
    if (page.content != 0) {
      Url url;
      if (parse_url(ledger_.url(page.url).url, url))
        traps_.count_content(origin_of(url), page.content);
      ++pages_;
    }
    harvest_ += page.score;
    order_->learn(page);
    return true;
  });
  // Sitemaps wait although no page linked to them.
  ledger_.each_url([&](UrlNumber number, const LedgerUrl& known) {
    if (known.state == UrlState::Waiting) order_->discover(number);
    return true;
  });
}

// Urls that only a narrower scope or a smaller depth kept out come in now.
void Crawler::let_in_again() {
  const auto numbers = ledger_.let_in_again([&](const LedgerUrl& known) {
    const bool was_scope =
        known.turned_away == TurnedAway::OutsideScope || known.turned_away == TurnedAway::TooDeep;
    Url url;
    return was_scope && parse_url(known.url, url) &&
           refusal(url, known.depth).why == TurnedAway::Unsaid;
  });
  ledger_.commit(clock_.now());
  for (const UrlNumber number : numbers) {
    order_->discover(number);
    if (settings_.plan) settings_.plan->discover({.url = ledger_.url(number).url});
  }
}

void Crawler::begin() {
  if (settings_.is_forgotten) ledger_.forget(settings_.is_forgotten, clock_.now());
  const bool is_new = ledger_.url_count() == 0;
  for (const std::string& seed : settings_.seeds) add_seed(seed);
  ledger_.commit(clock_.now());
  std::vector<UrlNumber> seeds;
  ledger_.each_url([&](UrlNumber number, const LedgerUrl& url) {
    if (url.from == kNoUrl && !url.url.empty()) seeds.push_back(number);
    return true;
  });
  plan_gave_at_ = clock_.now();
  if (ledger_.url_count() == 0 && !settings_.plan) {
    throw Error(ErrorKind::BadInput,
                settings_.seeds.empty()
                    ? "no seeds: name one or more URLs"
                    : "no seed may be asked: the archive forgot them, or they are outside the "
                      "scope; name others");
  }
  order_->begin(seeds);
  if (!is_new) {
    remember();
    let_in_again();
  }
  if (settings_.plan) settings_.plan->send();
}

// Asked again when a url is handed over: since it was let in, it may have been forgotten, and the
// job may have got a narrower scope.
bool Crawler::may_be_asked(UrlNumber number, const LedgerUrl& known) {
  Url url;
  if (!parse_url(known.url, url)) return false;
  if (is_forgotten(url)) {
    ledger_.forget(number);
    order_->fail(number);
    return false;
  }
  const bool is_deep = settings_.depth_max && known.depth > *settings_.depth_max;
  if ((!is_deep && settings_.scope.has(url)) || is_own_sitemap(known, url)) return true;
  ++outside_;  // it waits for a run with a wider scope
  return false;
}

std::optional<Visit> Crawler::next() {
  if (settings_.plan) return next_of_plan();
  const Moment now = clock_.now();
  while (true) {
    Visit visit;
    if (!retries_.empty() && retries_.top().at <= now) {
      visit.url = retries_.top().url;
      visit.score = retries_.top().score;
      visit.why = "again";
      retries_.pop();
    } else if (const auto choice = order_->next()) {
      if (remembered_retries_.contains(choice->url)) continue;
      visit.url = choice->url;
      visit.score = choice->score;
      visit.why = choice->why;
    } else {
      return std::nullopt;
    }
    const LedgerUrl url = ledger_.url(visit.url);
    if (url.state != UrlState::Waiting || url.not_before > now) continue;
    if (!may_be_asked(visit.url, url)) continue;
    if (url.lost > kLostMax) {
      log_unasked(visit.url, FetchCode::ThreadKilled);
      sync();  // before the commit of this turn
      ledger_.drop(visit.url,
                   fmt::format("the program ended {} times while it was asked", url.lost), now);
      order_->fail(visit.url);
      continue;
    }
    visit.href = url.url;
    if (url.tries == 0) {
      if (url.from == kNoUrl) visit.why = "seed";
    } else if (!url.evidence.empty()) {
      visit.why += fmt::format(", {}", url.evidence);
    } else if (url.status != 0) {
      visit.why += fmt::format(", it answered {}", url.status);
    }
    return visit;
  }
}

}  // namespace webstrata
