// SPDX-License-Identifier: Apache-2.0

// Finds a column of scores of an open archive.

#pragma once

#include <string_view>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/disk/column_files.h"

namespace webstrata {

// Where a column is: as of opening the archive, or as saved or replaced since. Throws
// Error(NotFound) that lists the existing columns. `what` is for the message.
LayerFile find_column(const Archive& archive, ColumnFiles Manifest::*columns, std::string_view name,
                      std::string_view what);

}  // namespace webstrata
