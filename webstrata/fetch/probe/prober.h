// SPDX-License-Identifier: Apache-2.0

// Finds out politely whether pages live: many hosts at once, each at its own pace.
//
//   Prober prober(transport, clock, ledger, {.product = "my-archive"});
//   prober.add("http://www.example.org/a.html");
//   while (!prober.is_done()) {
//     for (const Probed& probed : prober.turn(clock.now() + 1000)) …
//   }
//
// Every request goes through visits.h: robots.txt, delays and budgets hold, and the ledger has it
// before it leaves. verdict.h decides. A page that cannot be reached counts as gone only after
// several checks over days; the ledger remembers them from run to run. Failures count only against
// the server's own origin (scheme, host and port), and a check counts only if that origin was
// contacted.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/probe/page_answer.h"
#include "webstrata/fetch/probe/verdict.h"
#include "webstrata/fetch/visit/visits.h"

namespace webstrata {

// The number of checks, and the time over which they are spread, until an unreachable page counts
// as gone.
struct Confirm {
  unsigned checks = 3;
  Moment period_ms = Moment{3} * 86'400'000;
  friend bool operator==(const Confirm&, const Confirm&) = default;
};
// "3x3d": three checks over three days. Empty if the text is not of that form.
std::optional<Confirm> parse_confirm(std::string_view text);

struct Probed {
  std::string url;
  Judgement judgement;
  std::optional<Moment> again_at = {};  // of the next check, if one is due
  Moment decided = 0;                   // in this run, or in the run that made the request
};

struct ProbeOptions {
  std::string product = {};  // our name in robots.txt
  RequestLimits limits = {.body_bytes_max = 1 << 20};
  JudgeOptions judge = {};
  Confirm confirm = {};
  bool waits = false;                                 // for later checks of unreachable pages
  // HEAD first. GET where a server refuses HEAD (405, 501), and where only the content can tell.
  bool asks_head = false;
  std::function<bool(const Url&)> is_forgotten = {};  // never requested (forgotten.h)
  // Called with every answer to GET for a page (not for a twin or robots.txt), as received.
  std::function<void(const Response&)> on_answer = {};
  // Called before the ledger makes answers and decisions durable: store them first.
  std::function<void(std::span<const Probed> decided)> on_commit = {};
};

class Prober {
 public:
  Prober(Transport& transport, const Clock& clock, Ledger& ledger, ProbeOptions options);

  // A normalised http or https URL. One that was added before is not requested again in this run;
  // one with an outcome in the ledger keeps it.
  void add(const std::string& url);
  // Sends requests, waits until something happens or `until`, and returns what is decided.
  std::vector<Probed> turn(Moment until);
  [[nodiscard]] bool is_done() const noexcept;
  [[nodiscard]] std::size_t open_count() const noexcept { return open_.size(); }
  // No new requests are sent; those in flight finish in further turns.
  void drain() noexcept { is_draining_ = true; }
  [[nodiscard]] std::size_t in_flight() const noexcept { return visits_.in_flight(); }

 private:
  struct OriginLine {
    std::deque<Visit> waiting;
    bool is_busy = false;
  };
  struct Silence {  // the checks without an answer
    unsigned checks = 0;
    Moment first = 0;
    Moment last = 0;
  };

  void take_up(const std::string& url);
  [[nodiscard]] bool is_forgotten(const std::string& url) const;
  void ask(const std::string& url, bool is_twin);
  void take(Visited& visited);
  [[nodiscard]] bool is_refused_head(const Visited& visited) const;
  void take_answer(Visited& visited, const PageAnswer& answer);
  void take_silence(const Visited& visited, const std::string& origin);
  void note(PageAnswer answer);
  void advance(const std::string& url);
  void decide(const std::string& url, Judgement judgement);
  void check_again(Moment now);
  void write_down();
  void give_up_the_rest(const std::string& reason);
  std::optional<Visit> next_visit();
  [[nodiscard]] static Silence silence_in(std::string_view text);
  void keep_silence(std::string_view name, const Silence& silence);
  void move_silences(Moment shift);
  std::optional<Moment> note_silence(const std::string& url, Judgement& judgement);

  const Clock& clock_;
  Ledger& ledger_;
  ProbeOptions options_;
  Visits visits_;
  AnswerReader reader_;
  std::unordered_map<std::string, PageAnswer> answers_;
  std::unordered_map<std::string, std::vector<std::string>> waiting_for_;  // by URL: whose pages
  std::set<std::string> open_;                                             // pages not yet decided
  std::set<std::string> asked_;  // in flight or waiting for their host
  std::set<std::string> twins_;
  std::unordered_set<std::string> bodies_wanted_;  // by GET, whatever asks_head says
  std::unordered_set<std::string> head_refused_;   // origins
  std::unordered_set<std::string> added_;
  std::unordered_map<std::string, OriginLine> lines_;   // by origin
  std::deque<std::string> idle_;                        // origins with something waiting
  std::unordered_map<std::string, PageAnswer> silent_;  // by origin: what every page of it gets
  std::unordered_map<std::string, unsigned> unasked_;   // checks of a page that sent no request
  std::multimap<Moment, std::string> again_;
  std::vector<Probed> decided_;
  std::size_t written_ = 0;  // entries of decided_ passed to on_commit()
  bool is_draining_ = false;
};

}  // namespace webstrata
