// SPDX-License-Identifier: Apache-2.0

// What an open ledger holds, for the files that implement ledger.h: ledger.cpp (opening, settings,
// commit), ledger_recovery.cpp, ledger_urls.cpp and ledger_charges.cpp.
//
// The places (hosts, origins and addresses), the totals and the table of URLs are in memory;
// everything else is read from the store on demand. What changes a record puts it into the store at
// once, except that places are collected in `changed` and written by commit(): a request touches
// several of them, more than once.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/ledger/ledger_keys.h"
#include "webstrata/fetch/ledger/ledger_store.h"
#include "webstrata/fetch/ledger/url_table.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {

using namespace ledger_keys;

// A place is a host, an origin ("http://a.example:8080") or an address. Addresses are stored among
// the hosts; no host has this in its name.
inline std::string address_name(std::string_view address) { return fmt::format("@{}", address); }
inline bool is_host(std::string_view place) { return !place.starts_with('@') && !is_origin(place); }

// A host alone means its http origin.
inline std::string origin_name(std::string_view name) {
  return is_origin(name) ? std::string(name) : fmt::format("http://{}", name);
}

// The names of the places of a host's addresses.
inline std::vector<std::string> address_names(std::string_view addresses) {
  std::vector<std::string> names;
  while (!addresses.empty()) {
    const std::size_t end = std::min(addresses.find(' '), addresses.size());
    names.push_back(address_name(addresses.substr(0, end)));
    addresses.remove_prefix(std::min(end + 1, addresses.size()));
  }
  return names;
}

struct Ledger::State {
  explicit State(LedgerStore opened) : store(std::move(opened)) {}

  struct LivePlace {
    Place place;
    unsigned in_flight = 0;
    bool is_changed = false;
  };

  LivePlace& live(std::string_view name) { return places[std::string(name)]; }
  const LivePlace* find_live(std::string_view name) const {
    const auto found = places.find(std::string(name));
    return found == places.end() ? nullptr : &found->second;
  }
  void change(std::string_view name) {
    LivePlace& place = live(name);
    if (!place.is_changed) changed.emplace_back(name);
    place.is_changed = true;
  }
  void put_url(UrlNumber number, const LedgerUrl& url) {
    store.put(numbered(kUrl, number), encode(url));
  }
  LedgerUrl get_url(UrlNumber number) const {
    LedgerUrl url;
    const auto bytes = store.get(numbered(kUrl, number));
    if (!bytes) throw Error(ErrorKind::Corrupt, fmt::format("ledger: URL {} is missing", number));
    decode(*bytes, url);
    return url;
  }
  Charge get_charge(ChargeNumber number) const {
    Charge charge;
    const auto bytes = store.get(numbered(kCharge, number));
    if (!bytes) {
      throw Error(ErrorKind::Corrupt, fmt::format("ledger: charge {} is missing", number));
    }
    decode(*bytes, charge);
    return charge;
  }
  // An origin has a record only while it fails, or asks for a delay.
  LivePlace& live_origin(const std::string& name) {
    if (!find_live(name)) origins_of[std::string(host_of_origin(name))].push_back(name);
    return live(name);
  }
  void note_origin(const std::string& name, Place& host, const Settlement& settlement, Moment now) {
    const bool fails =
        settlement.sign == HostSign::Overloaded || settlement.sign == HostSign::Silent;
    Place nothing;
    const bool is_known = fails || find_live(name) != nullptr;
    note_answer(host, is_known ? live_origin(name).place : nothing, settlement.sign,
                settlement.retry_at, now, rules);
    if (is_known) change(name);
  }
  void set_waiting(LedgerUrl& url, UrlState state) {
    if (url.state == UrlState::Waiting) --waiting;
    url.state = state;
    if (url.state == UrlState::Waiting) ++waiting;
  }

  void begin(Moment now, const MachineStart& machine);
  void go_on(Moment now, const MachineStart& machine);
  void load();
  void take_over_old_places();
  void recover(Moment now, const MachineStart& machine);
  void recover_charge(ChargeNumber number, std::string_view granted, Moment now);
  void recover_clock(Moment now, const MachineStart& machine);
  void load_clock();
  void put_clock();
  [[nodiscard]] Moment shift_since(Moment now, const MachineStart& machine) const;
  void move_waits(Moment shift);
  [[nodiscard]] std::uint64_t counted_lost_bytes() const;
  [[nodiscard]] Moment active_ms(Moment now) const { return active_before + (now - opened_at); }

  LedgerStore store;
  PolitenessRules rules;
  Budget budget;
  LedgerTotals totals;
  UrlTable table;
  UrlNumber next_url = 0;
  std::uint64_t waiting = 0;
  std::uint64_t next_turned_away = 0;
  ChargeNumber next_charge = 0;
  std::uint64_t next_learned = 0;
  std::uint64_t hosts = 0;
  std::unordered_map<std::string, LivePlace> places;
  std::unordered_map<std::string, std::vector<std::string>> origins_of;  // by host
  std::unordered_map<ChargeNumber, std::string> asked;  // origins, of what is in flight
  std::vector<std::string> changed;
  RateWindow window;
  std::size_t in_flight = 0;
  std::uint64_t reserved = 0;  // bytes of these
  std::uint64_t lost_bytes = 0;
  Moment last_moment = INT64_MIN / 2;  // of the last commit, as the clock said then
  Moment opened_at = 0;
  Moment active_before = 0;
  MachineStart machine_start;  // by the clock of all times below
  Moment clock_shift = 0;
  // Charges before this number have times of a clock that was changed since: they count as of
  // `distrusted_at`.
  ChargeNumber distrusted_before = 0;
  Moment distrusted_at = 0;
};

}  // namespace webstrata
