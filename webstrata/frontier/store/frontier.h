// SPDX-License-Identifier: Apache-2.0

// A frontier: which URLs crawlers should fetch next. Crawlers put URLs that they discovered, take
// URLs that may be fetched now, and put them back with what became of them.
//
//   Frontier frontier(job / "frontier");
//   frontier.put({.info = {.url = "https://example.org/"}});
//   TakeRun run{.max_urls_per_queue = 1};
//   std::vector<UrlInfo> urls;
//   while (frontier.take(run, urls)) fetch(urls);   // leased for 30 s
//   frontier.put({.info = urls[0], .is_known = true});  // done for ever
//
// URLs are in queues (by default one per host), and queues in crawls, which know nothing of each
// other. A queue rests after each serving (set_delay), may be blocked until a time, and ends when
// as many URLs as its limit says are done. Inside a queue the order is score, date, arrival.
//
// Everything is on disk (docs/decisions/027-frontier.md) and survives the end of the process at any
// instant; in memory there is a record per queue. Threads may share a frontier.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/frontier/store/frontier_store.h"
#include "webstrata/frontier/store/group_sync.h"
#include "webstrata/frontier/store/queue_table.h"
#include "webstrata/frontier/store/records.h"

namespace webstrata::frontier {

inline constexpr std::string_view kDefaultCrawl = "DEFAULT";

struct UrlInfo {
  std::string url;
  std::string key = {};    // of the queue; empty: the host
  std::string crawl = {};  // empty: DEFAULT
  Metadata metadata = {};
};

struct PutItem {
  UrlInfo info;
  bool is_known = false;               // false: discovered, and ignored if it is known already
  std::uint64_t refetchable_from = 0;  // of a known URL, in seconds since 1970; 0: done for ever
  std::uint64_t created = 0;           // in seconds since 1970; 0: now
};

enum class Ack : std::uint8_t {
  Ok,
  Skipped,  // known already, or not fit to be stored; sending it again has no effect
  Fail,     // not stored
};

// A request for URLs, in progress: take() continues it.
struct TakeRun {
  std::uint32_t max_urls_per_queue = 0;   // 0: no limit
  std::uint32_t max_queues = 0;           // 0: no limit
  std::string key = {};                   // empty: all queues
  std::uint32_t lease_seconds = 0;        // 0: 30
  std::optional<std::string> crawl = {};  // none: any

  // How far it is.
  std::uint64_t number = 0;
  std::uint64_t queues_served = 0;
  QueueId current = 0;  // being served
  std::uint32_t left = 0;
  bool has_ended = false;
};

struct KnownUrl {
  UrlInfo info;
  std::uint64_t refetchable_from = 0;
  std::uint64_t created = 0;
};

struct FrontierStats {
  std::string crawl;
  std::uint64_t size = 0;  // URLs that are not done
  std::uint64_t in_process = 0;
  std::uint64_t completed = 0;
  std::uint64_t queues = 0;
  std::uint64_t active_queues = 0;
};

struct QueuePage {
  std::vector<std::string> keys;
  std::uint64_t total = 0;  // queues that match
  std::string crawl;
};

// Which URLs of a crawl: of one queue or all, those whose text contains `filter`.
struct UrlChoice {
  std::string key = {};
  std::string crawl = {};
  std::string filter = {};
  bool ignores_case = false;
};

// How the URLs of a queue are ordered. Called with the frontier locked.
class Order {
 public:
  virtual ~Order() = default;
  // Larger ones come first.
  [[nodiscard]] virtual std::uint32_t score(std::string_view url) = 0;
  // Never handed out.
  [[nodiscard]] virtual bool is_forgotten(std::string_view url) = 0;
  // Whether a URL lives, by what a client wrote about fetching it; empty if that is not known.
  [[nodiscard]] virtual std::optional<bool> outcome_of(const Metadata& metadata) = 0;
  // Appends the URLs whose scores changed, a bounded number.
  virtual void learn(std::string_view url, bool lives, std::vector<std::string>& changed) = 0;
};

struct FrontierLimits {
  std::size_t key_bytes_max = 255;
  std::size_t url_bytes_max = 65535;
  std::size_t metadata_bytes_max = std::size_t{64} << 10;  // of a URL
  std::size_t queues_max = 1'000'000;
};

struct FrontierOptions {
  FrontierLimits limits = {};
  std::function<std::uint64_t()> now_ms = {};  // empty: the clock of the system
  Order* order = nullptr;                      // none: date, arrival
};

class FrontierChange;  // frontier_change.h

class Frontier {
 public:
  // Creates the folder if there is none. Throws Error(Io) if another process has it.
  explicit Frontier(const std::filesystem::path& folder, FrontierOptions options = {});

  // --- URLs
  Ack put(const PutItem& item);
  // Fills `urls` with the next URLs of a run, at most kTakeMax, and leases them. False: no more.
  static constexpr std::size_t kTakeMax = 1000;
  bool take(TakeRun& run, std::vector<UrlInfo>& urls);
  std::optional<KnownUrl> status(const std::string& url, const std::string& key,
                                 const std::string& crawl);
  // Calls `visit` with the URLs of a choice, queue by queue, until it returns false.
  using VisitUrl = std::function<bool(const KnownUrl& url)>;
  void list(const UrlChoice& choice, const VisitUrl& visit);
  std::uint64_t count(const UrlChoice& choice);
  // Removes the URLs that were created more than `days` days ago. Returns their number.
  std::uint64_t purge(const std::string& key, const std::string& crawl, std::uint32_t days);

  // --- Queues and crawls. Those without a queue of this name do nothing and return false.
  bool block(const std::string& key, const std::string& crawl, std::uint64_t until);
  bool set_delay(const std::string& key, const std::string& crawl, std::uint32_t seconds);
  void set_default_delay(std::uint32_t seconds);
  bool set_limit(const std::string& key, const std::string& crawl, std::uint32_t limit);
  // Return the number of URLs removed.
  std::uint64_t remove_queue(const std::string& key, const std::string& crawl);
  std::uint64_t remove_crawl(const std::string& crawl);
  std::vector<std::string> crawls();
  QueuePage queues(const std::string& crawl, std::uint64_t start, std::uint64_t size,
                   bool includes_inactive);
  FrontierStats stats(const std::string& key, const std::string& crawl);
  FrontierStats totals();  // of all crawls

  // --- The whole. take() returns nothing while it is inactive.
  void set_active(bool is_active);
  bool is_active();

  // What was done before this is on the disk, and survives the end of power.
  GroupSync& durable() noexcept { return durable_; }

 private:
  friend class FrontierChange;
  using Lock = std::scoped_lock<std::mutex>;

  void load();
  std::uint64_t next_number();
  void sweep(std::uint64_t now);
  Queue* next_queue(TakeRun& run, std::uint64_t now);
  Queue* queue_by_key(TakeRun& run, std::uint64_t now);
  struct ReadyUrl {
    std::string url;
    UrlRecord record;
    std::uint32_t score = 0;  // as it is now
  };
  std::vector<ReadyUrl> first_ready(Queue& queue, std::size_t count);
  void serve(Queue& queue, TakeRun& run, std::uint64_t now, std::vector<UrlInfo>& urls);
  std::vector<QueueId> queues_of(const UrlChoice& choice);
  std::uint64_t remove_locked(Queue& queue);
  void learn(std::string_view url, const Metadata& metadata, FrontierChange& change,
             std::vector<std::string>& changed);
  void score_again(const std::vector<std::string>& urls, const std::string& crawl);
  void write(Changes& changes);
  void put_setting(std::string_view name, std::uint64_t value);
  [[nodiscard]] std::uint64_t setting(std::string_view name, std::uint64_t otherwise) const;

  FrontierOptions options_;
  FrontierStore store_;
  GroupSync durable_;
  std::mutex mutex_;
  QueueTable table_;
  std::uint64_t swept_until_ = 0;  // there are no timers up to this time
  std::uint64_t next_number_ = 1;
  std::uint64_t numbers_end_ = 1;
  bool is_active_ = true;
};

// The key of the queue of a URL that has none: its host; empty if it has none.
std::string host_of(std::string_view url);

}  // namespace webstrata::frontier
