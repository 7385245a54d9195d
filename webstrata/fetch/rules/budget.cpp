// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/budget_test.cpp.

#include "webstrata/fetch/rules/budget.h"

namespace webstrata {

void RateWindow::note(Moment moment) {
  if (!rate_) return;
  last_.push_back(moment);
  while (last_.size() > rate_->count) last_.pop_front();
}

Moment RateWindow::free_at() const noexcept {
  if (!rate_ || last_.size() < rate_->count) return INT64_MIN / 2;
  return last_.front() + rate_->period_ms + 1;
}

}  // namespace webstrata
