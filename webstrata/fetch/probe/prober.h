// Whether pages live, found out politely: many hosts at once, each in its own time.
//
//   Prober prober(transport, clock, ledger, {.product = "my-archive"});
//   prober.add("http://www.example.org/a.html");
//   while (!prober.is_done()) {
//     for (const Probed& probed : prober.turn(clock.now() + 1000)) …
//   }
//
// Every request goes through visits.h: robots.txt, delays and budgets hold, and the ledger has it
// before it leaves. verdict.h decides. A page that cannot be reached counts as gone only after
// several checks over days; the ledger remembers them from run to run. What a server does not do is
// held against its own origin (scheme, host and port) and no other, and a check counts only if that
// origin was asked.

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

// So many checks, spread over so long, until silence counts as a death.
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
  std::optional<Moment> again_at = {};  // of the next check, where one is due
  Moment decided = 0;                   // in this run, or in the run that asked
};

struct ProbeOptions {
  std::string product = {};  // what robots.txt calls us
  RequestLimits limits = {.body_bytes_max = 1 << 20};
  JudgeOptions judge = {};
  Confirm confirm = {};
  bool waits = false;  // for the checks of unreachable pages that are due later
  std::function<bool(const Url&)> is_forgotten = {};  // never asked (forgotten.h)
  // Every answer to a page (not to a twin, not to robots.txt), as it came.
  std::function<void(const Response&)> on_answer = {};
  // The ledger is about to know for good what was answered and decided: write that down first.
  std::function<void(std::span<const Probed> decided)> on_commit = {};
};

class Prober {
 public:
  Prober(Transport& transport, const Clock& clock, Ledger& ledger, ProbeOptions options);

  // A normalised http or https URL. One that was added before is not asked again in this run; one
  // that the ledger has an outcome for keeps that.
  void add(const std::string& url);
  // Asks, waits until something happens or `until`, and hands over what is decided.
  std::vector<Probed> turn(Moment until);
  [[nodiscard]] bool is_done() const noexcept;
  [[nodiscard]] std::size_t open_count() const noexcept { return open_.size(); }
  // Nothing new leaves; what is under way comes home in further turns.
  void drain() noexcept { is_draining_ = true; }
  [[nodiscard]] std::size_t in_flight() const noexcept { return visits_.in_flight(); }

 private:
  struct OriginLine {
    std::deque<Visit> waiting;
    bool is_busy = false;
  };
  struct Silence {  // the checks that found nobody
    unsigned checks = 0;
    Moment first = 0;
    Moment last = 0;
  };

  void take_up(const std::string& url);
  [[nodiscard]] bool is_forgotten(const std::string& url) const;
  void ask(const std::string& url, bool is_twin);
  void take(Visited& visited);
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
  std::set<std::string> asked_;  // under way or waiting for their host
  std::set<std::string> twins_;
  std::unordered_set<std::string> added_;
  std::unordered_map<std::string, OriginLine> lines_;   // by origin
  std::deque<std::string> idle_;                        // origins with something waiting
  std::unordered_map<std::string, PageAnswer> silent_;  // by origin: what every page of it gets
  std::unordered_map<std::string, unsigned> unasked_;   // checks of a page that asked nobody
  std::multimap<Moment, std::string> again_;
  std::vector<Probed> decided_;
  std::size_t written_ = 0;  // of decided_: what on_commit() has heard of
  bool is_draining_ = false;
};

}  // namespace webstrata
