// SPDX-License-Identifier: Apache-2.0

// What is known about an input before it is read, wherever it is.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace webstrata {

struct InputPlace {
  // Can be read from any place, and again: a file, or a remote file with ranges. Not a pipe.
  bool can_be_entered = false;
  std::uint64_t size = 0;  // 0: not known
};

// Of a local file without errors; of a remote one it throws what RemoteFile::open throws.
InputPlace look_at_input(const std::filesystem::path& path);

// What sightings call the file: the last part of its path, or of its URL.
std::string input_file_name(const std::string& path);

// Throws Error(BadInput) if the path is a URL with a scheme that cannot be read.
void refuse_unknown_scheme(const std::filesystem::path& path);

}  // namespace webstrata
