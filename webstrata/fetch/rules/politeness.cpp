// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/politeness_test.cpp.

#include "webstrata/fetch/rules/politeness.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "webstrata/base/text.h"

namespace webstrata {
namespace {

// A week: a longer delay is a mistake, or means "never", and the origin is given up long before.
constexpr Moment kRetryMax = Moment{7} * 24 * 3600 * 1000;

Moment backoff(std::uint32_t failures, const PolitenessRules& rules) {
  const unsigned doublings = std::min(failures > 0 ? failures - 1 : 0, 30U);
  return std::min(rules.backoff_first_ms << doublings, rules.backoff_max_ms);
}

}  // namespace

HostSign host_sign(const Response& response) noexcept {
  if (response.status == 0) {
    const bool never_left = response.failure == Failure::BadUrl ||
                            response.failure == Failure::Cancelled ||
                            response.failure == Failure::AddressRefused;
    return never_left ? HostSign::Nothing : HostSign::Silent;
  }
  const int status = response.status;
  const bool is_overloaded = status == 429 || (status >= 502 && status <= 504);
  return is_overloaded ? HostSign::Overloaded : HostSign::Well;
}

std::optional<Moment> retry_after(const Response& response, Moment now) {
  const std::string_view value = trim(header_value(response, "Retry-After"));
  if (value.empty()) return std::nullopt;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc() && end == value.data() + value.size()) {
    if (seconds < 0) return std::nullopt;
    return now + std::min(seconds, kRetryMax / 1000) * 1000;
  }
  if (error == std::errc::result_out_of_range) return now + kRetryMax;
  const auto date = parse_time(value);
  if (!date) return std::nullopt;
  return std::clamp(*date, now / 1000, (now + kRetryMax) / 1000) * 1000;
}

void note_answer(Place& host, Place& origin, HostSign sign, std::optional<Moment> retry_at,
                 Moment now, const PolitenessRules& rules) {
  host.last_end = std::max(host.last_end, now);
  if (sign == HostSign::Nothing) return;
  if (sign == HostSign::Well) {
    origin.failures = 0;
  } else {
    ++origin.failures;
    Moment& not_before = sign == HostSign::Silent ? origin.not_before : host.not_before;
    not_before = std::max(not_before, now + backoff(origin.failures, rules));
    if (origin.failures >= rules.failures_max) origin.is_given_up = true;
  }
  if (retry_at) host.not_before = std::max(host.not_before, *retry_at);
}

Moment free_at(const Place& place, Moment own_delay_ms) noexcept {
  if (place.is_given_up) return kNever;
  const Moment delay = std::max(own_delay_ms, place.delay_ms);
  const Moment last = std::max(place.last_lease, place.last_end);
  return std::max(delay > 0 ? last + delay + 1 : last, place.not_before);
}

}  // namespace webstrata
