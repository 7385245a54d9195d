// SPDX-License-Identifier: Apache-2.0

// The same files in another generation, by hard links where possible.

#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "webstrata/archive/disk/layer.h"

namespace webstrata {

// Throws Error(Io).
void take_over(const std::filesystem::path& from, const std::filesystem::path& to);

// All files of layers, from folder to folder; makes `to` if needed.
void take_over_layers(const std::filesystem::path& from, const std::filesystem::path& to,
                      const std::map<Layer, std::vector<LayerFile>>& layers);

}  // namespace webstrata
