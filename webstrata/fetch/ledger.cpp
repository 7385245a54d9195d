// The places (hosts and addresses), the totals and the table of urls are in memory as well; all
// else is read from the store when it is asked for.
//
// Tested by tests/fetch/ledger_test.cpp, and with kills by tests/fetch/crawl_kill_test.py.

#include "webstrata/fetch/ledger.h"

#include <algorithm>
#include <cassert>
#include <random>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger_keys.h"
#include "webstrata/fetch/ledger_store.h"
#include "webstrata/fetch/url_table.h"

namespace webstrata {
namespace {

using namespace ledger_keys;

// Addresses lie among the hosts; no host has this in its name.
std::string address_name(std::string_view address) { return fmt::format("@{}", address); }

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
    if (!bytes) throw Error(ErrorKind::Corrupt, fmt::format("ledger: url {} is missing", number));
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
  void set_waiting(LedgerUrl& url, UrlState state) {
    if (url.state == UrlState::Waiting) --waiting;
    url.state = state;
    if (url.state == UrlState::Waiting) ++waiting;
  }

  void begin(Moment now);
  void go_on(Moment now);
  void load();
  void recover(Moment now);
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
  std::vector<std::string> changed;
  RateWindow window;
  std::size_t in_flight = 0;
  std::uint64_t reserved = 0;  // bytes of these
  Moment opened_at = 0;
  Moment active_before = 0;
};

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Ledger Ledger::create(const std::filesystem::path& folder, Moment now) {
  std::filesystem::create_directories(folder);
  auto state = std::make_unique<State>(LedgerStore::create(folder / "ledger"));
  if (state->store.get(kSeed)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: there is a job already; go on with --resume or name another folder",
                    folder.string()));
  }
  state->begin(now);
  return Ledger(std::move(state));
}

Ledger Ledger::open_or_create(const std::filesystem::path& folder, Moment now) {
  std::filesystem::create_directories(folder);
  auto state = std::make_unique<State>(LedgerStore::create(folder / "ledger"));
  if (state->store.get(kSeed)) {
    state->go_on(now);
  } else {
    state->begin(now);
  }
  return Ledger(std::move(state));
}

Ledger Ledger::open(const std::filesystem::path& folder, Moment now) {
  auto state = std::make_unique<State>(LedgerStore::open(folder / "ledger"));
  if (!state->store.get(kSeed)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: the job had not begun; begin it again", folder.string()));
  }
  state->go_on(now);
  return Ledger(std::move(state));
}

// Part of the first commit: a job that was killed before it never was.
void Ledger::State::begin(Moment now) {
  const std::string seed = random_seed();
  store.put(kSeed, seed);
  table = UrlTable(std::stoull(seed));
  opened_at = now;
}

void Ledger::State::go_on(Moment now) {
  load();
  recover(now);
  opened_at = now;
}

void Ledger::State::load() {
  if (const auto seed = store.get(kSeed)) table = UrlTable(std::stoull(*seed));
  if (const auto bytes = store.get(kTotals)) decode(*bytes, totals);
  active_before = totals.active_ms;
  store.scan(kUrl, [&](std::string_view key, std::string_view value) {
    LedgerUrl url;
    decode(value, url);
    next_url = static_cast<UrlNumber>(number_of(key)) + 1;
    if (url.state == UrlState::Waiting) ++waiting;
    table.add(url.url, next_url - 1);
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
    decode(value, live(name).place);
    if (!name.starts_with('@')) ++hosts;
    return true;
  });
  store.scan_backwards(kCharge, [&](std::string_view key, std::string_view) {
    next_charge = number_of(key) + 1;
    return false;
  });
  store.scan_backwards(kLearned, [&](std::string_view key, std::string_view) {
    next_learned = number_of(key) + 1;
    return false;
  });
}

// What was under way when the last process ended: nobody knows whether it was answered.
void Ledger::State::recover(Moment now) {
  std::vector<ChargeNumber> lost;
  store.scan(kUnderWay, [&](std::string_view key, std::string_view) {
    lost.push_back(number_of(key));
    return true;
  });
  for (const ChargeNumber number : lost) {
    Charge charge = get_charge(number);
    charge.is_settled = true;
    charge.settled = now;
    charge.outcome = Outcome::Unknown;
    charge.evidence = "the program ended before the answer";
    store.put(numbered(kCharge, number), encode(charge));
    store.remove(numbered(kUnderWay, number));
    ++totals.lost;
    if (charge.url != kNoUrl) {
      LedgerUrl url = get_url(charge.url);
      set_waiting(url, UrlState::Waiting);
      ++url.lost;
      url.evidence = charge.evidence;
      put_url(charge.url, url);
    }
    // The request may have left a moment before the end, and the end was before now.
    Place& host = live(charge.host).place;
    host.last_end = std::max(host.last_end, now);
    change(charge.host);
    if (!host.address.empty()) {
      const std::string name = address_name(host.address);
      live(name).place.last_end = std::max(live(name).place.last_end, now);
      change(name);
    }
  }
  // A clock that was set back must not keep hosts waiting for longer than their delay.
  for (auto& [name, place] : places) {
    place.place.last_lease = std::min(place.place.last_lease, now);
    place.place.last_end = std::min(place.place.last_end, now);
  }
}

void Ledger::set_rules(const PolitenessRules& rules, const Budget& budget) {
  state_->rules = rules;
  state_->budget = budget;
  state_->window = RateWindow();
  state_->window.set(budget.rate);
  if (!budget.rate) return;
  std::vector<Moment> last;
  each_charge_backwards([&](const Charge& charge) {
    // A lost request may have left at any time until the end of its process.
    last.push_back(charge.is_settled && charge.status == 0 ? std::max(charge.leased, charge.settled)
                                                           : charge.leased);
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

// ---- urls ---------------------------------------------------------------------------------------

std::optional<UrlNumber> Ledger::add(std::string_view url, const UrlOrigin& origin) {
  if (state_->next_url == kNoUrl) {
    throw Error(ErrorKind::BadInput, "a job holds no more than 4,294,967,295 urls");
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

void Ledger::turn_away(std::string_view url, const UrlOrigin& origin, std::string_view reason) {
  if (!state_->table.add(url, kNoUrl)) return;
  LedgerUrl record;
  record.url = url;
  record.state = UrlState::Dropped;
  record.from = origin.from;
  record.depth = origin.depth;
  record.found = origin.found;
  record.time = origin.found;
  record.evidence = reason;
  state_->store.put(numbered(kTurnedAway, state_->next_turned_away++), encode(record));
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
                      std::string_view evidence, Moment now) {
  LedgerUrl url = state_->get_url(number);
  state_->set_waiting(url, UrlState::Done);
  url.outcome = outcome;
  url.target = target;
  url.time = now;
  url.evidence = evidence;
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
  const Place& place = host(name);
  if (place.is_given_up) {
    return fmt::format("the host gave no good answer {} times in a row", place.failures);
  }
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
  const State::LivePlace* host = state.find_live(name);
  if (!host) return moment;
  if (host->in_flight > 0) return kNever;
  if (state.budget.host_requests && host->place.requests >= *state.budget.host_requests) {
    return kNever;
  }
  const Moment host_free = webstrata::free_at(host->place, state.rules.delay_ms);
  if (host_free == kNever) return kNever;
  moment = std::max(moment, host_free);
  if (host->place.address.empty()) return moment;
  if (const auto* address = state.find_live(address_name(host->place.address))) {
    if (address->in_flight >= state.rules.connections_per_address) return kNever;
    moment = std::max(
        moment, webstrata::free_at(address->place,
                                   state.rules.address_delay_ms.value_or(state.rules.delay_ms)));
  }
  return moment;
}

std::optional<ChargeNumber> Ledger::lease(const LeaseRequest& request, Moment now) {
  State& state = *state_;
  if (free_at(request.host, now, request.bytes_max) > now) return std::nullopt;
  const ChargeNumber number = state.next_charge++;
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
  state.store.put(numbered(kUnderWay, number), "");
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
  if (!host.place.address.empty()) {
    const std::string name = address_name(host.place.address);
    State::LivePlace& address = state.live(name);
    address.place.last_lease = now;
    ++address.in_flight;
    state.change(name);
  }
  state.window.note(now);
  ++state.in_flight;
  return number;
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
  state.totals.bytes += settlement.bytes - reserved;  // may wrap on the way, not at the end

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
    state.put_url(charge.url, url);
    if (next == UrlState::Done) ++state.totals.answers;
  }

  State::LivePlace& host = state.live(charge.host);
  host.place.bytes += settlement.bytes - reserved;
  --host.in_flight;
  --state.in_flight;
  note_answer(host.place, settlement.sign, settlement.retry_at, now, state.rules);
  state.change(charge.host);
  if (!host.place.address.empty()) {
    State::LivePlace& before = state.live(address_name(host.place.address));
    if (before.in_flight > 0) --before.in_flight;
  }
  if (!settlement.address.empty()) host.place.address = settlement.address;
  if (host.place.address.empty()) return;
  const std::string name = address_name(host.place.address);
  Place& address = state.live(name).place;
  address.last_end = std::max(address.last_end, now);
  address.last_lease = std::max(address.last_lease, charge.leased);
  ++address.requests;
  state.change(name);
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

void Ledger::set_crawl_delay(std::string_view host, Moment delay_ms) {
  if (!state_->find_live(host)) ++state_->hosts;
  state_->live(host).place.delay_ms = delay_ms;
  state_->change(host);
}

bool Ledger::wants_address(std::string_view name) const {
  const PolitenessRules& rules = state_->rules;
  const bool counts = rules.address_delay_ms.value_or(rules.delay_ms) > 0 ||
                      rules.connections_per_address < rules.connections;
  return counts && host(name).address.empty();
}

void Ledger::set_address(std::string_view host, std::string_view address) {
  if (!state_->find_live(host)) ++state_->hosts;
  State::LivePlace& place = state_->live(host);
  assert(place.in_flight == 0);
  place.place.address = address;
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
  state_->store.put(kTotals, encode(state_->totals));
  state_->store.commit();
}

}  // namespace webstrata
