// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/exploration_test.cpp.

#include "webstrata/liverank/exploration.h"

#include <algorithm>
#include <numeric>

namespace webstrata {
namespace {

constexpr double kPrice = 2;        // of an exploring test, in live pages
constexpr double kRecentMax = 0.6;  // while more of the tests find live pages, exploration can wait
// r covers about the latest ten tests, more where rounds are large: a round ends worse than it
// began, which does not mean that the model knows too little.
constexpr double kRecentMin = 10;
constexpr double kRecentShare = 0.0025;  // of the pages
// Exploring tests are limited to a number plus a share of all tests: a large web has thousands of
// directories, and most of them say little about others.
constexpr double kLessonsFree = 20;
constexpr double kLessonsShare = 0.005;
constexpr double kTestsBefore = 5;  // that r begins with, nearly all of them live
constexpr double kFirstLive = 4.75;

}  // namespace

Exploration::Exploration(const Population& pages, std::size_t sample)
    : keep_(1 - 1 / std::max(kRecentMin, kRecentShare * pages.size())),
      sample_(sample),
      recent_live_(kFirstLive),
      recent_tests_(kTestsBefore) {
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
  if (lessons_ >= kLessonsFree + kLessonsShare * tests_) return std::nullopt;
  while (place_ < by_size_.size() && is_known_[by_size_[place_]] != 0) ++place_;
  if (place_ == by_size_.size()) return std::nullopt;
  const std::uint32_t directory = by_size_[place_];
  const double hope = (lessons_live_ + 1) / (lessons_ + 2);
  const double missed = 1 - recent_live_ / recent_tests_;
  const bool is_worth_it = hope * directories_->sizes[directory] * missed > kPrice;
  if (missed < 1 - kRecentMax || !is_worth_it) return std::nullopt;
  is_known_[directory] = 1;
  is_lesson_[middles_[directory]] = 1;
  return middles_[directory];
}

}  // namespace webstrata
