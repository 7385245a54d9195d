// SPDX-License-Identifier: Apache-2.0

// Numbers as people read them: "12,345", "1.2 GB", "15 min".

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webstrata {

std::string human_number(std::uint64_t number);
// "12,345 pages"; bytes (unit "B") as "1.2 GB".
std::string human_amount(std::uint64_t amount, std::string_view unit);
// "45 s", "15 min", "3 h 05 min".
std::string human_duration(double seconds);

}  // namespace webstrata
