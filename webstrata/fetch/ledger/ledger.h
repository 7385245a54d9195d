// SPDX-License-Identifier: Apache-2.0

// The truth about one job: which URLs it knows, what it requested, the cost and outcome of each
// request, and when each host may be contacted again. On disk in the job's folder (RocksDB), and
// durable:
//
// - A lease with its charge and its delay is durable before the request leaves: lease(), commit(),
//   then start the request.
// - A crawl file's record is durable before the ledger says done: sync the file,
//   settle(), commit().
// - Requests in flight at a kill count as spent, with outcome unknown and the most bytes that they
//   can have cost; open() records this and lets the URL wait again, and a second try is a second
//   charge.
// - open() delays every host as if it had answered at that moment, and accounts for a clock that
//   was set back: whatever the clock did meanwhile, no host is contacted too early or much too
//   late.
//
//   Ledger ledger = Ledger::create("job", clock.now());
//   const UrlNumber page = *ledger.add("http://www.example.org/", {.found = clock.now()});
//   if (const auto charge = ledger.lease({.url = page, .host = "www.example.org"}, clock.now())) {
//     ledger.commit(clock.now());
//     … the request, its answer, its record …
//     ledger.settle(*charge, {.outcome = Outcome::Alive, .status = 200}, clock.now());
//     ledger.commit(clock.now());
//   }
//
// Budgets and politeness are enforced only here: lease() refuses what they forbid. For one thread.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/fetch/ledger/ledger_records.h"
#include "webstrata/fetch/rules/budget.h"
#include "webstrata/fetch/rules/politeness.h"
#include "webstrata/fetch/wire/clock.h"
#include "webstrata/url/url.h"

namespace webstrata {

// A setting: the hosts of the job's seeds, one per line. The scope of a crawl may depend on them,
// so they are kept when a seed is forgotten, unless its whole host is.
inline constexpr std::string_view kSeedHosts = "seed-hosts";

struct UrlOrigin {
  UrlNumber from = kNoUrl;
  std::uint32_t depth = 0;
  Moment found = 0;
  char hop = 'L';  // the kind of the link
};

struct LeaseRequest {
  ChargeKind kind = ChargeKind::Page;
  UrlNumber url = kNoUrl;  // a page's
  std::string text = {};   // otherwise the URL itself
  std::string host = {};
  std::string origin = {};      // to which failures are attributed; empty: that of http on the host
  std::uint64_t bytes_max = 0;  // what the answer may cost; reserved until settle()
  // What it may cost before grant(), and so the most that a kill can cost. Empty: bytes_max.
  std::optional<std::uint64_t> bytes_granted = {};
  double score = 0;
  std::string why = {};
};

struct Settlement {
  Outcome outcome = Outcome::Unknown;
  int status = 0;
  std::string target = {};
  std::string evidence = {};
  Failure failure = Failure::None;  // why there is no answer
  std::uint64_t bytes = 0;          // received
  HostSign sign = HostSign::Well;
  std::optional<Moment> retry_at = {};  // from Retry-After
  std::string address = {};             // of the server
  std::optional<Moment> again_at = {};  // the URL waits for another try
  bool is_dropped = false;              // the URL is dropped, for the reason in `evidence`
  std::string file = {};                // where the answer is
  std::uint64_t offset = 0;
};

class Ledger {
 public:
  // In `folder`/ledger. Throws Error(BadInput) if it already exists.
  // With `machine`, a later open() knows how far the clock was changed in between, so that delays,
  // back-off, Retry-After and checks hold in real time. Without it only a clock that was set back
  // is noticed.
  static Ledger create(const std::filesystem::path& folder, Moment now,
                       const MachineStart& machine = {});
  // Throws Error(NotFound), or Error(Io) if another process has it.
  static Ledger open(const std::filesystem::path& folder, Moment now,
                     const MachineStart& machine = {});
  // Resumes the job if it exists, and creates it if not or if a kill came before its first commit.
  static Ledger open_or_create(const std::filesystem::path& folder, Moment now,
                               const MachineStart& machine = {});
  // How far the clock was changed since the previous run: times stored then are this much later
  // now. The ledger's own waiting times are already adjusted.
  [[nodiscard]] Moment clock_shift() const noexcept;
  Ledger(Ledger&&) noexcept;
  ~Ledger();

  // The rules for lease(). They are not stored; the job's settings are.
  void set_rules(const PolitenessRules& rules, const Budget& budget);
  [[nodiscard]] const PolitenessRules& rules() const noexcept;
  [[nodiscard]] const Budget& budget() const noexcept;

  // Text that belongs to the job, by name.
  void set_setting(std::string_view name, std::string_view value);
  [[nodiscard]] std::optional<std::string> setting(std::string_view name) const;
  // Settings with this prefix, as of opening the ledger.
  void each_setting(
      std::string_view prefix,
      const std::function<void(std::string_view name, std::string_view value)>& visit) const;

  // ---- URLs ----
  // Adds a waiting URL. Empty if the job already knows it, even as one that was turned away.
  std::optional<UrlNumber> add(std::string_view url, const UrlOrigin& origin);
  // A url that is turned away at once; remembered with its reason, the first time.
  void turn_away(std::string_view url, const UrlOrigin& origin, TurnedAway why,
                 std::string_view reason);
  // kNoUrl: known, and turned away.
  [[nodiscard]] std::optional<UrlNumber> find(std::string_view url) const;
  [[nodiscard]] LedgerUrl url(UrlNumber number) const;
  [[nodiscard]] UrlNumber url_count() const noexcept;
  [[nodiscard]] std::uint64_t waiting_count() const noexcept;
  // Lets URLs in that were turned away, since the job now has other rules: they wait. Returns their
  // numbers, which are new.
  std::vector<UrlNumber> let_in_again(const std::function<bool(const LedgerUrl&)>& may_come_in);
  // A waiting URL will not be requested.
  void drop(UrlNumber number, std::string_view reason, Moment now);
  // A waiting url has its outcome without another request; `target` is where it moved in the end,
  // `failure` why there is no answer.
  void conclude(UrlNumber number, Outcome outcome, std::string_view target,
                std::string_view evidence, Moment now, Failure failure = Failure::None);
  // A url that is done or dropped waits again.
  void reopen(UrlNumber number, Moment not_before, std::string_view reason);
  void each_url(const std::function<bool(UrlNumber, const LedgerUrl&)>& visit) const;

  // ---- what an archive has forgotten ----
  // Removes it from all records, and from the files when this returns: URLs, their targets, what
  // was learned from them, hosts. Numbers and budgets stay; url(number).url is empty. Nothing may
  // be in flight. Returns the number of records that changed.
  std::uint64_t forget(const std::function<bool(const Url&)>& is_forgotten, Moment now);
  // A URL that turns out to be forgotten. The files may contain it until sweep().
  void forget(UrlNumber number);
  // Rewrites the files if something was forgotten since they were written; also finishes a forget()
  // that was killed. Nothing may be uncommitted.
  void sweep();

  // ---- charges ----
  // Below, a host given as an origin means http on that host.
  // The earliest time at which this origin may be requested, now or later; kNever if a budget is
  // spent, the origin is given up, or its host must first answer. `bytes_max` as in the lease.
  [[nodiscard]] Moment free_at(std::string_view origin, Moment now,
                               std::uint64_t bytes_max = 0) const;
  // Empty, and nothing is charged, unless free_at() is now or past.
  std::optional<ChargeNumber> lease(const LeaseRequest& request, Moment now);
  // Lets the answer cost more, within its bytes_max, once this is committed.
  void grant(ChargeNumber number, std::uint64_t bytes);
  void settle(ChargeNumber number, const Settlement& settlement, Moment now);
  // The latest first, until `visit` returns false.
  void each_charge_backwards(const std::function<bool(const Charge&)>& visit) const;
  [[nodiscard]] std::size_t in_flight() const noexcept;
  [[nodiscard]] const LedgerTotals& totals() const noexcept;
  // Why nothing more can be leased from any host: "the budget of 100 requests is spent"; empty if
  // something can.
  [[nodiscard]] std::string spent(Moment now) const;
  // The earliest time at which the limits of the whole job allow a request: connections, rate,
  // budgets. kNever: not before some answer arrives, or never.
  [[nodiscard]] Moment anybody_at(Moment now) const;
  // Why this origin will no longer be requested in this job; empty if it may be.
  [[nodiscard]] std::string closed(std::string_view origin) const;
  // Gives an origin that was given up another chance; back-off and delays stay.
  void forgive(std::string_view origin);
  // The most bytes that an answer may cost without exceeding the budget.
  [[nodiscard]] std::uint64_t bytes_left() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> requests_left() const noexcept;
  [[nodiscard]] std::optional<Moment> time_left(Moment now) const;
  // The part of totals().bytes that answers in flight may cost and lost ones may have cost. The
  // rest was received.
  [[nodiscard]] std::uint64_t bytes_reserved() const noexcept;
  [[nodiscard]] std::uint64_t bytes_lost() const noexcept;

  // ---- hosts ----
  [[nodiscard]] const Place& host(std::string_view name) const;
  // The origin's Crawl-delay; 0: none. The longest of a host's origins counts.
  void set_crawl_delay(std::string_view origin, Moment delay_ms);
  // Whether lease() must know the address to be polite to it; false: only the host's own delay
  // matters, or the address is known.
  [[nodiscard]] bool wants_address(std::string_view host) const;
  // All addresses that a request may go to, separated by spaces.
  void set_address(std::string_view host, std::string_view addresses);
  [[nodiscard]] std::uint64_t host_count() const noexcept;
  [[nodiscard]] std::optional<RobotsRecord> robots(std::string_view origin) const;
  void set_robots(std::string_view origin, const RobotsRecord& record);

  // ---- what the frontier learned, and the crawl files ----
  void learn(const LearnedPage& page);
  void each_learned(const std::function<bool(const LearnedPage&)>& visit) const;
  void set_warc_mark(std::string_view file, std::uint64_t end, std::uint32_t next_serial);

  // Everything above is durable when this returns.
  void commit(Moment now);

 private:
  struct State;
  explicit Ledger(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace webstrata
