// SPDX-License-Identifier: Apache-2.0

// The URLs that a job knows: waiting, leased, done, dropped or turned away; and what an archive has
// forgotten.
//
// Every URL has an entry in the table in memory, with its number or, if it was turned away, kNoUrl;
// its record is in the store. A URL is forgotten in place: its number stays, its text goes.
//
// Tested by tests/fetch/ledger_test.cpp.

#include <cassert>
#include <vector>

#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger_forget.h"
#include "webstrata/fetch/ledger/ledger_state.h"

namespace webstrata {

// ---- URLs ---------------------------------------------------------------------------------------

std::optional<UrlNumber> Ledger::add(std::string_view url, const UrlOrigin& origin) {
  if (state_->next_url == kNoUrl) {
    throw Error(ErrorKind::BadInput, "a job holds at most 4,294,967,295 URLs");
  }
  const UrlNumber number = state_->next_url;
  if (!state_->table.add(url, number)) return std::nullopt;
  ++state_->next_url;
  ++state_->waiting;
  LedgerUrl record;
  record.url = url;
  record.from = origin.from;
  record.depth = origin.depth;
  record.found = origin.found;
  record.hop = origin.hop;
  state_->put_url(number, record);
  return number;
}

void Ledger::turn_away(std::string_view url, const UrlOrigin& origin, TurnedAway why,
                       std::string_view reason) {
  assert(why != TurnedAway::Forgotten);
  if (!state_->table.add(url, kNoUrl)) return;
  LedgerUrl record;
  record.url = url;
  record.state = UrlState::Dropped;
  record.from = origin.from;
  record.depth = origin.depth;
  record.found = origin.found;
  record.hop = origin.hop;
  record.time = origin.found;
  record.evidence = reason;
  record.turned_away = why;
  state_->store.put(numbered(kTurnedAway, state_->next_turned_away++), encode(record));
}

std::vector<UrlNumber> Ledger::let_in_again(
    const std::function<bool(const LedgerUrl&)>& may_come_in) {
  State& state = *state_;
  std::vector<UrlNumber> numbers;
  state.store.scan(kTurnedAway, [&](std::string_view key, std::string_view value) {
    LedgerUrl url;
    decode(value, url);
    if (!may_come_in(url)) return true;
    state.store.remove(named(kTurnedAway, key));
    LedgerUrl waiting;
    waiting.url = url.url;
    waiting.from = url.from;
    waiting.depth = url.depth;
    waiting.found = url.found;
    waiting.hop = url.hop;
    state.table.renumber(url.url, state.next_url);
    state.put_url(state.next_url, waiting);
    ++state.waiting;
    numbers.push_back(state.next_url++);
    return true;
  });
  return numbers;
}

std::optional<UrlNumber> Ledger::find(std::string_view url) const {
  return state_->table.find(url);
}

LedgerUrl Ledger::url(UrlNumber number) const { return state_->get_url(number); }
UrlNumber Ledger::url_count() const noexcept { return state_->next_url; }
std::uint64_t Ledger::waiting_count() const noexcept { return state_->waiting; }

void Ledger::drop(UrlNumber number, std::string_view reason, Moment now) {
  LedgerUrl url = state_->get_url(number);
  state_->set_waiting(url, UrlState::Dropped);
  url.time = now;
  url.evidence = reason;
  state_->put_url(number, url);
}

void Ledger::conclude(UrlNumber number, Outcome outcome, std::string_view target,
                      std::string_view evidence, Moment now, Failure failure) {
  LedgerUrl url = state_->get_url(number);
  state_->set_waiting(url, UrlState::Done);
  url.outcome = outcome;
  url.target = target;
  url.time = now;
  url.evidence = evidence;
  url.failure = failure;
  state_->put_url(number, url);
}

void Ledger::reopen(UrlNumber number, Moment not_before, std::string_view reason) {
  LedgerUrl url = state_->get_url(number);
  state_->set_waiting(url, UrlState::Waiting);
  url.not_before = not_before;
  url.evidence = reason;
  state_->put_url(number, url);
}

void Ledger::each_url(const std::function<bool(UrlNumber, const LedgerUrl&)>& visit) const {
  LedgerUrl url;
  state_->store.scan(kUrl, [&](std::string_view key, std::string_view value) {
    decode(value, url);
    return visit(static_cast<UrlNumber>(number_of(key)), url);
  });
}

// ---- what an archive has forgotten --------------------------------------------------------------

std::uint64_t Ledger::forget(const std::function<bool(const Url&)>& is_forgotten, Moment now) {
  State& state = *state_;
  assert(state.in_flight == 0);
  commit(now);
  const std::uint64_t changed = forget_records(state.store, is_forgotten);
  sweep();
  if (changed == 0) return 0;
  state.load();
  state.opened_at = now;
  return changed;
}

void Ledger::forget(UrlNumber number) {
  LedgerUrl url = state_->get_url(number);
  state_->set_waiting(url, UrlState::Dropped);
  state_->put_url(number, forgotten_url(url));
  state_->store.put(kResidue, "1");
}

void Ledger::sweep() {
  LedgerStore& store = state_->store;
  if (!store.get(kResidue)) return;
  store.compact();
  store.remove(kResidue);
  store.commit();
}

}  // namespace webstrata
