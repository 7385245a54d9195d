// SPDX-License-Identifier: Apache-2.0

// ARCHIVE, the word by which users name an archive, with the time that may follow it:
//
//   lib.ws              all that it has
//   lib.ws@2021         as it was at the last second of 2021
//   lib.ws@2021..2022   what captures made in these years had
//
// GRAPH (graph_word.h) is the same word for questions about a whole graph.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/base/time.h"

namespace webstrata {

struct DatedArchive {
  std::filesystem::path path;
  std::string date = {};                    // as it was typed; empty: none
  std::optional<Time> at = {};              // lib.ws@2021
  std::optional<TimeInterval> during = {};  // lib.ws@2021..2022

  // The captures that it is about: those up to the time, or those in it.
  [[nodiscard]] TimeInterval interval() const noexcept;
};

// A folder that exists under the whole word is meant as it is. Throws Error(BadInput) if what
// follows the @ is not a time.
DatedArchive parse_archive_word(std::string_view word);

// For what is about an archive as a whole, or changes it: the path. Throws Error(BadInput) if the
// word has a time; `why` ends the message: "verify checks all of an archive".
std::filesystem::path undated_archive(std::string_view word, std::string_view why);

}  // namespace webstrata
