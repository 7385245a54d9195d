// SPDX-License-Identifier: Apache-2.0

// The counters over HTTP, for Prometheus: GET /metrics. Private to module_*.cpp.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace webstrata::frontier {

class MetricsServer {
 public:
  // Binds the address. Throws Error(Io).
  MetricsServer(const std::string& address, std::uint16_t port, std::function<std::string()> text);
  ~MetricsServer();  // stops

  [[nodiscard]] std::uint16_t port() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace webstrata::frontier
