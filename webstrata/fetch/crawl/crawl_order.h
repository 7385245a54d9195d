// Who is asked next: the frontier's order.
//
// `found` asks pages in the order in which they were found and needs no memory for it. Every other
// name is an estimator of the room explore, which learns from each page that comes; the objects are
// the ones that the simulator drives.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "webstrata/fetch/ledger/ledger.h"

namespace webstrata {

struct CrawlOrderOptions {
  std::string name = "found";
  std::uint64_t seed = 1;
  std::uint64_t budget = 1000;  // pages that the crawl will see, as far as known
};

class CrawlOrder {
 public:
  virtual ~CrawlOrder() = default;

  struct Choice {
    UrlNumber url = kNoUrl;
    double score = 0;      // the estimate that made it the best; 0 where nobody estimates
    std::string why = {};  // "found", "bf", "extra: cash"
  };
  virtual void begin(std::span<const UrlNumber> seeds) = 0;
  // A URL that nothing linked to waits too; known ones may be named again.
  virtual void discover(UrlNumber url) = 0;
  // The best that is left, which is taken; empty if there is none now.
  virtual std::optional<Choice> next() = 0;
  // The page came, with its score and links.
  virtual void learn(const LearnedPage& page) = 0;
  // Whether learn() looks at links; else the ledger need not keep them.
  [[nodiscard]] virtual bool wants_links() const = 0;
  // It will not come.
  virtual void fail(UrlNumber url) = 0;
};

// `ledger` must outlive the order. Throws Error(BadInput) with the names there are.
std::unique_ptr<CrawlOrder> make_crawl_order(const CrawlOrderOptions& options,
                                             const Ledger& ledger);

}  // namespace webstrata
