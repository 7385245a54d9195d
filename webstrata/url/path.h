// Paths while they are being put together: segments, dots and escapes.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// Whether a segment of `text`, which begins with a segment, may be made of dots. Quick, and never
// wrong when it says no. Backslashes are not seen as slashes.
bool may_hold_dot_segment(std::string_view text) noexcept;

// Appends the segments of `text` to `out`, whose path begins at `path_start` and ends with a slash.
// "." and "..", also written %2e, are followed on the way and never climb above the root.
// `is_clean` promises that nothing in `text` is a backslash or needs percent-encoding.
void append_path(std::string& out, std::size_t path_start, std::string_view text, bool is_clean);

}  // namespace webstrata
