// SPDX-License-Identifier: Apache-2.0

// Names as clients send them. Private to frontier*.cpp.

#pragma once

#include <string>

namespace webstrata::frontier {

// DEFAULT for a name that is blank.
std::string crawl_name(const std::string& crawl);

}  // namespace webstrata::frontier
