// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/crawl_test.cpp, and against the simulator by
// tests/fetch/crawl_miniweb_test.py.

#include "webstrata/fetch/crawl/crawl_order.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "webstrata/explore/explorer.h"
#include "webstrata/explore/url_grouping.h"

namespace webstrata {
namespace {

// Numbers are given in the order in which URLs are found: the next one is one more.
class FoundOrder : public CrawlOrder {
 public:
  explicit FoundOrder(const Ledger& ledger) : ledger_(ledger) {}

  void begin(std::span<const UrlNumber>) override {}
  void discover(UrlNumber) override {}
  std::optional<Choice> next() override {
    if (at_ == ledger_.url_count()) return std::nullopt;
    return Choice{.url = at_++, .why = "found"};
  }
  void learn(const LearnedPage&) override {}
  [[nodiscard]] bool wants_links() const override { return false; }
  void fail(UrlNumber) override {}

 private:
  const Ledger& ledger_;
  UrlNumber at_ = 0;
};

// Nodes of the known graph are the numbers of the URLs.
class ExplorerOrder : public CrawlOrder {
 public:
  ExplorerOrder(const CrawlOrderOptions& options, const Ledger& ledger)
      : ledger_(ledger), name_(options.name), explorer_(name_, explorer_options(options)) {}

  void begin(std::span<const UrlNumber> seeds) override { explorer_.begin(seeds); }
  void discover(UrlNumber url) override { explorer_.discover(url); }
  std::optional<Choice> next() override {
    chosen_.clear();
    if (explorer_.next(1, chosen_) == 0) return std::nullopt;
    const auto& [node, grounds] = chosen_.front();
    return Choice{node, grounds.score,
                  grounds.expert.empty() ? name_ : fmt::format("{}: {}", name_, grounds.expert)};
  }
  void learn(const LearnedPage& page) override {
    links_.clear();
    for (const LearnedLink& link : page.links) links_.push_back({link.target, link.score});
    // In the order of their numbers, like a graph's links, so that the simulator sees the same
    // crawl.
    std::ranges::sort(links_, {}, &KnownLink::target);
    explorer_.crawled(page.url, page.score, links_);
  }
  [[nodiscard]] bool wants_links() const override { return true; }
  void fail(UrlNumber url) override { explorer_.failed(url); }

 private:
  ExplorerOptions explorer_options(const CrawlOrderOptions& options) {
    ExplorerOptions explorer;
    explorer.estimator.seed = options.seed;
    explorer.estimator.budget = options.budget;
    explorer.strategy.seed = options.seed;
    explorer.groups.count = kUrlGroupLevels;
    explorer.groups.of = [this](Node node, std::span<Group> groups) {
      grouping_.groups_of(ledger_.url(node).url, groups);
    };
    return explorer;
  }

  const Ledger& ledger_;
  std::string name_;
  UrlGrouping grouping_;
  Explorer explorer_;
  std::vector<Explorer::Choice> chosen_;
  std::vector<KnownLink> links_;
};

}  // namespace

std::unique_ptr<CrawlOrder> make_crawl_order(const CrawlOrderOptions& options,
                                             const Ledger& ledger) {
  if (options.name == "found") return std::make_unique<FoundOrder>(ledger);
  return std::make_unique<ExplorerOrder>(options, ledger);
}

}  // namespace webstrata
