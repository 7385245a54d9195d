// SPDX-License-Identifier: Apache-2.0

// Active site first (Cho and Ntoulas 2002): sites by the share of live pages in the sample.
// Sites without a page in the sample come last, or at the sample's own rate; inside a site, and
// among equal sites, the order is random. Dynamic: the shares follow every answer.
// Tested by tests/liverank/dynamic_planners_test.cpp.

#include <memory>

#include "webstrata/liverank/planner_makers.h"
#include "webstrata/liverank/round_planner.h"

namespace webstrata {
namespace {

class AsfPlanner : public RoundPlanner {
 public:
  AsfPlanner(const Population& pages, const PlannerOptions& options)
      : RoundPlanner(pages, sampled(pages, *options.sample, options.seed),
                     tie_values(pages, options.ties.value_or(TieRule::Random), options.seed),
                     round_tests(options.round.value_or(0), pages.size())),
        sites_(sites_of(pages, options.site_directories)),
        unsampled_(options.unsampled_sites),
        live_(sites_.sizes.size()),
        tested_(sites_.sizes.size()) {}

 private:
  void take_in(Node page, bool is_live) override {
    ++tested_[sites_.group_of[page]];
    if (is_live) ++live_[sites_.group_of[page]];
  }
  [[nodiscard]] double unsampled_rate() const {
    if (unsampled_ == UnsampledSites::Last) return -1;
    return decided().empty()
               ? 0
               : static_cast<double>(live_count()) / static_cast<double>(decided().size());
  }
  void score(std::vector<double>& scores) override {
    const double otherwise = unsampled_rate();
    for (Node page = 0; page < scores.size(); ++page) {
      const std::uint32_t site = sites_.group_of[page];
      scores[page] =
          tested_[site] == 0 ? otherwise : static_cast<double>(live_[site]) / tested_[site];
    }
  }

  UrlLevel sites_;
  UnsampledSites unsampled_;
  std::vector<std::uint32_t> live_;
  std::vector<std::uint32_t> tested_;
};

}  // namespace

std::unique_ptr<Planner> make_asf_planner(const Population& pages, const PlannerOptions& options) {
  return std::make_unique<AsfPlanner>(pages, options);
}

}  // namespace webstrata
