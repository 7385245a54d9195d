// SPDX-License-Identifier: Apache-2.0

// The places (hosts and addresses), the totals and the table of URLs are in memory as well;
// everything else is read from the store on demand.
//
// Tested by tests/fetch/ledger_test.cpp, with kills by tests/fetch/crawl_kill_test.py, and with
// clocks that are set by tests/fetch/clock_changes_test.py.

#include "webstrata/fetch/ledger/ledger.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <random>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger_forget.h"
#include "webstrata/fetch/ledger/ledger_keys.h"
#include "webstrata/fetch/ledger/ledger_store.h"
#include "webstrata/fetch/ledger/url_table.h"
#include "webstrata/fetch/wire/origin.h"

namespace webstrata {
namespace {

using namespace ledger_keys;

// A place is a host, an origin ("http://a.example:8080") or an address. Addresses are stored among
// the hosts; no host has this in its name.
std::string address_name(std::string_view address) { return fmt::format("@{}", address); }
bool is_host(std::string_view place) { return !place.starts_with('@') && !is_origin(place); }

// A host alone means its http origin.
std::string origin_name(std::string_view name) {
  return is_origin(name) ? std::string(name) : fmt::format("http://{}", name);
}

// The names of the places of a host's addresses.
std::vector<std::string> address_names(std::string_view addresses) {
  std::vector<std::string> names;
  while (!addresses.empty()) {
    const std::size_t end = std::min(addresses.find(' '), addresses.size());
    names.push_back(address_name(addresses.substr(0, end)));
    addresses.remove_prefix(std::min(end + 1, addresses.size()));
  }
  return names;
}

// A host may move: the latest addresses count.
constexpr std::size_t kAddressesMax = 8;

// A smaller difference does not mean that the clock was changed: clocks are read one after the
// other and run a little unevenly.
constexpr Moment kClockShiftMin = 100;

void add_address(std::string& addresses, std::string_view address) {
  const std::vector<std::string> names = address_names(addresses);
  if (std::ranges::find(names, address_name(address)) != names.end()) return;
  if (names.size() >= kAddressesMax) addresses.erase(0, addresses.find(' ') + 1);
  if (!addresses.empty()) addresses += ' ';
  addresses += address;
}

std::string random_seed() {
  std::random_device device;
  return fmt::format("{}", std::uint64_t{device()} << 32 | device());
}

}  // namespace

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

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Ledger Ledger::create(const std::filesystem::path& folder, Moment now,
                      const MachineStart& machine) {
  std::filesystem::create_directories(folder);
  auto state = std::make_unique<State>(LedgerStore::create(folder / "ledger"));
  if (state->store.get(kSeed)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: already holds a job; resume it, or name another folder", folder.string()));
  }
  state->begin(now, machine);
  return Ledger(std::move(state));
}

Ledger Ledger::open_or_create(const std::filesystem::path& folder, Moment now,
                              const MachineStart& machine) {
  std::filesystem::create_directories(folder);
  auto state = std::make_unique<State>(LedgerStore::create(folder / "ledger"));
  if (state->store.get(kSeed)) {
    state->go_on(now, machine);
  } else {
    state->begin(now, machine);
  }
  return Ledger(std::move(state));
}

Ledger Ledger::open(const std::filesystem::path& folder, Moment now, const MachineStart& machine) {
  auto state = std::make_unique<State>(LedgerStore::open(folder / "ledger"));
  if (!state->store.get(kSeed)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: the job had not begun; begin it again", folder.string()));
  }
  state->go_on(now, machine);
  return Ledger(std::move(state));
}

// Part of the first commit: a job that was killed earlier does not exist.
void Ledger::State::begin(Moment now, const MachineStart& machine) {
  const std::string seed = random_seed();
  store.put(kSeed, seed);
  table = UrlTable(std::stoull(seed));
  opened_at = now;
  machine_start = machine;
  put_clock();
}

void Ledger::State::go_on(Moment now, const MachineStart& machine) {
  load();
  load_clock();
  recover(now, machine);
  opened_at = now;
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

void Ledger::set_rules(const PolitenessRules& rules, const Budget& budget) {
  state_->rules = rules;
  state_->budget = budget;
  state_->window = RateWindow();
  state_->window.set(budget.rate);
  if (!budget.rate) return;
  std::vector<Moment> last;
  ChargeNumber number = state_->next_charge;
  each_charge_backwards([&](const Charge& charge) {
    // A lost request may have left at any time until the end of its process.
    const Moment left = charge.is_settled && charge.status == 0
                            ? std::max(charge.leased, charge.settled)
                            : charge.leased;
    last.push_back(--number < state_->distrusted_before ? state_->distrusted_at : left);
    return last.size() < budget.rate->count;
  });
  std::ranges::sort(last);
  for (const Moment moment : last) state_->window.note(moment);
}

const PolitenessRules& Ledger::rules() const noexcept { return state_->rules; }
const Budget& Ledger::budget() const noexcept { return state_->budget; }

void Ledger::set_setting(std::string_view name, std::string_view value) {
  state_->store.put(named(kSetting, name), value);
}

std::optional<std::string> Ledger::setting(std::string_view name) const {
  return state_->store.get(named(kSetting, name));
}

void Ledger::each_setting(
    std::string_view prefix,
    const std::function<void(std::string_view name, std::string_view value)>& visit) const {
  state_->store.scan(named(kSetting, prefix), [&](std::string_view rest, std::string_view value) {
    visit(fmt::format("{}{}", prefix, rest), value);
    return true;
  });
}

Moment Ledger::clock_shift() const noexcept { return state_->clock_shift; }

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
  static const Place nobody;
  const State::LivePlace* found = state_->find_live(name);
  return found ? found->place : nobody;
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

// ---- the rest -----------------------------------------------------------------------------------

void Ledger::learn(const LearnedPage& page) {
  state_->store.put(numbered(kLearned, state_->next_learned++), encode(page));
}

void Ledger::each_learned(const std::function<bool(const LearnedPage&)>& visit) const {
  LearnedPage page;
  state_->store.scan(kLearned, [&](std::string_view, std::string_view value) {
    decode(value, page);
    return visit(page);
  });
}

void Ledger::set_warc_mark(std::string_view file, std::uint64_t end, std::uint32_t next_serial) {
  state_->totals.warc_file = file;
  state_->totals.warc_end = end;
  state_->totals.warc_serial = next_serial;
}

void Ledger::commit(Moment now) {
  if (state_->changed.empty() && state_->store.is_clean()) return;
  for (const std::string& name : state_->changed) {
    State::LivePlace& place = state_->live(name);
    state_->store.put(named(kPlace, name), encode(place.place));
    place.is_changed = false;
  }
  state_->changed.clear();
  state_->totals.active_ms = state_->active_ms(now);
  state_->store.put(kLostBytes, std::to_string(state_->lost_bytes));
  state_->store.put(kLastMoment, std::to_string(now));
  state_->store.put(kTotals, encode(state_->totals));
  state_->store.commit();
}

}  // namespace webstrata
