// SPDX-License-Identifier: Apache-2.0

// What every ranking requires of its input vectors.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace webstrata {

// Each throws Error(BadInput) with a message that begins with `name`.
void check_size(std::string_view name, std::size_t size, std::size_t wanted, std::string_view of);
// Finite and not negative.
void check_values(std::string_view name, std::span<const double> values);
// Not empty, not negative, with sum 1 within 1e-6.
void check_distribution(std::string_view name, std::span<const double> values);

}  // namespace webstrata
