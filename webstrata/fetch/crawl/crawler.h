// SPDX-License-Identifier: Apache-2.0

// The crawl that runs, for the files that implement crawl.h: crawl.cpp (the loop), crawl_urls.cpp
// (which URLs are let in and asked), crawl_shared.cpp (a plan that crawlers share),
// crawl_answers.cpp, crawl_records.cpp (what is written down) and crawl_sitemaps.cpp.

#pragma once

#include <compare>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "webstrata/capture/http/http_capture.h"
#include "webstrata/fetch/crawl/crawl.h"
#include "webstrata/fetch/crawl/crawl_log.h"
#include "webstrata/fetch/visit/visits.h"

namespace webstrata {

// Tries that kills took; with more, the page itself is suspect.
inline constexpr unsigned kLostMax = 20;

// Why a url that is new should not be asked; Unsaid: it may be.
struct Refusal {
  TurnedAway why = TurnedAway::Unsaid;
  std::string text = {};  // for people
};

// What a robots.txt names, resolved, in its order.
struct NamedSitemaps {
  std::vector<std::string> urls = {};
  std::unordered_set<std::string> known = {};
};

class Crawler {
 public:
  Crawler(Transport& transport, const Clock& clock, Ledger& ledger, const CrawlSettings& settings)
      : clock_(clock),
        ledger_(ledger),
        settings_(settings),
        traps_(settings.traps),
        order_(make_crawl_order(settings.order, ledger)),
        files_(settings.files, clock, ledger),
        visits_(transport, clock, ledger,
                {.product = settings.product,
                 .limits = settings.limits,
                 .is_forbidden = [this](const Url& url) { return is_forgotten(url); },
                 .on_robots =
                     [this](const Response& response, UrlNumber asker, Settlement& settlement) {
                       keep_robots(response, asker, settlement);
                     }}),
        read_options_(read_options(settings)),
        http_(read_options_, report_) {
    if (!settings.log.empty()) log_.emplace(settings.log, ledger);
  }

  CrawlResult run(const CancelToken* cancel, const std::function<void(const CrawlNews&)>& tell);

 private:
  struct Answer {
    ChargeNumber charge = 0;
    double chosen_by = 0;  // the score
    Settlement settlement;
    LearnedPage learned;
    bool is_page = false;  // it taught something
    bool is_forgotten = false;
    // Of its record, for the log.
    std::string mime;
    std::string digest;
    bool is_revisit = false;
  };

  struct Stored {
    std::string digest;  // of the payload
    bool is_revisit = false;
  };

  static ReadOptions read_options(const CrawlSettings& settings);
  void begin();
  void remember();
  void remember_scores();
  void let_in_again();
  void add_seed(const std::string& text);
  std::optional<Visit> next();
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] bool is_forgotten(const Url& url) const;
  [[nodiscard]] bool is_forgotten(const std::string& url) const;
  [[nodiscard]] bool may_be_asked(UrlNumber number, const LedgerUrl& known);
  Refusal refusal(const Url& url, std::uint32_t depth);
  std::optional<UrlNumber> let_in(const Url& url, const UrlOrigin& origin);
  // Reads an answer into capture_ and writes its record: in full, or as a revisit of what the
  // archive has. Nothing if it is not an HTTP response.
  std::optional<Stored> store(const Response& response, const std::string& name, const Url& url,
                              Settlement& settlement);
  // What is known without reading the body.
  [[nodiscard]] Answer settled_answer(const Visited& visited, const LedgerUrl& page) const;
  Answer take(Visited& visited);
  void learn(const Visited& visited, const LedgerUrl& page, const Url& url, Answer& answer);
  void learn_links(const LedgerUrl& page, Answer& answer);
  [[nodiscard]] const NamedSitemaps* sitemaps_of(const Url& asker);
  [[nodiscard]] bool is_named_sitemap(std::string_view asker, const Url& url);
  [[nodiscard]] bool is_own_sitemap(const LedgerUrl& page, const Url& url);
  [[nodiscard]] bool is_sitemap(const LedgerUrl& page, const Url& url, const Response& response);
  void learn_sitemap(const LedgerUrl& page, const Url& url, const Response& response,
                     Answer& answer);
  void let_in_sitemaps(UrlNumber number, const LedgerUrl& page, const Url& url);
  void set_retry(const LedgerUrl& page, const Response& response, Answer& answer) const;
  void settle(Answer& answer);
  void take_all(std::vector<Visited> ended);
  // ---- with a plan that crawlers share (crawl_shared.cpp)
  void hand_over(const Url& url, const UrlOrigin& origin);
  [[nodiscard]] bool was_handed_over(const Url& url);
  void leave_to_others(const std::string& url, std::string reason);
  void report_end(const std::string& url, std::string reason);
  [[nodiscard]] bool may_be_admitted(const SharedPlan::Task& task, const Url& url);
  std::optional<UrlNumber> admitted(const SharedPlan::Task& task);
  std::optional<Visit> next_of_plan();
  void report_answer(const Answer& answer);
  void report_unasked(const Visited& visited);
  void tell_plan();
  [[nodiscard]] std::string plan_end();
  void give_back();
  // ----
  void keep_robots(const Response& response, UrlNumber asker, Settlement& settlement);
  [[nodiscard]] FetchCode code_of(const Visited& visited);
  void log_answer(const Visited& visited, const Answer& answer);
  void log_unasked(UrlNumber number, FetchCode code);
  // Files, then log: the ledger may be committed afterwards.
  void sync();
  [[nodiscard]] CrawlNews news(bool is_draining) const;

  const Clock& clock_;
  Ledger& ledger_;
  const CrawlSettings& settings_;
  Traps traps_;
  std::unique_ptr<CrawlOrder> order_;
  CrawlFiles files_;
  std::optional<CrawlLog> log_;
  Visits visits_;
  Report report_;
  ReadOptions read_options_;
  HttpCapture http_;
  Capture capture_;
  std::vector<double> link_scores_;
  struct Retry {
    Moment at = 0;
    UrlNumber url = kNoUrl;
    double score = 0;  // by which the page was chosen the first time
    friend auto operator<=>(const Retry&, const Retry&) = default;
  };
  std::priority_queue<Retry, std::vector<Retry>, std::greater<>> retries_;
  std::unordered_map<UrlNumber, Retry> remembered_retries_;  // the order would name them once more
  std::unordered_map<std::string, NamedSitemaps> sitemaps_;  // by origin
  std::unordered_set<std::string> origins_mapped_;           // whose sitemaps were let in
  std::deque<SharedPlan::Task> taken_;                       // of the plan, not let in yet
  std::unordered_map<UrlNumber, std::string> in_hand_;       // of the plan, by its names
  std::unordered_set<std::uint64_t> handed_over_;            // hashes of links that the plan knows
  Moment ask_plan_at_ = 0;
  Moment plan_gave_at_ = 0;
  std::uint64_t pages_ = 0;
  std::uint64_t outside_ = 0;
  double harvest_ = 0;
};

}  // namespace webstrata
