// SPDX-License-Identifier: Apache-2.0

// Requests and what they cost, and the hosts that they go to.
//
// A request passes three limits: of the job (connections, rate, budgets: anybody_at), of its origin
// (given up, back-off) and of its host with all addresses that it may go to (delay, connections).
// free_at() is the latest of them, and lease() charges only if that is not in the future. A lease
// reserves the most bytes that the answer may cost; settle() replaces them by what it did cost.
//
// Tested by tests/fetch/ledger_test.cpp.

#include <algorithm>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/fetch/ledger/ledger_state.h"

namespace webstrata {
namespace {

// A host may move: the latest addresses count.
constexpr std::size_t kAddressesMax = 8;

void add_address(std::string& addresses, std::string_view address) {
  const std::vector<std::string> names = address_names(addresses);
  if (std::ranges::find(names, address_name(address)) != names.end()) return;
  if (names.size() >= kAddressesMax) addresses.erase(0, addresses.find(' ') + 1);
  if (!addresses.empty()) addresses += ' ';
  addresses += address;
}

}  // namespace

// ---- charges ------------------------------------------------------------------------------------

std::string Ledger::spent(Moment now) const {
  const Budget& budget = state_->budget;
  const LedgerTotals& totals = state_->totals;
  if (budget.requests && totals.requests >= *budget.requests) {
    return fmt::format("the budget of {} requests is spent", *budget.requests);
  }
  if (budget.bytes && bytes_left() < kAnswerBytesMin) {
    return fmt::format("the budget of {} bytes is spent", *budget.bytes);
  }
  if (budget.time_ms && state_->active_ms(now) >= *budget.time_ms) {
    return fmt::format("the time of {} is over", duration_text(*budget.time_ms));
  }
  return "";
}

std::string Ledger::closed(std::string_view name) const {
  const State::LivePlace* origin = state_->find_live(origin_name(name));
  if (origin && origin->place.is_given_up) {
    return fmt::format("{} gave no good answer {} times in a row", origin_name(name),
                       origin->place.failures);
  }
  const Place& place = host(host_of_origin(name));
  if (state_->budget.host_requests && place.requests >= *state_->budget.host_requests) {
    return fmt::format("the host's budget of {} requests is spent", *state_->budget.host_requests);
  }
  return "";
}

std::uint64_t Ledger::bytes_left() const noexcept {
  if (!state_->budget.bytes) return UINT64_MAX;
  const std::uint64_t budget = *state_->budget.bytes;
  return budget - std::min(budget, state_->totals.bytes);
}

std::optional<std::uint64_t> Ledger::requests_left() const noexcept {
  if (!state_->budget.requests) return std::nullopt;
  const std::uint64_t budget = *state_->budget.requests;
  return budget - std::min(budget, state_->totals.requests);
}

std::uint64_t Ledger::bytes_reserved() const noexcept { return state_->reserved; }
std::uint64_t Ledger::bytes_lost() const noexcept { return state_->lost_bytes; }

std::optional<Moment> Ledger::time_left(Moment now) const {
  if (!state_->budget.time_ms) return std::nullopt;
  return std::max<Moment>(0, *state_->budget.time_ms - state_->active_ms(now));
}

Moment Ledger::anybody_at(Moment now) const {
  if (state_->in_flight >= state_->rules.connections || !spent(now).empty()) return kNever;
  return std::max(now, state_->window.free_at());
}

Moment Ledger::free_at(std::string_view name, Moment now, std::uint64_t bytes_max) const {
  const State& state = *state_;
  Moment moment = anybody_at(now);
  if (moment == kNever || bytes_max > bytes_left()) return kNever;
  if (const State::LivePlace* origin = state.find_live(origin_name(name))) {
    if (origin->place.is_given_up) return kNever;
    moment = std::max(moment, origin->place.not_before);
  }
  const State::LivePlace* host = state.find_live(host_of_origin(name));
  if (!host) return moment;
  if (host->in_flight > 0) return kNever;
  if (state.budget.host_requests && host->place.requests >= *state.budget.host_requests) {
    return kNever;
  }
  moment = std::max(moment, webstrata::free_at(host->place, state.rules.delay_ms));
  for (const std::string& server : address_names(host->place.address)) {
    const State::LivePlace* address = state.find_live(server);
    if (!address) continue;
    if (address->in_flight >= state.rules.connections_per_address) return kNever;
    moment = std::max(
        moment, webstrata::free_at(address->place,
                                   state.rules.address_delay_ms.value_or(state.rules.delay_ms)));
  }
  return moment;
}

std::optional<ChargeNumber> Ledger::lease(const LeaseRequest& request, Moment now) {
  State& state = *state_;
  const std::string origin = origin_name(request.origin.empty() ? request.host : request.origin);
  assert(host_of_origin(origin) == request.host);
  if (free_at(origin, now, request.bytes_max) > now) return std::nullopt;
  const ChargeNumber number = state.next_charge++;
  state.asked.emplace(number, origin);
  Charge charge;
  charge.kind = request.kind;
  charge.url = request.url;
  charge.text = request.text;
  charge.host = request.host;
  charge.leased = now;
  charge.bytes = request.bytes_max;
  charge.score = request.score;
  charge.why = request.why;
  state.store.put(numbered(kCharge, number), encode(charge));
  ++state.totals.requests;
  state.totals.bytes += request.bytes_max;
  state.reserved += request.bytes_max;
  if (request.url != kNoUrl) {
    LedgerUrl url = state.get_url(request.url);
    assert(url.state == UrlState::Waiting);
    state.set_waiting(url, UrlState::Leased);
    ++url.tries;
    state.put_url(request.url, url);
  }
  if (!state.find_live(request.host)) ++state.hosts;
  State::LivePlace& host = state.live(request.host);
  host.place.last_lease = now;
  ++host.place.requests;
  host.place.bytes += request.bytes_max;
  ++host.in_flight;
  state.change(request.host);
  for (const std::string& name : address_names(host.place.address)) {
    State::LivePlace& address = state.live(name);
    address.place.last_lease = now;
    ++address.in_flight;
    state.change(name);
  }
  state.window.note(now);
  ++state.in_flight;
  grant(number, std::min(request.bytes_max, request.bytes_granted.value_or(request.bytes_max)));
  return number;
}

void Ledger::grant(ChargeNumber number, std::uint64_t bytes) {
  std::string granted;
  append_varint(granted, bytes);
  state_->store.put(numbered(kUnderWay, number), granted);
}

void Ledger::settle(ChargeNumber number, const Settlement& settlement, Moment now) {
  State& state = *state_;
  Charge charge = state.get_charge(number);
  assert(!charge.is_settled);
  const std::uint64_t reserved = charge.bytes;
  charge.is_settled = true;
  charge.settled = now;
  charge.bytes = settlement.bytes;
  charge.outcome = settlement.outcome;
  charge.status = settlement.status;
  charge.evidence = settlement.evidence;
  charge.file = settlement.file;
  charge.offset = settlement.offset;
  state.store.put(numbered(kCharge, number), encode(charge));
  state.store.remove(numbered(kUnderWay, number));
  state.reserved -= reserved;
  state.totals.bytes += settlement.bytes - reserved;  // may wrap in between, not in the result

  if (charge.url != kNoUrl) {
    LedgerUrl url = state.get_url(charge.url);
    const UrlState next = settlement.again_at     ? UrlState::Waiting
                          : settlement.is_dropped ? UrlState::Dropped
                                                  : UrlState::Done;
    state.set_waiting(url, next);
    url.not_before = settlement.again_at.value_or(0);
    url.outcome = settlement.outcome;
    url.status = settlement.status;
    url.time = now;
    url.target = settlement.target;
    url.evidence = settlement.evidence;
    url.failure = settlement.failure;
    state.put_url(charge.url, url);
    if (next == UrlState::Done) ++state.totals.answers;
  }

  State::LivePlace& host = state.live(charge.host);
  host.place.bytes += settlement.bytes - reserved;
  --host.in_flight;
  --state.in_flight;
  const auto asked = state.asked.extract(number);
  state.note_origin(asked.mapped(), host.place, settlement, now);
  state.change(charge.host);
  for (const std::string& name : address_names(host.place.address)) {
    State::LivePlace& before = state.live(name);
    if (before.in_flight > 0) --before.in_flight;
  }
  if (!settlement.address.empty()) add_address(host.place.address, settlement.address);
  for (const std::string& name : address_names(host.place.address)) {
    Place& address = state.live(name).place;
    address.last_end = std::max(address.last_end, now);
    address.last_lease = std::max(address.last_lease, charge.leased);
    state.change(name);
  }
  if (!settlement.address.empty()) ++state.live(address_name(settlement.address)).place.requests;
}

void Ledger::each_charge_backwards(const std::function<bool(const Charge&)>& visit) const {
  Charge charge;
  state_->store.scan_backwards(kCharge, [&](std::string_view, std::string_view value) {
    decode(value, charge);
    return visit(charge);
  });
}

std::size_t Ledger::in_flight() const noexcept { return state_->in_flight; }
const LedgerTotals& Ledger::totals() const noexcept { return state_->totals; }

// ---- hosts --------------------------------------------------------------------------------------

const Place& Ledger::host(std::string_view name) const {
  static const Place unknown;
  const State::LivePlace* found = state_->find_live(name);
  return found ? found->place : unknown;
}

void Ledger::set_crawl_delay(std::string_view name, Moment delay_ms) {
  const std::string origin = origin_name(name);
  if (delay_ms == 0 && !state_->find_live(origin)) return;
  state_->live_origin(origin).place.delay_ms = delay_ms;
  state_->change(origin);
  const std::string host(host_of_origin(origin));
  Moment longest = 0;
  for (const std::string& other : state_->origins_of[host]) {
    longest = std::max(longest, state_->live(other).place.delay_ms);
  }
  if (!state_->find_live(host)) ++state_->hosts;
  state_->live(host).place.delay_ms = longest;
  state_->change(host);
}

void Ledger::forgive(std::string_view origin) {
  const State::LivePlace* known = state_->find_live(origin_name(origin));
  if (!known || !known->place.is_given_up) return;
  Place& place = state_->live(origin_name(origin)).place;
  place.failures = 0;
  place.is_given_up = false;
  state_->change(origin_name(origin));
}

bool Ledger::wants_address(std::string_view name) const {
  const PolitenessRules& rules = state_->rules;
  const bool counts = rules.address_delay_ms.value_or(rules.delay_ms) > 0 ||
                      rules.connections_per_address < rules.connections;
  return counts && host(name).address.empty();
}

void Ledger::set_address(std::string_view host, std::string_view addresses) {
  if (!state_->find_live(host)) ++state_->hosts;
  State::LivePlace& place = state_->live(host);
  assert(place.in_flight == 0);
  place.place.address = addresses;
  state_->change(host);
}

std::uint64_t Ledger::host_count() const noexcept { return state_->hosts; }

std::optional<RobotsRecord> Ledger::robots(std::string_view origin) const {
  const auto bytes = state_->store.get(named(kRobots, origin));
  if (!bytes) return std::nullopt;
  RobotsRecord record;
  decode(*bytes, record);
  return record;
}

void Ledger::set_robots(std::string_view origin, const RobotsRecord& record) {
  state_->store.put(named(kRobots, origin), encode(record));
}

}  // namespace webstrata
