// A host with pages in hand is in one of five states: ready to be asked, asleep until its delay is
// over, blocked until some answer comes (a busy address, full connections), asked, or nowhere: it
// waits for the robots.txt of its first page, which another host may hold.
//
// Tested by tests/fetch/visits_test.cpp.

#include "webstrata/fetch/visits.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace webstrata {
namespace {

// Hosts whose names are being looked up; more would only burden the name server.
constexpr std::size_t kAddressesComingMax = 128;

// What is left of a budget of bytes, as limits of one answer.
void fit(RequestLimits& limits, std::uint64_t bytes_left) {
  if (limits.head_bytes_max + limits.body_bytes_max <= bytes_left) return;
  limits.head_bytes_max = std::min(limits.head_bytes_max, bytes_left / 2);
  limits.body_bytes_max = std::min(limits.body_bytes_max, bytes_left - limits.head_bytes_max);
}

std::uint64_t bytes_of(const RequestLimits& limits) {
  return limits.head_bytes_max + limits.body_bytes_max;
}

bool was_refused_by_us(const Response& response) {
  return response.failure == Failure::AddressRefused || response.failure == Failure::BadUrl;
}

}  // namespace

Visits::Visits(Transport& transport, const Clock& clock, Ledger& ledger, VisitOptions options)
    : transport_(transport),
      clock_(clock),
      ledger_(ledger),
      options_(std::move(options)),
      robots_(ledger, options_.product, options_.is_forbidden) {}

const RobotsRules* Visits::rules_of(const Url& url) {
  return robots_.find(origin_of(url), clock_.now());
}

// ---- which host is where ------------------------------------------------------------------------

void Visits::leave(HostQueue& queue, const std::string& host) {
  if (queue.at == HostQueue::At::Ready) ready_.erase({queue.order, host});
  if (queue.at == HostQueue::At::Sleeping) sleeping_.erase({queue.wakes, host});
  queue.at = HostQueue::At::Nowhere;
}

// Puts an idle host where it belongs now.
void Visits::place(const std::string& host) {
  HostQueue& queue = queues_[host];
  if (queue.at == HostQueue::At::Asked) return;
  leave(queue, host);
  if (queue.errands.empty() && queue.visits.empty()) {
    queues_.erase(host);
    return;
  }
  if (queue.errands.empty() && origins_fetching_.contains(queue.visits.front().origin)) return;
  const Moment now = clock_.now();
  const Moment free = ledger_.closed(host).empty() ? ledger_.free_at(host, now) : now;
  if (free == kNever) {
    queue.at = HostQueue::At::Blocked;
    blocked_.push_back(host);
  } else if (free > now) {
    queue.at = HostQueue::At::Sleeping;
    queue.wakes = free;
    sleeping_.insert({free, host});
  } else {
    queue.at = HostQueue::At::Ready;
    queue.order = queue.visits.empty() ? 0 : queue.visits.front().order;
    ready_.insert({queue.order, host});
  }
}

void Visits::wake(Moment now) {
  while (!sleeping_.empty() && sleeping_.begin()->first <= now) {
    const std::string host = sleeping_.begin()->second;  // place() takes it out of there
    place(host);
  }
}

// The moment at which something may leave that may not now, as far as time alone decides. While
// nobody may be asked at all, hosts whose delay is over go on sleeping.
Moment Visits::wakes_at(Moment now) const {
  const Moment anybody = ledger_.anybody_at(now);
  if (anybody > now) return anybody;
  return sleeping_.empty() ? kNever : sleeping_.begin()->first;
}

void Visits::unblock() {
  std::vector<std::string> blocked;
  std::swap(blocked, blocked_);
  for (const std::string& host : blocked) {
    const auto found = queues_.find(host);
    if (found == queues_.end() || found->second.at != HostQueue::At::Blocked) continue;
    found->second.at = HostQueue::At::Nowhere;
    place(host);
  }
}

void Visits::take_in_hand(Visit visit) {
  Url url;
  const bool is_url = parse_url(visit.href, url);
  assert(is_url);
  static_cast<void>(is_url);
  const std::string host(url.host());
  InHand in_hand{.visit = std::move(visit), .order = next_order_++, .origin = origin_of(url)};
  in_hand.path = fmt::format("{}{}", url.path(), url.query());
  queues_[host].visits.push_back(std::move(in_hand));
  ++aside_;
  if (queues_[host].visits.size() == 1) place(host);
}

// ---- asking -------------------------------------------------------------------------------------

// Everything in hand for a host that will not be asked any more.
void Visits::close(const std::string& host, const std::string& reason,
                   std::vector<Visited>& ended) {
  HostQueue& queue = queues_[host];
  for (InHand& in_hand : queue.visits) {
    --aside_;
    ended.push_back({.visit = std::move(in_hand.visit), .end = VisitEnd::Closed, .reason = reason});
  }
  queue.visits.clear();
  // Others may have waited for a robots.txt that lies here.
  const std::deque<RobotsErrand> errands = std::move(queue.errands);
  queue.errands.clear();
  leave(queue, host);
  queues_.erase(host);
  for (const RobotsErrand& errand : errands) {
    origins_fetching_.erase(errand.origin);
    Url origin;
    if (!parse_url(errand.origin, origin) || origin.host() == host) continue;
    close(std::string(origin.host()),
          fmt::format("its robots.txt lies at {}, where {}", errand.url, reason), ended);
  }
}

bool Visits::lease(const std::string& host, LeaseRequest request, UnderWay under_way,
                   std::vector<Start>& starts) {
  Start start;
  start.request.limits = options_.limits;
  // Answers under way may give back much of what they reserved: then nothing need be cut.
  if (ledger_.in_flight() == 0) fit(start.request.limits, ledger_.bytes_left());
  start.request.url = request.text;
  request.host = host;
  request.bytes_max = bytes_of(start.request.limits);
  if (request.url != kNoUrl) request.text.clear();
  const auto charge = ledger_.lease(request, clock_.now());
  if (!charge) return false;
  under_way.charge = *charge;
  under_way.host = host;
  start.under_way = std::move(under_way);
  starts.push_back(std::move(start));
  return true;
}

// Hosts that share a server share its time, from the first request on. False: its address is being
// looked up.
bool Visits::learn_address(const std::string& host) {
  if (!ledger_.wants_address(host)) return true;
  const Whereabouts where = transport_.whereabouts(host);
  if (!where.address.empty()) ledger_.set_address(host, where.address);
  if (where.is_coming) ++addresses_coming_;
  return !where.is_coming;
}

// Asks a ready host for what is first in its queue, if that may be. False: the host cannot be asked
// now after all.
bool Visits::start_one(const std::string& name, std::vector<Start>& starts,
                       std::vector<Visited>& ended) {
  const std::string host = name;  // `name` may go with its place
  HostQueue& queue = queues_[host];
  if (const std::string reason = ledger_.closed(host); !reason.empty()) {
    close(host, reason, ended);
    return true;
  }
  if (!learn_address(host)) return false;
  if (ledger_.free_at(host, clock_.now()) > clock_.now()) {  // its address has others to serve
    place(host);
    return true;
  }
  if (queue.errands.empty()) {
    InHand& first = queue.visits.front();
    const RobotsRules* rules = robots_.find(first.origin, clock_.now());
    if (rules && !rules->allows(first.path)) {
      std::string reason =
          fmt::format("robots.txt does not allow it: {}", rules->deciding_rule(first.path));
      ended.push_back({.visit = std::move(first.visit),
                       .end = VisitEnd::Disallowed,
                       .reason = std::move(reason)});
      queue.visits.pop_front();
      --aside_;
      place(host);
      return true;
    }
    if (rules) {
      Visit& visit = first.visit;
      LeaseRequest request{
          .url = visit.url, .text = visit.href, .score = visit.score, .why = visit.why};
      if (!lease(host, std::move(request), {.visit = visit}, starts)) return false;
      queue.visits.pop_front();
      --aside_;
      leave(queue, host);
      queue.at = HostQueue::At::Asked;
      return true;
    }
    origins_fetching_.insert(first.origin);
    queue.errands.push_back(RobotsBook::errand(first.origin, host));
  }
  const RobotsErrand errand = queue.errands.front();
  LeaseRequest request{.kind = ChargeKind::Robots,
                       .text = errand.url,
                       .why = fmt::format("what {} allows", errand.origin)};
  if (!lease(host, std::move(request), {.errand = errand}, starts)) return false;
  queue.errands.pop_front();
  leave(queue, host);
  queue.at = HostQueue::At::Asked;
  return true;
}

void Visits::choose(const Next& next, std::vector<Start>& starts, std::vector<Visited>& ended) {
  addresses_coming_ = 0;
  while (true) {
    const Moment now = clock_.now();
    if (ledger_.anybody_at(now) > now) return;
    wake(now);
    if (!ready_.empty()) {
      const std::string host = ready_.begin()->second;
      if (start_one(host, starts, ended)) continue;
      HostQueue& queue = queues_[host];
      leave(queue, host);
      queue.at = HostQueue::At::Blocked;
      blocked_.push_back(host);
      continue;
    }
    if (aside_ >= options_.aside_max || addresses_coming_ >= kAddressesComingMax) return;
    std::optional<Visit> visit = next();
    if (!visit) return;
    take_in_hand(std::move(*visit));
  }
}

// ---- answers ------------------------------------------------------------------------------------

bool Visits::take_robots(const UnderWay& under_way, const Response& response) {
  const RobotsErrand& errand = *under_way.errand;
  const Moment now = clock_.now();
  const RobotsBook::Next next = robots_.take(errand, response, now);
  Settlement settlement{.status = response.status,
                        .target = next.errand ? next.errand->url : "",
                        .evidence = response.detail,
                        .bytes = response.bytes_received,
                        .sign = host_sign(response),
                        .retry_at = retry_after(response, now),
                        .address = response.address};
  // Nothing is allowed until the file can be read, so the whole host is as good as silent.
  if (next.is_unknown && settlement.sign == HostSign::Well) settlement.sign = HostSign::Overloaded;
  ledger_.settle(under_way.charge, settlement, now);

  if (next.is_unknown) {
    HostQueue& queue = queues_[under_way.host];
    queue.errands.push_front(errand);
    return false;
  }
  if (next.errand) {
    const std::string& host = next.errand->host;
    queues_[host].errands.push_back(*next.errand);
    place(host);
    return true;
  }
  origins_fetching_.erase(errand.origin);
  Url origin;
  if (parse_url(errand.origin, origin)) {
    const auto found = queues_.find(std::string(origin.host()));
    if (found != queues_.end()) place(found->first);
  }
  return true;
}

// Everything in hand that waits for this robots.txt ends with what was said instead of it.
void Visits::end_silent(const RobotsErrand& errand, const std::string& asked,
                        const Response& response, std::vector<Visited>& ended) {
  auto& errands = queues_[asked].errands;
  if (!errands.empty() && errands.front().origin == errand.origin) errands.pop_front();
  origins_fetching_.erase(errand.origin);
  Url origin;
  if (!parse_url(errand.origin, origin)) return;
  const std::string host(origin.host());
  std::deque<InHand> others;
  for (InHand& in_hand : queues_[host].visits) {
    if (in_hand.origin != errand.origin) {
      others.push_back(std::move(in_hand));
      continue;
    }
    --aside_;
    ended.push_back({.visit = std::move(in_hand.visit),
                     .end = VisitEnd::Silent,
                     .response = response,
                     .reason = fmt::format("its robots.txt could not be read: {}", errand.url)});
  }
  queues_[host].visits = std::move(others);
  if (host != asked) place(host);
}

std::vector<Visited> Visits::turn(Moment until, const Next& next) {
  std::vector<Visited> ended;
  std::vector<Start> starts;
  unblock();
  if (next) choose(next, starts, ended);
  ledger_.commit(clock_.now());
  for (Start& start : starts) {
    under_way_.emplace(transport_.start(start.request), std::move(start.under_way));
  }

  const Moment now = clock_.now();
  if (!ended.empty()) until = now;
  if (next) until = std::min(until, wakes_at(now));
  for (Response& response : transport_.wait(std::max(until, now))) {
    const auto found = under_way_.find(response.id);
    assert(found != under_way_.end());
    UnderWay under_way = std::move(found->second);
    under_way_.erase(found);
    HostQueue& queue = queues_[under_way.host];
    queue.at = HostQueue::At::Blocked;  // until its charge is settled
    blocked_.push_back(under_way.host);
    if (!under_way.errand) {
      ended.push_back({.visit = std::move(under_way.visit),
                       .charge = under_way.charge,
                       .response = std::move(response)});
    } else {
      const bool is_known = take_robots(under_way, response);
      if (!is_known && !options_.waits_for_robots) {
        end_silent(*under_way.errand, under_way.host, response, ended);
      } else if (was_refused_by_us(response)) {
        close(under_way.host, fmt::format("no request may go there: {}", response.detail), ended);
      }
    }
  }
  return ended;
}

}  // namespace webstrata
