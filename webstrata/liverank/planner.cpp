// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/planners_test.cpp.

#include "webstrata/liverank/planner.h"

#include <cassert>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::uint8_t kNamed = 1;
constexpr std::uint8_t kDead = 2;
constexpr std::uint8_t kLive = 4;

}  // namespace

Verdict Planner::verdict(Node page) const noexcept {
  if ((states_[page] & kLive) != 0) return Verdict::Live;
  return (states_[page] & kDead) != 0 ? Verdict::Dead : Verdict::Undecided;
}

std::vector<Node> Planner::next(std::size_t count) {
  std::vector<Node> batch;
  if (count > 0) propose(count, batch);
  for (const Node page : batch) {
    assert(is_open(page));
    states_[page] |= kNamed;
  }
  return batch;
}

LearnReport Planner::learn(std::span<const Finding> findings) {
  LearnReport report;
  for (const Finding& finding : findings) {
    const Node page = finding.page;
    const Verdict verdict = finding.verdict;
    if (page >= page_count()) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("page {}: there are {} pages", page, page_count()));
    }
    const Verdict before = this->verdict(page);
    states_[page] |= kNamed;
    if (verdict == Verdict::Undecided) {
      ++report.undecided;
    } else if (before != Verdict::Undecided) {
      ++(before == verdict ? report.repeated : report.contradicting);
    } else {
      const bool is_live = verdict == Verdict::Live;
      states_[page] |= is_live ? kLive : kDead;
      decided_.push_back(page);
      live_count_ += is_live ? 1 : 0;
      ++report.learned;
      take_in(page, is_live);
    }
  }
  return report;
}

void Planner::leave_out(std::span<const Node> pages) {
  for (const Node page : pages) states_[page] |= kNamed;
}

}  // namespace webstrata
