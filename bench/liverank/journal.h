// SPDX-License-Identifier: Apache-2.0

// Earlier runs: one JSON line each, one file per pair, so that a long comparison can be stopped and
// resumed another day.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "webstrata/liverank/comparison.h"

namespace webstrata {

class Journal {
 public:
  // Reads the existing lines. Incomplete lines are skipped: a run was interrupted.
  explicit Journal(std::filesystem::path file);

  [[nodiscard]] const CostRun* find(const std::string& label, std::uint64_t seed) const;
  // Until this object is gone; nothing is written.
  void remember(const std::string& label, std::uint64_t seed, const CostRun& run);
  void add(const std::string& label, std::uint64_t seed, const CostRun& run);

 private:
  std::filesystem::path file_;
  std::map<std::pair<std::string, std::uint64_t>, CostRun> runs_;
};

}  // namespace webstrata
