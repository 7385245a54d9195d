// SPDX-License-Identifier: Apache-2.0

// A host with pages in hand is in one of five states: ready, asleep until its delay is over,
// blocked until some answer arrives (a busy address, full connections), in flight, or nowhere: all
// of its pages wait for a robots.txt, which may be on another host. Its pages queue in one line per
// origin; of the lines that may proceed, the one with the oldest page does.
//
// Tested by tests/fetch/visits_test.cpp, and over sockets by tests/fetch/origins_test.py.

#include "webstrata/fetch/visit/visits.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "webstrata/fetch/wire/origin.h"

namespace webstrata {
namespace {

// This much of a body is read at first, then twice as much each time, after the ledger has recorded
// it: so a kill costs a job no more than a page or two, whatever the limit of an answer.
constexpr std::uint64_t kFirstGrantBytes = 64 << 10;

// Hosts whose names are being looked up; more would only burden the name server.
constexpr std::size_t kAddressesComingMax = 128;

// The rest of a byte budget, as limits of one answer.
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

Moment Visits::free_at(const std::string& origin, const OriginLine& line, Moment now) const {
  if (line.errands.empty() && origins_fetching_.contains(origin)) return kNever;
  return ledger_.closed(origin).empty() ? ledger_.free_at(origin, now) : now;
}

std::string Visits::next_origin(const HostQueue& queue, Moment now) const {
  const std::pair<const std::string, OriginLine>* first = nullptr;
  for (const auto& line : queue.lines) {
    if (first && first->second.order() <= line.second.order()) continue;
    if (free_at(line.first, line.second, now) <= now) first = &line;
  }
  return first ? first->first : std::string();
}

// Moves an idle host to its current state.
void Visits::place(const std::string& host) {
  HostQueue& queue = queues_[host];
  if (queue.at == HostQueue::At::Asked) return;
  leave(queue, host);
  std::erase_if(queue.lines, [](const auto& line) { return line.second.empty(); });
  if (queue.lines.empty()) {
    queues_.erase(host);
    return;
  }
  const Moment now = clock_.now();
  Moment free = kNever;
  bool is_waiting_for_robots = true;
  for (const auto& [origin, line] : queue.lines) {
    free = std::min(free, free_at(origin, line, now));
    if (!line.errands.empty() || !origins_fetching_.contains(origin)) is_waiting_for_robots = false;
  }
  if (is_waiting_for_robots) return;
  if (free == kNever) {
    queue.at = HostQueue::At::Blocked;
    blocked_.push_back(host);
  } else if (free > now) {
    queue.at = HostQueue::At::Sleeping;
    queue.wakes = free;
    sleeping_.insert({free, host});
  } else {
    queue.at = HostQueue::At::Ready;
    queue.order = queue.lines.at(next_origin(queue, now)).order();
    ready_.insert({queue.order, host});
  }
}

void Visits::wake(Moment now) {
  while (!sleeping_.empty() && sleeping_.begin()->first <= now) {
    const std::string host = sleeping_.begin()->second;  // place() removes it from there
    place(host);
  }
}

// The earliest time at which a request that must wait now may leave, if only time matters.
// While no request at all may leave, hosts whose delay is over stay asleep.
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
  std::deque<InHand>& visits = queues_[host].lines[in_hand.origin].visits;
  visits.push_back(std::move(in_hand));
  ++aside_;
  if (visits.size() == 1) place(host);
}

// ---- asking -------------------------------------------------------------------------------------

// Everything in hand for an origin that will no longer be requested.
void Visits::close(const std::string& name, const std::string& reason,
                   std::vector<Visited>& ended) {
  const std::string origin = name;  // `name` may be deleted with its line
  const std::string host(host_of_origin(origin));
  OriginLine line = std::move(queues_[host].lines[origin]);
  queues_[host].lines.erase(origin);
  for (InHand& in_hand : line.visits) {
    --aside_;
    ended.push_back({.visit = std::move(in_hand.visit), .end = VisitEnd::Closed, .reason = reason});
  }
  place(host);
  // Others may have waited for a robots.txt on this host.
  for (const RobotsErrand& errand : line.errands) {
    origins_fetching_.erase(errand.origin);
    if (errand.origin == origin) continue;
    close(errand.origin, fmt::format("its robots.txt is at {}, where {}", errand.url, reason),
          ended);
  }
}

bool Visits::lease(const std::string& origin, LeaseRequest request, UnderWay under_way,
                   std::vector<Start>& starts) {
  Start start;
  start.request.limits = options_.limits;
  // Answers in flight may release much of what they reserved: then nothing need be cut.
  if (ledger_.in_flight() == 0) fit(start.request.limits, ledger_.bytes_left());
  start.request.url = request.text;
  start.request.is_head = under_way.visit.is_head;
  request.host = host_of_origin(origin);
  request.origin = origin;
  request.bytes_max = bytes_of(start.request.limits);
  const RequestLimits& limits = start.request.limits;
  under_way.limits = limits;
  under_way.body_granted = std::min(kFirstGrantBytes, limits.body_bytes_max);
  start.request.body_granted = under_way.body_granted;
  request.bytes_granted = limits.head_bytes_max + under_way.body_granted;
  if (request.url != kNoUrl) request.text.clear();
  const auto charge = ledger_.lease(request, clock_.now());
  if (!charge) return false;
  under_way.charge = *charge;
  under_way.host = request.host;
  under_way.origin = origin;
  start.under_way = std::move(under_way);
  starts.push_back(std::move(start));
  return true;
}

// Hosts that share a server share its time, from the first request on. False: its address is being
// looked up.
bool Visits::learn_address(const std::string& host) {
  if (!ledger_.wants_address(host)) return true;
  const Whereabouts where = transport_.whereabouts(host);
  if (!where.addresses.empty()) ledger_.set_address(host, where.addresses);
  if (where.is_coming) ++addresses_coming_;
  return !where.is_coming;
}

// Checked before every request: a page may have waited in hand for hours.
bool Visits::is_forbidden(const std::string& href) const {
  Url url;
  return options_.is_forbidden && parse_url(href, url) && options_.is_forbidden(url);
}

// Starts the first item of a line that may proceed. False: the host cannot be requested now after
// all.
bool Visits::start_first(OriginLine& line, const std::string& origin, std::vector<Start>& starts,
                         std::vector<Visited>& ended) {
  const std::string host(host_of_origin(origin));
  HostQueue& queue = queues_[host];
  if (!line.errands.empty() && is_forbidden(line.errands.front().url)) {
    const std::string whose = line.errands.front().origin;
    origins_fetching_.erase(whose);
    line.errands.pop_front();
    place(host);
    if (host_of_origin(whose) != host) place(std::string(host_of_origin(whose)));
    return true;
  }
  if (line.errands.empty()) {
    InHand& first = line.visits.front();
    if (is_forbidden(first.visit.href)) {
      ended.push_back({.visit = std::move(first.visit),
                       .end = VisitEnd::Forgotten,
                       .reason = "it was forgotten"});
      line.visits.pop_front();
      --aside_;
      place(host);
      return true;
    }
    const RobotsRules* rules = robots_.find(origin, clock_.now());
    const RobotsDecision decision = rules ? rules->decide(first.path) : RobotsDecision();
    if (!decision.is_allowed) {
      std::string reason = decision.is_capped
                               ? "robots.txt does not allow it: its rules are too much work"
                               : fmt::format("robots.txt does not allow it: {}", decision.rule);
      robots_capped_ += decision.is_capped ? 1 : 0;
      ended.push_back({.visit = std::move(first.visit),
                       .end = VisitEnd::Disallowed,
                       .reason = std::move(reason)});
      line.visits.pop_front();
      --aside_;
      place(host);
      return true;
    }
    if (rules) {
      Visit& visit = first.visit;
      LeaseRequest request{
          .url = visit.url, .text = visit.href, .score = visit.score, .why = visit.why};
      if (!lease(origin, std::move(request), {.visit = visit}, starts)) return false;
      line.visits.pop_front();
      --aside_;
      leave(queue, host);
      queue.at = HostQueue::At::Asked;
      return true;
    }
    origins_fetching_.insert(origin);
    line.errands.push_back(RobotsBook::errand(origin));
  }
  const RobotsErrand errand = line.errands.front();
  LeaseRequest request{.kind = ChargeKind::Robots,
                       .text = errand.url,
                       .why = fmt::format("what {} allows", errand.origin)};
  if (!lease(origin, std::move(request), {.errand = errand}, starts)) return false;
  line.errands.pop_front();
  leave(queue, host);
  queue.at = HostQueue::At::Asked;
  return true;
}

// Requests the first item of a ready host's lines, if allowed. False: the host cannot be requested
// now after all.
bool Visits::start_one(const std::string& name, std::vector<Start>& starts,
                       std::vector<Visited>& ended) {
  const std::string host = name;  // `name` may be deleted with its place
  HostQueue& queue = queues_[host];
  const std::string origin = next_origin(queue, clock_.now());
  if (origin.empty()) {
    place(host);
    return true;
  }
  if (const std::string reason = ledger_.closed(origin); !reason.empty()) {
    close(origin, reason, ended);
    return true;
  }
  if (!learn_address(host)) return false;
  if (ledger_.free_at(origin, clock_.now()) > clock_.now()) {  // its address is busy
    place(host);
    return true;
  }
  return start_first(queue.lines.at(origin), origin, starts, ended);
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

UrlNumber Visits::waiting_for(const std::string& origin) const {
  const auto host = queues_.find(std::string(host_of_origin(origin)));
  if (host == queues_.end()) return kNoUrl;
  const auto line = host->second.lines.find(origin);
  const bool is_there = line != host->second.lines.end() && !line->second.visits.empty();
  return is_there ? line->second.visits.front().visit.url : kNoUrl;
}

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
  // Nothing is allowed until the file can be read, so the origin counts as silent.
  if (next.is_unknown && settlement.sign == HostSign::Well) settlement.sign = HostSign::Silent;
  if (options_.on_robots && response.status != 0) {
    options_.on_robots(response, waiting_for(errand.origin), settlement);
  }
  ledger_.settle(under_way.charge, settlement, now);

  if (next.is_unknown) {
    queues_[under_way.host].lines[under_way.origin].errands.push_front(errand);
    return false;
  }
  if (next.errand) {
    const std::string host(host_of_origin(next.errand->asked));
    queues_[host].lines[next.errand->asked].errands.push_back(*next.errand);
    place(host);
    return true;
  }
  origins_fetching_.erase(errand.origin);
  place(std::string(host_of_origin(errand.origin)));
  return true;
}

// Everything in hand that waits for this robots.txt ends with the answer received instead of it.
void Visits::end_silent(const RobotsErrand& errand, const Response& response,
                        std::vector<Visited>& ended) {
  const std::string asked(host_of_origin(errand.asked));
  const std::string host(host_of_origin(errand.origin));
  auto& errands = queues_[asked].lines[errand.asked].errands;
  if (!errands.empty() && errands.front().origin == errand.origin) errands.pop_front();
  origins_fetching_.erase(errand.origin);
  std::deque<InHand> visits = std::move(queues_[host].lines[errand.origin].visits);
  queues_[host].lines[errand.origin].visits.clear();
  for (InHand& in_hand : visits) {
    --aside_;
    ended.push_back({.visit = std::move(in_hand.visit),
                     .end = VisitEnd::Silent,
                     .response = response,
                     .reason = fmt::format("its robots.txt could not be read: {}", errand.url),
                     .silent = errand.asked});
  }
  place(asked);
  place(host);
}

// What halted requests may read once the ledger is committed.
std::vector<std::pair<RequestId, std::uint64_t>> Visits::grants() {
  std::vector<std::pair<RequestId, std::uint64_t>> grants;
  for (const RequestId id : transport_.halted()) {
    UnderWay& under_way = under_way_.at(id);
    under_way.body_granted = std::min(2 * under_way.body_granted, under_way.limits.body_bytes_max);
    ledger_.grant(under_way.charge, under_way.limits.head_bytes_max + under_way.body_granted);
    grants.emplace_back(id, under_way.body_granted);
  }
  return grants;
}

std::vector<Visited> Visits::turn(Moment until, const Next& next) {
  std::vector<Visited> ended;
  std::vector<Start> starts;
  const auto granted = grants();
  unblock();
  if (next) choose(next, starts, ended);
  ledger_.commit(clock_.now());
  for (Start& start : starts) {
    under_way_.emplace(transport_.start(start.request), std::move(start.under_way));
  }
  for (const auto& [id, body_bytes] : granted) transport_.grant(id, body_bytes);

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
        end_silent(*under_way.errand, response, ended);
      } else if (was_refused_by_us(response)) {
        origins_refused_ += response.failure == Failure::AddressRefused ? 1 : 0;
        close(under_way.origin, fmt::format("no request may go there: {}", response.detail), ended);
      }
    }
  }
  return ended;
}

}  // namespace webstrata
