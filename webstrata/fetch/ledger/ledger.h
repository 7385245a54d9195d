// The truth about one job: which URLs it knows, what it asked, what that cost, what came of it, and
// when each host may be asked again. On disk in the job's folder (RocksDB), and durable:
//
// - A lease with its charge and its delay is durable before the request leaves: lease(), commit(),
//   then start the request.
// - A crawl file's record is durable before the ledger says done: sync the file, settle(),
// commit().
// - What was in flight at a kill counts as spent, with outcome unknown and at the bytes that it can
//   have cost; open() says so and lets the url wait again, and a second try is a second charge.
// - open() leaves every host alone as if it had answered at that moment, and takes a clock that was
//   set back into account: whatever the clock did meanwhile, nobody is asked too early, and nobody
//   waits for much longer.
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
// Budgets and politeness are kept here and nowhere else: lease() refuses what they forbid. One
// thread.

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
// so they stay when a seed is forgotten, unless its whole host is.
inline constexpr std::string_view kSeedHosts = "seed-hosts";

struct UrlOrigin {
  UrlNumber from = kNoUrl;
  std::uint32_t depth = 0;
  Moment found = 0;
};

struct LeaseRequest {
  ChargeKind kind = ChargeKind::Page;
  UrlNumber url = kNoUrl;  // a page's
  std::string text = {};   // else the URL itself
  std::string host = {};
  std::string origin = {};      // whose failures count; empty: that of http on the host
  std::uint64_t bytes_max = 0;  // what the answer may cost; reserved until settle()
  // What it may cost before grant(): a kill costs no more than that. Empty: bytes_max.
  std::optional<std::uint64_t> bytes_granted = {};
  double score = 0;
  std::string why = {};
};

struct Settlement {
  Outcome outcome = Outcome::Unknown;
  int status = 0;
  std::string target = {};
  std::string evidence = {};
  std::uint64_t bytes = 0;  // received
  HostSign sign = HostSign::Well;
  std::optional<Moment> retry_at = {};  // what Retry-After asks for
  std::string address = {};             // of the server
  std::optional<Moment> again_at = {};  // the URL waits for another try
  bool is_dropped = false;              // the URL is dropped, for the reason in `evidence`
  std::string file = {};                // where the answer lies
  std::uint64_t offset = 0;
};

class Ledger {
 public:
  // In `folder`/ledger. Throws Error(BadInput) if there is one already.
  // `machine` tells a later open() how far the clock was set in between, so that delays, back-off,
  // Retry-After and checks hold in true time. Without one only a clock that was set back is
  // noticed.
  static Ledger create(const std::filesystem::path& folder, Moment now,
                       const MachineStart& machine = {});
  // Throws Error(NotFound), or Error(Io) if another process has it.
  static Ledger open(const std::filesystem::path& folder, Moment now,
                     const MachineStart& machine = {});
  // Goes on if there is a job, and begins it if there is none or a kill came before its first
  // commit.
  static Ledger open_or_create(const std::filesystem::path& folder, Moment now,
                               const MachineStart& machine = {});
  // How far the clock was set since the run before: what was stored then lies so much later now.
  // All that the ledger itself waits for is moved already.
  [[nodiscard]] Moment clock_shift() const noexcept;
  Ledger(Ledger&&) noexcept;
  ~Ledger();

  // What lease() keeps to. Not stored: the job's settings are.
  void set_rules(const PolitenessRules& rules, const Budget& budget);
  [[nodiscard]] const PolitenessRules& rules() const noexcept;
  [[nodiscard]] const Budget& budget() const noexcept;

  // Text that belongs to the job, by name.
  void set_setting(std::string_view name, std::string_view value);
  [[nodiscard]] std::optional<std::string> setting(std::string_view name) const;
  // Those whose name begins so, as they were when the ledger was opened.
  void each_setting(
      std::string_view prefix,
      const std::function<void(std::string_view name, std::string_view value)>& visit) const;

  // ---- URLs ----
  // A URL that waits. Empty if the job knows it already, also as one that was turned away.
  std::optional<UrlNumber> add(std::string_view url, const UrlOrigin& origin);
  // A URL that is turned away at once; remembered with its reason, the first time.
  void turn_away(std::string_view url, const UrlOrigin& origin, std::string_view reason);
  // kNoUrl: known, and turned away.
  [[nodiscard]] std::optional<UrlNumber> find(std::string_view url) const;
  [[nodiscard]] LedgerUrl url(UrlNumber number) const;
  [[nodiscard]] UrlNumber url_count() const noexcept;
  [[nodiscard]] std::uint64_t waiting_count() const noexcept;
  // Urls that were turned away and may come in after all, since the job has other rules now: they
  // wait. Returns their numbers, which are new.
  std::vector<UrlNumber> let_in_again(const std::function<bool(const LedgerUrl&)>& may_come_in);
  // A waiting URL will not be asked.
  void drop(UrlNumber number, std::string_view reason, Moment now);
  // A waiting URL has its outcome without another request; `target` is where it moved in the end.
  void conclude(UrlNumber number, Outcome outcome, std::string_view target,
                std::string_view evidence, Moment now);
  // A URL that is done or dropped waits again.
  void reopen(UrlNumber number, Moment not_before, std::string_view reason);
  void each_url(const std::function<bool(UrlNumber, const LedgerUrl&)>& visit) const;

  // ---- what an archive has forgotten ----
  // Removes it from all records, and from the files when this returns: URLs, where they led, what
  // they taught, hosts. Numbers and budgets stay; url(number).url is empty. Nothing may be in
  // flight. Returns the number of records that changed.
  std::uint64_t forget(const std::function<bool(const Url&)>& is_forgotten, Moment now);
  // A URL that turns out to be forgotten. The files may hold it until sweep().
  void forget(UrlNumber number);
  // Rewrites the files if something was forgotten since they were written; a forget() that was
  // killed is finished by the next. Nothing may be uncommitted.
  void sweep();

  // ---- charges ----
  // Below, a host in place of an origin stands for http on that host.
  // The first moment at which this origin may be asked, now or later; kNever if a budget is spent,
  // the origin is given up, or its host must first answer. `bytes_max` as in the lease.
  [[nodiscard]] Moment free_at(std::string_view origin, Moment now,
                               std::uint64_t bytes_max = 0) const;
  // Empty, and nothing is charged, unless free_at() is now or past.
  std::optional<ChargeNumber> lease(const LeaseRequest& request, Moment now);
  // The answer may cost more, within its bytes_max, once this is committed.
  void grant(ChargeNumber number, std::uint64_t bytes);
  void settle(ChargeNumber number, const Settlement& settlement, Moment now);
  // The last first; until `visit` says false.
  void each_charge_backwards(const std::function<bool(const Charge&)>& visit) const;
  [[nodiscard]] std::size_t in_flight() const noexcept;
  [[nodiscard]] const LedgerTotals& totals() const noexcept;
  // Why nothing more can be leased from anybody: "the budget of 100 requests is spent"; empty if
  // something can.
  [[nodiscard]] std::string spent(Moment now) const;
  // The first moment at which anybody may be asked, as far as the whole job goes: connections,
  // rate, budgets. kNever: not before some answer comes, or never.
  [[nodiscard]] Moment anybody_at(Moment now) const;
  // Why this origin will not be asked any more in this job; empty if it may be.
  [[nodiscard]] std::string closed(std::string_view origin) const;
  // An origin that was given up gets another chance; back-off and delays stay.
  void forgive(std::string_view origin);
  // Bytes that an answer may cost at most without breaking the budget.
  [[nodiscard]] std::uint64_t bytes_left() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> requests_left() const noexcept;
  [[nodiscard]] std::optional<Moment> time_left(Moment now) const;
  // Of totals().bytes, what answers in flight may cost, and what lost ones can have cost at most.
  // The rest was received.
  [[nodiscard]] std::uint64_t bytes_reserved() const noexcept;
  [[nodiscard]] std::uint64_t bytes_lost() const noexcept;

  // ---- hosts ----
  [[nodiscard]] const Place& host(std::string_view name) const;
  // What the origin's robots.txt asks for; 0: nothing. The longest of a host's origins counts.
  void set_crawl_delay(std::string_view origin, Moment delay_ms);
  // What lease() must know to be polite to addresses; false: none but the host's own delay matters,
  // or it is known.
  [[nodiscard]] bool wants_address(std::string_view host) const;
  // All that a request may go to, with spaces between.
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
