// SPDX-License-Identifier: Apache-2.0

// What is known about a page before anything is tested, cut into bins for a learner.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "webstrata/liverank/lore_parameters.h"
#include "webstrata/liverank/population.h"

namespace webstrata {

// A feature in at most eight bins of about equal size, and one more for pages for which it is
// unknown. Features that are the same for all pages are left out.
class PageFeatures {
 public:
  explicit PageFeatures(const Population& pages, std::size_t bins = LoreParameters{}.bins);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t feature) const { return names_[feature]; }
  [[nodiscard]] const std::vector<std::uint8_t>& bin_counts() const noexcept { return bin_counts_; }
  // The bins of a page, one for each feature.
  [[nodiscard]] const std::uint8_t* bins(Node page) const noexcept {
    return bins_.data() + std::size_t{page} * names_.size();
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::uint8_t> bin_counts_;
  std::vector<std::uint8_t> bins_;
};

}  // namespace webstrata
