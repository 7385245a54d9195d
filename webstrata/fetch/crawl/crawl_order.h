// SPDX-License-Identifier: Apache-2.0

// Which page is requested next: the frontier's order.
//
// `found` requests pages in the order in which they were found and needs no memory. Every other
// name is an estimator of the room explore, which learns from each page that arrives, as in the
// simulator.

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
  std::uint64_t budget = 1000;  // expected number of pages of the crawl
};

class CrawlOrder {
 public:
  virtual ~CrawlOrder() = default;

  struct Choice {
    UrlNumber url = kNoUrl;
    double score = 0;      // the estimate that made it the best; 0 without an estimator
    std::string why = {};  // "found", "bf", "extra: cash"
  };
  virtual void begin(std::span<const UrlNumber> seeds) = 0;
  // Also for a URL without links to it; known ones may be added again.
  virtual void discover(UrlNumber url) = 0;
  // Removes and returns the best page; empty if there is none now.
  virtual std::optional<Choice> next() = 0;
  // The page arrived, with its score and links.
  virtual void learn(const LearnedPage& page) = 0;
  // Whether learn() uses links; otherwise the ledger need not keep them.
  [[nodiscard]] virtual bool wants_links() const = 0;
  // The page will not arrive.
  virtual void fail(UrlNumber url) = 0;
};

// `ledger` must outlive the order. Throws Error(BadInput) that lists the names.
std::unique_ptr<CrawlOrder> make_crawl_order(const CrawlOrderOptions& options,
                                             const Ledger& ledger);

}  // namespace webstrata
