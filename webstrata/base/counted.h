// SPDX-License-Identifier: Apache-2.0

// A count with its noun, singular or plural.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

// counted(1, "hub", "hubs") is "1 hub", counted(2, "hub", "hubs") is "2 hubs".
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count).append(" ").append(count == 1 ? one : many);
}

}  // namespace webstrata
