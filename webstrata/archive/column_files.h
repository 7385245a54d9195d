// What the files of columns have in common: scores.h (nodes) and link_scores.h (links).

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/archive/archive.h"
#include "webstrata/archive/layer.h"
#include "webstrata/archive/manifest.h"

namespace webstrata {

// The columns of nodes or those of links, by name.
using ColumnFiles = std::map<std::string, LayerFile>;

// Throws Error(BadInput) unless it is made of 1 to 64 letters, digits, '-' and '_'.
void check_column_name(std::string_view name);

// "scores.pagerank.0": a file name that no column of the generation has had.
std::string free_column_file(const std::filesystem::path& folder, std::string_view stem,
                             std::string_view name);

// Where a column is: as the archive was opened, or saved or replaced since. Throws
// Error(NotFound), naming those that are there. `what` is for the message.
LayerFile find_column(const Archive& archive, ColumnFiles Manifest::*columns, std::string_view name,
                      std::string_view what);

}  // namespace webstrata
