// SPDX-License-Identifier: Apache-2.0

// CMakeLists.txt of the top folder states the version, and passes it to this file.
// Tested by tests/house/version_test.py.

#include "webstrata/base/version.h"

#ifndef WEBSTRATA_VERSION
#define WEBSTRATA_VERSION "unknown"
#endif

namespace webstrata {

std::string_view version() noexcept { return WEBSTRATA_VERSION; }
std::string_view software() noexcept { return "webstrata/" WEBSTRATA_VERSION; }

}  // namespace webstrata
