// SPDX-License-Identifier: Apache-2.0

// What is fixed when an archive is made, as users write it: --range 30d --links all …
//
//   options = archive_options_of({.range = "1d"}, options);

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/options.h"

namespace webstrata {

// Empty: not given.
struct ArchiveWords {
  std::optional<std::string> range = {};    // "30d", "1y", "ever"
  std::optional<std::string> links = {};    // words/kinds.h
  std::optional<std::string> digests = {};  // "full", "64bit", "none"
  std::optional<std::string> schemes = {};  // "web", "all"
  std::optional<bool> compact = {};
  std::vector<std::string> layers = {};  // optional ones, by name
};

// `options` changed by the given words. Throws Error(BadInput).
ArchiveOptions archive_options_of(const ArchiveWords& words, ArchiveOptions options);
// All words, such that archive_options_of() gives the same options again.
ArchiveWords words_of(const ArchiveOptions& options);

}  // namespace webstrata
