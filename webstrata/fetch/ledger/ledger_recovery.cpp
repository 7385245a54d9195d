// SPDX-License-Identifier: Apache-2.0

// What open() does after the last process ended, however it ended.
//
// load() reads the store into memory. recover() then settles what was in flight: it is
// unknown whether those requests were answered, so they are charged as lost, with the most bytes that were
// granted to them, and their URLs wait again. At last every place is delayed as if it had answered
// now.
//
// All times in the store are those of the clock of their run. The start of the machine, in the same
// clock, is stored with them: while the machine runs, a change of that moment is a change of the
// clock, and all waiting times move by as much (move_waits). After a reboot there is nothing to
// compare with, and only a clock that shows an earlier time than the last commit is known to be
// wrong. Charges before a change count as of the moment of the change for the limits of rate
// (`distrusted_before`).
//
// Tested by tests/fetch/ledger_test.cpp and ledger_clock_test.cpp, with kills by
// tests/fetch/crawl_kill_test.py, and with clocks that are set by tests/fetch/clock_changes_test.py.

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger_state.h"

namespace webstrata {
namespace {

// A smaller difference does not mean that the clock was changed: clocks are read one after the
// other and run a little unevenly.
constexpr Moment kClockShiftMin = 100;

}  // namespace

// ---- opening ------------------------------------------------------------------------------------

// Again after records were rewritten.
void Ledger::State::load() {
  places.clear();
  origins_of.clear();
  changed.clear();
  hosts = waiting = 0;
  if (const auto seed = store.get(kSeed)) table = UrlTable(std::stoull(*seed));
  if (const auto bytes = store.get(kTotals)) decode(*bytes, totals);
  active_before = totals.active_ms;
  store.scan(kUrl, [&](std::string_view key, std::string_view value) {
    LedgerUrl url;
    decode(value, url);
    next_url = static_cast<UrlNumber>(number_of(key)) + 1;
    if (url.state == UrlState::Waiting) ++waiting;
    if (!url.url.empty()) table.add(url.url, next_url - 1);
    return true;
  });
  store.scan(kTurnedAway, [&](std::string_view key, std::string_view value) {
    LedgerUrl url;
    decode(value, url);
    next_turned_away = number_of(key) + 1;
    table.add(url.url, kNoUrl);
    return true;
  });
  store.scan(kPlace, [&](std::string_view name, std::string_view value) {
    decode(value, is_origin(name) ? live_origin(std::string(name)).place : live(name).place);
    if (is_host(name)) ++hosts;
    return true;
  });
  take_over_old_places();
  store.scan_backwards(kCharge, [&](std::string_view key, std::string_view) {
    next_charge = number_of(key) + 1;
    return false;
  });
  const auto lost = store.get(kLostBytes);
  lost_bytes = lost ? std::stoull(*lost) : counted_lost_bytes();
  if (const auto moment = store.get(kLastMoment)) {
    last_moment = std::stoll(*moment);
  } else {
    for (const auto& [name, place] : places) {
      last_moment = std::max({last_moment, place.place.last_lease, place.place.last_end});
    }
  }
  store.scan_backwards(kLearned, [&](std::string_view key, std::string_view) {
    next_learned = number_of(key) + 1;
    return false;
  });
}

// Older ledgers kept failures and Crawl-delay by host. Which origin failed is no longer known, so
// the failures are dropped: each origin starts afresh. The delay stays.
void Ledger::State::take_over_old_places() {
  std::vector<std::pair<std::string, Moment>> delays;
  for (auto& [name, place] : places) {
    if (!is_host(name)) continue;
    place.place.failures = 0;
    place.place.is_given_up = false;
    if (place.place.delay_ms > 0 && !origins_of.contains(name)) {
      delays.emplace_back(origin_name(name), place.place.delay_ms);
    }
  }
  for (const auto& [origin, delay_ms] : delays) {
    live_origin(origin).place.delay_ms = delay_ms;
    change(origin);
  }
}

// For jobs whose ledger has none.
std::uint64_t Ledger::State::counted_lost_bytes() const {
  std::uint64_t bytes = 0;
  if (totals.lost == 0) return bytes;
  Charge charge;
  store.scan(kCharge, [&](std::string_view, std::string_view value) {
    decode(value, charge);
    if (charge.is_lost) bytes += charge.bytes;
    return true;
  });
  return bytes;
}

// Requests in flight when the last process ended: they may have been answered or not. `granted` is
// empty in ledgers that granted everything at once.
void Ledger::State::recover_charge(ChargeNumber number, std::string_view granted, Moment now) {
  Charge charge = get_charge(number);
  const std::uint64_t reserved_bytes = charge.bytes;
  if (!granted.empty()) {
    charge.bytes = std::min(charge.bytes, ByteReader(granted, "ledger").varint());
  }
  charge.is_settled = true;
  charge.settled = now;
  charge.outcome = Outcome::Unknown;
  charge.evidence = "the program ended before the answer";
  charge.is_lost = true;
  store.put(numbered(kCharge, number), encode(charge));
  store.remove(numbered(kUnderWay, number));
  ++totals.lost;
  totals.bytes -= reserved_bytes - charge.bytes;
  lost_bytes += charge.bytes;
  if (charge.url != kNoUrl) {
    LedgerUrl url = get_url(charge.url);
    set_waiting(url, UrlState::Waiting);
    ++url.lost;
    url.evidence = charge.evidence;
    put_url(charge.url, url);
  }
  live(charge.host).place.bytes -= reserved_bytes - charge.bytes;
  change(charge.host);
}

void Ledger::State::recover(Moment now, const MachineStart& machine) {
  std::vector<std::pair<ChargeNumber, std::string>> lost;
  store.scan(kUnderWay, [&](std::string_view key, std::string_view granted) {
    lost.emplace_back(number_of(key), granted);
    return true;
  });
  for (const auto& [number, granted] : lost) recover_charge(number, granted, now);
  recover_clock(now, machine);
}

// ---- the clock ----------------------------------------------------------------------------------

void Ledger::State::put_clock() {
  store.put(kClock, fmt::format("{} {} {} {}", machine_start.id.empty() ? "-" : machine_start.id,
                                machine_start.moment, distrusted_before, distrusted_at));
}

// Older ledgers have none.
void Ledger::State::load_clock() {
  const auto text = store.get(kClock);
  if (!text) return;
  std::istringstream words(*text);
  words >> machine_start.id >> machine_start.moment >> distrusted_before >> distrusted_at;
  if (!words) throw Error(ErrorKind::Corrupt, "ledger: its clock is not what it must be");
  if (machine_start.id == "-") machine_start.id.clear();
}

// How far the clock was changed since the last commit. After a reboot only a clock that was set
// back can be detected, and only if by more than the time that has passed.
Moment Ledger::State::shift_since(Moment now, const MachineStart& machine) const {
  if (!machine.id.empty() && machine.id == machine_start.id) {
    const Moment shift = machine.moment - machine_start.moment;
    return std::abs(shift) >= kClockShiftMin ? shift : 0;
  }
  return std::min<Moment>(0, now - last_moment);
}

// All waiting times move with the clock.
void Ledger::State::move_waits(Moment shift) {
  const auto move = [shift](Moment& moment) {
    if (moment > Place().not_before) moment += shift;
  };
  for (auto& [name, place] : places) {
    move(place.place.last_lease);
    move(place.place.last_end);
    move(place.place.not_before);
    change(name);
  }
  store.scan(kUrl, [&](std::string_view key, std::string_view value) {
    LedgerUrl url;
    decode(value, url);
    if (url.state != UrlState::Waiting || url.not_before == 0) return true;
    const auto number = static_cast<UrlNumber>(number_of(key));
    url = get_url(number);  // as recover_charge() left it
    url.not_before += shift;
    put_url(number, url);
    return true;
  });
}

// Every place is delayed as if it had answered now: a request may have left just before the end,
// and a clock that was set forward may hide how recent that was.
void Ledger::State::recover_clock(Moment now, const MachineStart& machine) {
  clock_shift = shift_since(now, machine);
  if (clock_shift != 0) {
    distrusted_before = next_charge;
    distrusted_at = now;
    move_waits(clock_shift);
  }
  for (auto& [name, place] : places) {
    const Place before = place.place;
    const bool was_asked = before.last_lease > 0 || before.last_end > 0;
    place.place.last_lease = std::min(before.last_lease, now);
    if (was_asked) place.place.last_end = now;
    if (place.place != before) change(name);
  }
  if (clock_shift == 0 && machine.id == machine_start.id) return;
  machine_start = machine;
  put_clock();
}

}  // namespace webstrata
