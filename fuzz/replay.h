// SPDX-License-Identifier: Apache-2.0

// The fuzz targets by name, for the program that replays their corpora; CMake writes the table.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);

extern const std::map<std::string_view, FuzzTarget> kFuzzTargets;
