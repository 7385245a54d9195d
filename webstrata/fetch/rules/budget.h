// SPDX-License-Identifier: Apache-2.0

// What a job may spend. Every request counts, including those for robots.txt, those that fail, and
// those whose answer was lost in a kill.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "webstrata/base/duration.h"
#include "webstrata/fetch/wire/clock.h"

namespace webstrata {

// With fewer bytes left than this no request is sent: they might not suffice for the head of an
// answer.
inline constexpr std::uint64_t kAnswerBytesMin = 4096;

struct Budget {
  std::optional<std::uint64_t> requests = {};
  std::optional<std::uint64_t> bytes = {};          // received, heads included
  std::optional<std::uint64_t> host_requests = {};  // to one host
  std::optional<Moment> time_ms = {};               // during which the job runs
  std::optional<Rate> rate = {};
  friend bool operator==(const Budget&, const Budget&) = default;
};

// The requests of the last period, so that no period ever contains too many.
class RateWindow {
 public:
  void set(std::optional<Rate> rate) { rate_ = rate; }
  [[nodiscard]] std::optional<Rate> rate() const noexcept { return rate_; }
  void note(Moment moment);
  // The earliest time at which one more request is within the rate.
  [[nodiscard]] Moment free_at() const noexcept;

 private:
  std::optional<Rate> rate_;
  std::deque<Moment> last_;  // at most rate_->count
};

}  // namespace webstrata
