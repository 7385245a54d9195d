// Tested by tests/fetch/crawl_test.cpp.

#include "webstrata/fetch/crawl_order.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Numbers are given in the order in which urls are found: the next one is one more.
class FoundOrder : public CrawlOrder {
 public:
  explicit FoundOrder(const Ledger& ledger) : ledger_(ledger) {}

  void begin(std::span<const UrlNumber>) override {}
  std::optional<Choice> next() override {
    if (at_ == ledger_.url_count()) return std::nullopt;
    return Choice{at_++, 0};
  }
  void learn(const LearnedPage&) override {}
  [[nodiscard]] bool wants_links() const override { return false; }
  void fail(UrlNumber) override {}

 private:
  const Ledger& ledger_;
  UrlNumber at_ = 0;
};

}  // namespace

std::unique_ptr<CrawlOrder> make_crawl_order(const CrawlOrderOptions& options,
                                             const Ledger& ledger) {
  if (options.name == "found") return std::make_unique<FoundOrder>(ledger);
  throw Error(ErrorKind::BadInput, fmt::format("--by {}: not found", options.name));
}

}  // namespace webstrata
