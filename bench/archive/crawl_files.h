// SPDX-License-Identifier: Apache-2.0

// Crawl files for the benchmarks, cut and multiplied from the shared data.

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

// All lines of a plain, gzip or zstd file.
std::vector<std::string> lines_of(const std::filesystem::path& path);

// Writes them to `path` and returns it.
std::filesystem::path write_lines(const std::filesystem::path& path,
                                  std::span<const std::string> lines);

// The captures of openbsd-www (source, time, targets, with tabs between), earliest first.
std::vector<std::string> openbsd_by_time(const std::filesystem::path& shared);

// A field of a line, from 0.
std::string_view field(std::string_view line, std::size_t number);

}  // namespace webstrata
