// SPDX-License-Identifier: Apache-2.0

// Requests pages politely: one request at a time per host, after its delay, within the origin's
// robots.txt and the job's budgets, and every request is in the ledger before it leaves. An origin
// (scheme, host and port) that fails or must wait does not delay other origins of its host.
//
//   Visits visits(transport, clock, ledger, {.product = "my-archive"});
//   while (…) {
//     for (Visited& visited : visits.turn(clock.now() + 1000, next)) {
//       … look at visited.response, write it down …
//       ledger.settle(*visited.charge, {…}, clock.now());   // if it was answered
//     }
//   }
//
// The caller decides the order: `next` is called only when a request could be sent now and no page
// in hand may be requested. A page whose host must wait is set aside.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/visit/robots_book.h"
#include "webstrata/fetch/wire/clock.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

struct Visit {
  UrlNumber url = kNoUrl;
  std::string href = {};
  double score = 0;
  std::string why = {};
  bool is_head = false;  // HEAD instead of GET
};

enum class VisitEnd : std::uint8_t {
  Answered,    // `response` says how; `charge` is to be settled
  Disallowed,  // by robots.txt; no request was sent
  Closed,      // the origin will no longer be requested; no request was sent
  Forgotten,   // is_forbidden is true by now; no request was sent
  Silent,      // its robots.txt could not be read; `response` is the answer to that
};

struct Visited {
  Visit visit;
  VisitEnd end = VisitEnd::Answered;
  std::optional<ChargeNumber> charge = {};
  Response response = {};
  std::string reason = {};  // unless answered
  std::string silent = {};  // the origin that did not serve the robots.txt: another one if it moved
};

struct VisitOptions {
  std::string product;  // our name in robots.txt
  RequestLimits limits = {};
  std::size_t aside_max = 10'000;  // pages in hand whose hosts must wait
  // What must not be requested, not even for a robots.txt that moved there.
  std::function<bool(const Url&)> is_forbidden = {};
  // While a robots.txt cannot be read nothing is allowed. true: its pages wait, and it is requested
  // again; false: they end as Silent at once.
  bool waits_for_robots = true;
  // Called with every answer to a request for a robots.txt before it is settled. `asker` is a page
  // that waits for it, or kNoUrl. It may set where the answer is stored, and must make that durable
  // before the ledger is committed, which the next turn() does.
  std::function<void(const Response&, UrlNumber asker, Settlement&)> on_robots = {};
};

class Visits {
 public:
  Visits(Transport& transport, const Clock& clock, Ledger& ledger, VisitOptions options);

  // The next page to request; empty if there is none at present. The page must be waiting in the
  // ledger.
  using Next = std::function<std::optional<Visit>()>;
  // Commits the ledger, starts what may be started, waits until something happens or `until`, and
  // returns what ended. Without `next` no new requests are sent: those in flight finish.
  std::vector<Visited> turn(Moment until, const Next& next);

  [[nodiscard]] std::size_t in_flight() const noexcept { return under_way_.size(); }
  // Pages in hand that were not requested yet.
  [[nodiscard]] std::size_t aside() const noexcept { return aside_; }
  [[nodiscard]] std::size_t hosts_waiting() const noexcept { return queues_.size(); }
  // Pages that were refused because matching robots.txt takes too long (robots.h).
  [[nodiscard]] std::uint64_t robots_capped() const noexcept { return robots_capped_; }
  // Origins that were not contacted, because their addresses are private.
  [[nodiscard]] std::uint64_t origins_refused() const noexcept { return origins_refused_; }
  // What robots.txt of the URL's host says, if that is known.
  [[nodiscard]] const RobotsRules* rules_of(const Url& url);

 private:
  struct InHand {
    Visit visit = {};
    std::uint64_t order = 0;
    std::string origin = {};
    std::string path = {};  // with the query
  };
  // What waits for an origin. Its pages are requested once its robots.txt is known.
  struct OriginLine {
    std::deque<RobotsErrand> errands;  // to this origin; whose robots.txt it is may differ
    std::deque<InHand> visits;
    [[nodiscard]] bool empty() const noexcept { return errands.empty() && visits.empty(); }
    [[nodiscard]] std::uint64_t order() const noexcept {
      return visits.empty() ? 0 : visits.front().order;
    }
  };
  struct HostQueue {
    std::map<std::string, OriginLine> lines;  // by origin
    enum class At : std::uint8_t { Nowhere, Ready, Sleeping, Blocked, Asked } at = At::Nowhere;
    std::uint64_t order = 0;  // under which it is ready
    Moment wakes = 0;
  };
  struct UnderWay {
    std::string host = {};
    std::string origin = {};
    ChargeNumber charge = 0;
    std::optional<RobotsErrand> errand = {};
    Visit visit = {};
    RequestLimits limits = {};
    std::uint64_t body_granted = 0;
  };
  struct Start {
    Request request;
    UnderWay under_way;
  };

  void take_in_hand(Visit visit);
  void place(const std::string& host);
  void leave(HostQueue& queue, const std::string& host);
  void wake(Moment now);
  [[nodiscard]] Moment wakes_at(Moment now) const;
  void unblock();
  bool learn_address(const std::string& host);
  // The earliest time for the next step of this line; kNever: not before some answer arrives.
  [[nodiscard]] Moment free_at(const std::string& origin, const OriginLine& line, Moment now) const;
  // The origin of the host that is requested next; empty if none may be now.
  [[nodiscard]] std::string next_origin(const HostQueue& queue, Moment now) const;
  std::vector<std::pair<RequestId, std::uint64_t>> grants();
  bool start_one(const std::string& host, std::vector<Start>& starts, std::vector<Visited>& ended);
  bool start_first(OriginLine& line, const std::string& origin, std::vector<Start>& starts,
                   std::vector<Visited>& ended);
  bool lease(const std::string& origin, LeaseRequest request, UnderWay under_way,
             std::vector<Start>& starts);
  [[nodiscard]] bool is_forbidden(const std::string& href) const;
  void close(const std::string& origin, const std::string& reason, std::vector<Visited>& ended);
  // A page in hand of this origin; kNoUrl if there is none.
  [[nodiscard]] UrlNumber waiting_for(const std::string& origin) const;
  // False: nothing is known now.
  bool take_robots(const UnderWay& under_way, const Response& response);
  void end_silent(const RobotsErrand& errand, const Response& response,
                  std::vector<Visited>& ended);
  void choose(const Next& next, std::vector<Start>& starts, std::vector<Visited>& ended);

  Transport& transport_;
  const Clock& clock_;
  Ledger& ledger_;
  VisitOptions options_;
  RobotsBook robots_;
  std::unordered_map<std::string, HostQueue> queues_;
  std::set<std::pair<std::uint64_t, std::string>> ready_;  // by the order of their first page
  std::set<std::pair<Moment, std::string>> sleeping_;
  std::vector<std::string> blocked_;  // until some answer comes
  std::unordered_map<RequestId, UnderWay> under_way_;
  std::set<std::string> origins_fetching_;
  std::uint64_t next_order_ = 0;
  std::size_t addresses_coming_ = 0;
  std::size_t aside_ = 0;
  std::uint64_t robots_capped_ = 0;
  std::uint64_t origins_refused_ = 0;
};

}  // namespace webstrata
