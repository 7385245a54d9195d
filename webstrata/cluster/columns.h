// SPDX-License-Identifier: Apache-2.0

// Columns of a table in the layout of Apache Arrow, for exchange with it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata::cluster {

// Values one after the other, and where each begins; an end for the last.
struct BinaryColumn {
  std::string bytes;
  std::vector<std::int32_t> offsets = {0};

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  void add(std::string_view value) {
    bytes += value;
    offsets.push_back(static_cast<std::int32_t>(bytes.size()));
  }
};

// A batch of a table is passed on before it exceeds about this number of bytes.
inline constexpr std::size_t kBatchBytes = std::size_t{4} << 20;

}  // namespace webstrata::cluster
