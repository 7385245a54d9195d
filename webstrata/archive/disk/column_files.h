// SPDX-License-Identifier: Apache-2.0

// What the files of columns have in common: ask/scores.h (nodes) and ask/link_scores.h (links).

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/disk/manifest.h"

namespace webstrata {

// The columns of nodes or those of links, by name.
using ColumnFiles = std::map<std::string, LayerFile>;

// Throws Error(BadInput) unless it is made of 1 to 64 letters, digits, '-' and '_'.
void check_column_name(std::string_view name);

// "scores.pagerank.0": a file name that no column of the generation has had.
std::string free_column_file(const std::filesystem::path& folder, std::string_view stem,
                             std::string_view name);

}  // namespace webstrata
