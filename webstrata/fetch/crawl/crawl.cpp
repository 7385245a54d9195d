// SPDX-License-Identifier: Apache-2.0

// One turn of the loop: visits hand over the answers that came; each is read for its links, written
// to the crawl files, and its links are let in or turned away. Then the files are synced, and only
// then does the ledger settle; the next turn commits that before anything else leaves.
//
// Tested by tests/fetch/crawl_test.cpp, and over sockets by tests/fetch/crawl_*_test.py.

#include "webstrata/fetch/crawl/crawl.h"

#include <algorithm>
#include <compare>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/capture/http/http_capture.h"
#include "webstrata/fetch/crawl/sitemap.h"
#include "webstrata/fetch/visit/visits.h"
#include "webstrata/fetch/wire/answer.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {
namespace {

constexpr Moment kTurnMs = 500;      // so that Ctrl-C and the status line need not wait
constexpr unsigned kLostMax = 20;    // tries that kills took; then the page itself is suspect
constexpr Moment kRetryMs = 10'000;  // doubles with each try

// Why a url that is new should not be asked; Unsaid: it may be.
struct Refusal {
  TurnedAway why = TurnedAway::Unsaid;
  std::string text = {};  // for people
};

// What a robots.txt names, resolved, in its order.
struct NamedSitemaps {
  std::vector<std::string> urls = {};
  std::unordered_set<std::string> known = {};
};

class Crawler {
 public:
  Crawler(Transport& transport, const Clock& clock, Ledger& ledger, const CrawlSettings& settings)
      : clock_(clock),
        ledger_(ledger),
        settings_(settings),
        traps_(settings.traps),
        order_(make_crawl_order(settings.order, ledger)),
        files_(settings.files, clock, ledger),
        visits_(transport, clock, ledger,
                {.product = settings.product,
                 .limits = settings.limits,
                 .is_forbidden = [this](const Url& url) { return is_forgotten(url); }}),
        read_options_(read_options(settings)),
        http_(read_options_, report_) {}

  CrawlResult run(const CancelToken* cancel, const std::function<void(const CrawlNews&)>& tell);

 private:
  struct Answer {
    ChargeNumber charge = 0;
    double chosen_by = 0;  // the score
    Settlement settlement;
    LearnedPage learned;
    bool is_page = false;  // it taught something
    bool is_forgotten = false;
  };

  static ReadOptions read_options(const CrawlSettings& settings);
  void begin();
  void remember();
  void remember_scores();
  void let_in_again();
  void add_seed(const std::string& text);
  std::optional<Visit> next();
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] bool is_forgotten(const Url& url) const;
  [[nodiscard]] bool is_forgotten(const std::string& url) const;
  [[nodiscard]] bool may_be_asked(UrlNumber number, const LedgerUrl& known);
  Refusal refusal(const Url& url, std::uint32_t depth);
  std::optional<UrlNumber> let_in(const Url& url, const UrlOrigin& origin);
  Answer take(Visited& visited);
  void learn_links(const LedgerUrl& page, Answer& answer);
  [[nodiscard]] const NamedSitemaps* sitemaps_of(const Url& asker);
  [[nodiscard]] bool is_named_sitemap(std::string_view asker, const Url& url);
  [[nodiscard]] bool is_own_sitemap(const LedgerUrl& page, const Url& url);
  [[nodiscard]] bool is_sitemap(const LedgerUrl& page, const Url& url, const Response& response);
  void learn_sitemap(const LedgerUrl& page, const Url& url, const Response& response,
                     Answer& answer);
  void let_in_sitemaps(UrlNumber number, const LedgerUrl& page, const Url& url);
  void set_retry(const LedgerUrl& page, const Response& response, Answer& answer) const;
  void settle(Answer& answer);
  void take_all(std::vector<Visited> ended);
  [[nodiscard]] CrawlNews news(bool is_draining) const;

  const Clock& clock_;
  Ledger& ledger_;
  const CrawlSettings& settings_;
  Traps traps_;
  std::unique_ptr<CrawlOrder> order_;
  CrawlFiles files_;
  Visits visits_;
  Report report_;
  ReadOptions read_options_;
  HttpCapture http_;
  Capture capture_;
  std::vector<double> link_scores_;
  struct Retry {
    Moment at = 0;
    UrlNumber url = kNoUrl;
    double score = 0;  // by which the page was chosen the first time
    friend auto operator<=>(const Retry&, const Retry&) = default;
  };
  std::priority_queue<Retry, std::vector<Retry>, std::greater<>> retries_;
  std::unordered_map<UrlNumber, Retry> remembered_retries_;  // the order would name them once more
  std::unordered_map<std::string, NamedSitemaps> sitemaps_;  // by origin
  std::unordered_set<std::string> origins_mapped_;           // whose sitemaps were let in
  std::uint64_t pages_ = 0;
  std::uint64_t outside_ = 0;
  double harvest_ = 0;
};

ReadOptions Crawler::read_options(const CrawlSettings& settings) {
  ReadOptions options;
  options.kinds = settings.kinds | LinkKind::Redirect;
  return settings.topic.wanting ? settings.topic.wanting(options) : options;
}

// ---- which urls ---------------------------------------------------------------------------------

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
  const auto [why, text] = refusal(url, origin.depth);
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
    const bool waits_for_a_retry =
        known.state == UrlState::Waiting && known.tries > 0 && known.not_before > 0;
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
  for (const UrlNumber number : numbers) order_->discover(number);
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
  if (ledger_.url_count() == 0) {
    throw Error(ErrorKind::BadInput,
                settings_.seeds.empty()
                    ? "no seeds: name one or more URLs"
                    : "no seed may be asked: the archive forgot them, or they are outside the "
                      "scope; name others");
  }
  order_->begin(seeds);
  if (is_new) return;
  remember();
  let_in_again();
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

// ---- answers ------------------------------------------------------------------------------------

void Crawler::learn_links(const LedgerUrl& page, Answer& answer) {
  const UrlOrigin origin{
      .from = answer.learned.url, .depth = page.depth + 1, .found = clock_.now()};
  Url target;
  for (std::size_t i = 0; i < capture_.links.size(); ++i) {
    const Link link = capture_.links[i];
    if (!restore_url(link.target, link.shape, target)) continue;
    const auto number = let_in(target, origin);
    if (!number || !order_->wants_links()) continue;
    const double score = i < link_scores_.size() ? link_scores_[i] : 0;
    answer.learned.links.push_back({*number, score});
  }
}

// ---- sitemaps -----------------------------------------------------------------------------------
// A sitemap is a url like any other: it waits, is asked politely, charged and written down. What it
// names is found as if it linked there; it scores nothing itself. robots.txt says which urls are
// sitemaps, and the ledger keeps robots.txt, so nothing more need be remembered.

NamedSitemaps named_sitemaps(const RobotsRules& rules, const Url& asker) {
  NamedSitemaps named;
  Url robots;
  Url target;
  if (!parse_url(origin_of(asker) + "/robots.txt", robots)) return named;
  for (const std::string& name : rules.sitemaps()) {
    if (!resolve_url(robots, name, target) || !target.is_web()) continue;
    const std::string href(target.href());
    if (named.known.insert(href).second) named.urls.push_back(href);
  }
  return named;
}

// Resolved once for each origin: a file may name a thousand, and every page is compared with them.
const NamedSitemaps* Crawler::sitemaps_of(const Url& asker) {
  const auto found = sitemaps_.find(origin_of(asker));
  if (found != sitemaps_.end()) return &found->second;
  const RobotsRules* rules = visits_.rules_of(asker);
  if (rules == nullptr) return nullptr;
  return &sitemaps_.emplace(origin_of(asker), named_sitemaps(*rules, asker)).first->second;
}

// Whether the robots.txt of the asker's host names it.
bool Crawler::is_named_sitemap(std::string_view asker, const Url& url) {
  Url origin;
  if (!parse_url(asker, origin)) return false;
  const NamedSitemaps* sitemaps = sitemaps_of(origin);
  return sitemaps != nullptr && sitemaps->known.contains(std::string(url.href()));
}

// A scope may name a folder of the host; its sitemap lies at the top.
bool Crawler::is_own_sitemap(const LedgerUrl& page, const Url& url) {
  if (!settings_.with_sitemaps || page.from == kNoUrl) return false;
  Url asker;
  if (!parse_url(ledger_.url(page.from).url, asker) || origin_of(asker) != origin_of(url)) {
    return false;
  }
  if (sitemaps_of(asker) != nullptr) return is_named_sitemap(asker.href(), url);
  // Rules that are too old to be followed still say why it waits.
  const auto old = ledger_.robots(origin_of(asker));
  if (!old) return false;
  const RobotsRules rules = parse_robots(old->body, settings_.product);
  return named_sitemaps(rules, asker).known.contains(std::string(url.href()));
}

// Named by robots.txt of its own host or of the host that led there; or XML that one of these led
// to, which is part of an index.
bool Crawler::is_sitemap(const LedgerUrl& page, const Url& url, const Response& response) {
  if (!settings_.with_sitemaps) return false;
  if (is_named_sitemap(url.href(), url)) return true;
  if (page.from == kNoUrl) return false;
  const LedgerUrl from = ledger_.url(page.from);
  if (is_named_sitemap(from.url, url)) return true;
  Url index;
  if (!parse_url(from.url, index)) return false;
  const bool is_led_by_one =
      is_named_sitemap(from.url, index) ||
      (from.from != kNoUrl && is_named_sitemap(ledger_.url(from.from).url, index));
  return is_led_by_one && looks_like_sitemap(AnswerBody().content(response));
}

void Crawler::learn_sitemap(const LedgerUrl& page, const Url& url, const Response& response,
                            Answer& answer) {
  const Sitemap sitemap =
      parse_sitemap(AnswerBody().content(response), url, seconds_of(clock_.now()));
  const UrlOrigin origin{
      .from = answer.learned.url, .depth = page.depth + 1, .found = clock_.now()};
  answer.settlement.evidence = fmt::format("a sitemap of {} pages and {} sitemaps",
                                           sitemap.pages.size(), sitemap.sitemaps.size());
  Url target;
  for (const auto* entries : {&sitemap.sitemaps, &sitemap.pages}) {
    for (const SitemapEntry& entry : *entries) {
      if (!parse_url(entry.url, target)) continue;
      const auto number = let_in(target, origin);
      if (number && order_->wants_links()) answer.learned.links.push_back({*number, 0});
    }
  }
}

// A page came, so robots.txt of its host is known: the sitemaps that it names are let in, once.
void Crawler::let_in_sitemaps(UrlNumber number, const LedgerUrl& page, const Url& url) {
  if (!settings_.with_sitemaps || !origins_mapped_.insert(origin_of(url)).second) return;
  const NamedSitemaps* sitemaps = sitemaps_of(url);
  if (sitemaps == nullptr) return;
  Url target;
  for (const std::string& named : sitemaps->urls) {
    if (!parse_url(named, target) || is_forgotten(target)) continue;
    const UrlOrigin origin{.from = number, .depth = page.depth, .found = clock_.now()};
    // A scope may name a folder of the host; its sitemap lies at the top.
    const bool is_own = origin_of(target) == origin_of(url) && !ledger_.find(target.href());
    const auto sitemap = is_own ? ledger_.add(target.href(), origin) : let_in(target, origin);
    if (sitemap) order_->discover(*sitemap);
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

Crawler::Answer Crawler::take(Visited& visited) {
  const Response& response = visited.response;
  const Moment now = clock_.now();
  const LedgerUrl page = ledger_.url(visited.visit.url);
  Answer answer{
      .charge = *visited.charge, .chosen_by = visited.visit.score, .settlement = {}, .learned = {}};
  answer.learned.url = visited.visit.url;
  Settlement& settlement = answer.settlement;
  settlement.status = response.status;
  if (response.status == 0) settlement.failure = response.failure;
  settlement.bytes = response.bytes_received;
  settlement.sign = host_sign(response);
  settlement.retry_at = retry_after(response, now);
  settlement.address = response.address;
  if (response.failure != Failure::None) {
    settlement.evidence = fmt::format("{}: {}", to_string(response.failure), response.detail);
  }
  set_retry(page, response, answer);
  if (response.status == 0) {
    settlement.outcome = Outcome::Unreachable;
    settlement.is_dropped = settlement.sign == HostSign::Nothing;
    return answer;
  }

  capture_.clear();
  Url url;
  parse_url(page.url, url);
  if (is_forgotten(url)) {  // while it was asked
    answer.is_forgotten = true;
    return answer;
  }
  const std::string block = archived_answer(response);
  if (!http_.take_response(block, url, 0, capture_)) return answer;
  const Sighting& seen = capture_.sighting;
  settlement.outcome = seen.outcome;
  if (!is_forgotten(seen.redirect_target)) settlement.target = seen.redirect_target;
  std::optional<CrawlFiles::Earlier> earlier;
  if (settings_.archive && seen.outcome == Outcome::Alive) {
    earlier = earlier_capture(*settings_.archive, page.url, seen.digest);
  }
  const WarcPlace place = files_.write(response, block, earlier);
  settlement.file = place.file;
  settlement.offset = place.offset;
  if (settlement.again_at) return answer;

  link_scores_.clear();
  answer.is_page = true;  // a page that is gone teaches too: such links lead to nothing
  let_in_sitemaps(visited.visit.url, page, url);
  if (seen.outcome == Outcome::Alive && is_sitemap(page, url, response)) {
    learn_sitemap(page, url, response, answer);
    return answer;
  }
  if (seen.outcome == Outcome::Alive) {
    answer.learned.content = checksum64(seen.digest) | 1;
    link_scores_.assign(capture_.links.size(), 0);
    answer.learned.score =
        settings_.topic.score ? settings_.topic.score(capture_, link_scores_) : 1;
    if (!traps_.count_content(origin_of(url), answer.learned.content)) {
      settlement.evidence = "its links are not followed: too many pages of its origin are the same";
      return answer;
    }
  }
  if (capture_.links_known) learn_links(page, answer);
  return answer;
}

void Crawler::settle(Answer& answer) {
  const Moment now = clock_.now();
  ledger_.settle(answer.charge, answer.settlement, now);
  const UrlNumber url = answer.learned.url;
  if (answer.is_forgotten) {
    ledger_.forget(url);
    order_->fail(url);
  } else if (answer.settlement.again_at) {
    retries_.push({*answer.settlement.again_at, url, answer.chosen_by});
  } else if (answer.is_page) {
    ledger_.learn(answer.learned);
    order_->learn(answer.learned);
    harvest_ += answer.learned.score;
    if (answer.learned.content != 0) ++pages_;
  } else {
    order_->fail(url);
  }
}

void Crawler::take_all(std::vector<Visited> ended) {
  std::vector<Answer> answers;
  for (Visited& visited : ended) {
    if (visited.end == VisitEnd::Answered) {
      answers.push_back(take(visited));
    } else if (visited.end == VisitEnd::Forgotten) {
      ledger_.forget(visited.visit.url);
      order_->fail(visited.visit.url);
    } else {
      ledger_.drop(visited.visit.url, visited.reason, clock_.now());
      order_->fail(visited.visit.url);
    }
  }
  files_.sync();
  for (Answer& answer : answers) settle(answer);
}

// ---- the loop -----------------------------------------------------------------------------------

CrawlNews Crawler::news(bool is_draining) const {
  return {.requests = ledger_.totals().requests,
          .requests_left = ledger_.requests_left(),
          .bytes_left = ledger_.budget().bytes
                            ? std::optional(ledger_.bytes_left() + ledger_.bytes_reserved())
                            : std::nullopt,
          .time_left_ms = ledger_.time_left(clock_.now()),
          .bytes = ledger_.totals().bytes - ledger_.bytes_reserved() - ledger_.bytes_lost(),
          .bytes_reserved = ledger_.bytes_reserved() + ledger_.bytes_lost(),
          .lost = ledger_.totals().lost,
          .pages = pages_,
          .harvest = harvest_,
          .waiting = ledger_.waiting_count(),
          .in_flight = visits_.in_flight(),
          .hosts_waiting = visits_.hosts_waiting(),
          .hosts = ledger_.host_count(),
          .outside = outside_,
          .robots_capped = visits_.robots_capped(),
          .is_draining = is_draining};
}

bool Crawler::is_idle() const {
  return visits_.in_flight() == 0 && visits_.aside() == 0 && retries_.empty();
}

CrawlResult Crawler::run(const CancelToken* cancel,
                         const std::function<void(const CrawlNews&)>& tell) {
  begin();
  CrawlResult result;
  while (true) {
    const bool is_stopped = cancel && cancel->cancelled();
    const std::string spent = ledger_.spent(clock_.now());
    if ((is_stopped || !spent.empty()) && visits_.in_flight() == 0) {
      result.end = is_stopped ? CrawlEnd::Stopped : CrawlEnd::Spent;
      result.reason = is_stopped ? "stopped" : spent;
      break;
    }
    Moment until = clock_.now() + kTurnMs;
    if (!retries_.empty()) until = std::min(until, std::max(retries_.top().at, clock_.now()));
    bool asked = false;
    bool found = false;
    const auto next_visit = [&] {
      asked = true;
      std::optional<Visit> visit = next();
      found = found || visit.has_value();
      return visit;
    };
    std::vector<Visited> ended = visits_.turn(until, is_stopped ? Visits::Next() : next_visit);
    const bool learned_nothing = ended.empty();  // what ended may have led to new pages
    take_all(std::move(ended));
    if (tell) tell(news(is_stopped));
    if (asked && !found && learned_nothing && is_idle()) {
      result.reason = "no page is left to request";
      break;
    }
  }
  ledger_.commit(clock_.now());
  ledger_.sweep();
  files_.close();
  result.news = news(false);
  result.moved_aside = files_.moved_aside();
  return result;
}

}  // namespace

CrawlResult crawl(Transport& transport, const Clock& clock, Ledger& ledger,
                  const CrawlSettings& settings, const CancelToken* cancel,
                  const std::function<void(const CrawlNews&)>& tell) {
  return Crawler(transport, clock, ledger, settings).run(cancel, tell);
}

}  // namespace webstrata
