// SPDX-License-Identifier: Apache-2.0

// Assembling paths: segments, dots and escapes.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// Whether `text`, which begins with a segment, may contain a dot segment. Fast; only a positive
// answer can be wrong. Backslashes do not count as slashes.
bool may_hold_dot_segment(std::string_view text) noexcept;

// Appends the segments of `text` to `out`, whose path begins at `path_start` and ends with a slash.
// "." and "..", also written %2e, are resolved and never climb above the root.
// `is_clean` promises that nothing in `text` is a backslash or needs percent-encoding.
void append_path(std::string& out, std::size_t path_start, std::string_view text, bool is_clean);

}  // namespace webstrata
