// SPDX-License-Identifier: Apache-2.0

// What the parts of a ZIP begin with, for reader and writer. Internal to the room.

#pragma once

#include <cstdint>

namespace webstrata {

inline constexpr std::uint32_t kZipLocalHeader = 0x04034b50;
inline constexpr std::uint32_t kZipDirectoryEntry = 0x02014b50;
inline constexpr std::uint32_t kZipEnd = 0x06054b50;
inline constexpr std::uint32_t kZip64End = 0x06064b50;
inline constexpr std::uint32_t kZip64EndLocator = 0x07064b50;

}  // namespace webstrata
