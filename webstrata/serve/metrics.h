// SPDX-License-Identifier: Apache-2.0

// Counters of a server, in the text format of Prometheus.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace webstrata::serve {

// Threads may count at the same time.
class Metrics {
 public:
  // One row for each route, and one for everything else.
  explicit Metrics(std::size_t route_count);

  void count(std::size_t route, int status, double seconds, std::uint64_t bytes) noexcept;
  void change_connections(int change) noexcept { connections_ += change; }

  // `names` are those of the routes, with one for the rest.
  [[nodiscard]] std::string text(const std::vector<std::string>& names) const;

 private:
  static constexpr std::array<double, 9> kBounds = {0.0005, 0.001, 0.005, 0.01, 0.05,
                                                    0.1,    0.5,   1,     10};
  struct Row {
    std::array<std::atomic<std::uint64_t>, 6> by_class = {};  // 2xx is [2]
    std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> by_time = {};
    std::atomic<std::uint64_t> microseconds = 0;
    std::atomic<std::uint64_t> bytes = 0;
  };

  std::vector<std::unique_ptr<Row>> rows_;
  std::atomic<std::int64_t> connections_ = 0;
};

}  // namespace webstrata::serve
