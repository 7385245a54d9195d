// SPDX-License-Identifier: Apache-2.0

// The statistics of links as JSON.

#pragma once

#include <string>

#include "webstrata/archive/ask/comparison.h"

namespace webstrata {

// One object with everything; without a newline.
std::string as_json(const Archive& archive, const LinkStatistics& stats);

}  // namespace webstrata
