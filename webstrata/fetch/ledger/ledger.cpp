// SPDX-License-Identifier: Apache-2.0

// Opening, settings, what the frontier learned, and commit. ledger_state.h names the other files.
//
// Tested by tests/fetch/ledger_test.cpp, with kills by tests/fetch/crawl_kill_test.py, and with
// clocks that are set by tests/fetch/clock_changes_test.py.

#include "webstrata/fetch/ledger/ledger.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/fetch/ledger/ledger_state.h"

namespace webstrata {
namespace {

std::string random_seed() {
  std::random_device device;
  return fmt::format("{}", std::uint64_t{device()} << 32 | device());
}

}  // namespace

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
