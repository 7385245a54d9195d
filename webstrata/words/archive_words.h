// What is fixed when an archive is made, as users write it: --range 30d --links all …
//
//   options = archive_options_of({.range = "1d"}, options);

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "webstrata/archive/disk/options.h"

namespace webstrata {

// Empty: the user does not say.
struct ArchiveWords {
  std::optional<std::string> range = {};    // "30d", "1y", "ever"
  std::optional<std::string> links = {};    // words/kinds.h
  std::optional<std::string> digests = {};  // "full", "64bit", "none"
  std::optional<std::string> schemes = {};  // "web", "all"
  std::optional<bool> compact = {};
};

// `options` with what the user says put in. Throws Error(BadInput).
ArchiveOptions archive_options_of(const ArchiveWords& words, ArchiveOptions options);
// All of them, such that archive_options_of() gives the same options again.
ArchiveWords words_of(const ArchiveOptions& options);

}  // namespace webstrata
