// SPDX-License-Identifier: Apache-2.0

// A setting as a user gave it: in words, whichever door they came through. The tables of names
// (fetch_settings.cpp, probe_settings.cpp, crawl_settings.cpp) say what they mean.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace webstrata {

struct GivenWord {
  std::string what;  // how messages name it: "--delay" on the command line, "delay" in Python
  std::vector<std::string> values;  // at least one

  [[nodiscard]] const std::string& text() const { return values.back(); }
  // All throw Error(BadInput).
  [[nodiscard]] std::uint64_t number(std::uint64_t least = 0,
                                     std::uint64_t most = UINT64_MAX) const;
  [[nodiscard]] bool truth() const;  // "true", "false"
  [[nodiscard]] std::int64_t duration_ms() const;
  [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace webstrata
