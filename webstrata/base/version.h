// SPDX-License-Identifier: Apache-2.0

// The version of the program, for files that say what wrote them.

#pragma once

#include <string_view>

namespace webstrata {

// "1.2.3"
std::string_view version() noexcept;
// "webstrata/1.2.3"
std::string_view software() noexcept;

}  // namespace webstrata
