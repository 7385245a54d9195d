// SPDX-License-Identifier: Apache-2.0

// Script and style of the page, built from web/ and embedded by CMake (docs/decisions/009).

#pragma once

#include <string_view>

namespace webstrata::report {

extern const std::string_view kBundleScript;
extern const std::string_view kBundleStyle;

}  // namespace webstrata::report
