// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/exploration_test.cpp.

#include "webstrata/liverank/exploration.h"

#include <algorithm>
#include <numeric>

namespace webstrata {
Exploration::Exploration(const Population& pages, std::size_t sample,
                         const ExplorationParameters& parameters)
    : parameters_(parameters),
      keep_(1 - 1 / std::max(parameters.recent_min, parameters.recent_share * pages.size())),
      sample_(sample),
      recent_live_(parameters.first_live),
      recent_tests_(parameters.first_tests) {
  if (pages.levels.empty()) return;
  directories_ = &pages.levels[static_cast<std::size_t>(UrlLevelKind::Directory)];
  const auto& sizes = directories_->sizes;
  by_size_.resize(sizes.size());
  std::iota(by_size_.begin(), by_size_.end(), 0U);
  std::ranges::stable_sort(by_size_, [&](auto a, auto b) { return sizes[a] > sizes[b]; });
  middles_.resize(sizes.size());
  std::vector<std::uint32_t> seen(sizes.size());
  for (Node page = 0; page < pages.size(); ++page) {
    const std::uint32_t directory = directories_->group_of[page];
    if (seen[directory]++ == sizes[directory] / 2) middles_[directory] = page;
  }
  is_known_.resize(sizes.size());
  is_lesson_.resize(pages.size());
}

void Exploration::add(Node page, bool is_live) {
  if (directories_ == nullptr) return;
  const double live = is_live ? 1 : 0;
  ++tests_;
  is_known_[directories_->group_of[page]] = 1;
  if (sample_ > 0) {
    --sample_;
    return;
  }
  if (is_lesson_[page] != 0) {
    ++lessons_;
    lessons_live_ += live;
    return;
  }
  recent_tests_ = keep_ * recent_tests_ + 1;
  recent_live_ = keep_ * recent_live_ + live;
}

std::optional<Node> Exploration::next() {
  if (lessons_ >= parameters_.lessons_free + parameters_.lessons_share * tests_)
    return std::nullopt;
  while (place_ < by_size_.size() && is_known_[by_size_[place_]] != 0) ++place_;
  if (place_ == by_size_.size()) return std::nullopt;
  const std::uint32_t directory = by_size_[place_];
  const double hope = (lessons_live_ + 1) / (lessons_ + 2);
  const double missed = 1 - recent_live_ / recent_tests_;
  const bool is_worth_it = hope * directories_->sizes[directory] * missed > parameters_.price;
  if (missed < 1 - parameters_.recent_max || !is_worth_it) return std::nullopt;
  is_known_[directory] = 1;
  is_lesson_[middles_[directory]] = 1;
  return middles_[directory];
}

}  // namespace webstrata
