// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/service_test.cpp.

#include "webstrata/serve/metrics.h"

#include <algorithm>

#include <fmt/format.h>

namespace webstrata::serve {

Metrics::Metrics(std::size_t route_count) {
  for (std::size_t i = 0; i <= route_count; ++i) rows_.push_back(std::make_unique<Row>());
}

void Metrics::count(std::size_t route, int status, double seconds, std::uint64_t bytes) noexcept {
  Row& row = *rows_[std::min(route, rows_.size() - 1)];
  const auto status_class = static_cast<std::size_t>(std::clamp(status / 100, 0, 5));
  row.by_class[status_class].fetch_add(1, std::memory_order_relaxed);
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
  row.by_time[static_cast<std::size_t>(bound - kBounds.begin())].fetch_add(
      1, std::memory_order_relaxed);
  row.microseconds.fetch_add(static_cast<std::uint64_t>(seconds * 1e6), std::memory_order_relaxed);
  row.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

std::string Metrics::text(const std::vector<std::string>& names) const {
  std::string out =
      "# HELP webstrata_requests_total Requests by route and class of status.\n"
      "# TYPE webstrata_requests_total counter\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (std::size_t k = 1; k < rows_[i]->by_class.size(); ++k) {
      const std::uint64_t count = rows_[i]->by_class[k];
      if (count == 0) continue;
      out += fmt::format("webstrata_requests_total{{route=\"{}\",status=\"{}xx\"}} {}\n", names[i],
                         k, count);
    }
  }
  out +=
      "# HELP webstrata_response_bytes_total Bytes of bodies sent.\n"
      "# TYPE webstrata_response_bytes_total counter\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    out += fmt::format("webstrata_response_bytes_total{{route=\"{}\"}} {}\n", names[i],
                       rows_[i]->bytes.load());
  }
  out +=
      "# HELP webstrata_request_seconds Time from a request to the end of its answer.\n"
      "# TYPE webstrata_request_seconds histogram\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k <= kBounds.size(); ++k) {
      sum += rows_[i]->by_time[k];
      const std::string bound = k < kBounds.size() ? fmt::format("{}", kBounds[k]) : "+Inf";
      out += fmt::format("webstrata_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n",
                         names[i], bound, sum);
    }
    out += fmt::format("webstrata_request_seconds_sum{{route=\"{}\"}} {}\n", names[i],
                       static_cast<double>(rows_[i]->microseconds.load()) / 1e6);
    out += fmt::format("webstrata_request_seconds_count{{route=\"{}\"}} {}\n", names[i], sum);
  }
  out += fmt::format(
      "# HELP webstrata_connections Open connections.\n"
      "# TYPE webstrata_connections gauge\nwebstrata_connections {}\n",
      connections_.load());
  return out;
}

}  // namespace webstrata::serve
