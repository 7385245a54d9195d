// SPDX-License-Identifier: Apache-2.0

// The page of web/dist, embedded by CMake; empty if it was not built.

#pragma once

#include <string_view>

namespace webstrata::serve {

extern const std::string_view kAppHtml;
extern const std::string_view kAppScript;
extern const std::string_view kAppStyle;

}  // namespace webstrata::serve
