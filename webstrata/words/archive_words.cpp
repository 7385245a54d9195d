// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/archive_words_test.cpp.

#include "webstrata/words/archive_words.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

DigestMode digest_mode_of(std::string_view word) {
  for (const DigestMode mode : {DigestMode::Full, DigestMode::Bits64, DigestMode::None}) {
    if (to_string(mode) == word) return mode;
  }
  throw Error(ErrorKind::BadInput, fmt::format("digests {}: not full, 64bit or none", word));
}

bool keeps_all_schemes(std::string_view word) {
  if (word == "all") return true;
  if (word == "web") return false;
  throw Error(ErrorKind::BadInput, fmt::format("schemes {}: not web or all", word));
}

}  // namespace

ArchiveOptions archive_options_of(const ArchiveWords& words, ArchiveOptions options) {
  if (words.range) options.range_seconds = parse_range(*words.range);
  if (words.links) options.kinds = parse_kinds_word("links", *words.links);
  if (words.digests) options.digests = digest_mode_of(*words.digests);
  if (words.schemes) options.keep_other_schemes = keeps_all_schemes(*words.schemes);
  if (words.compact) options.effort = *words.compact ? LinksEffort::Compact : LinksEffort::Fast;
  return options;
}

ArchiveWords words_of(const ArchiveOptions& options) {
  return {range_to_string(options.range_seconds), to_string(options.kinds),
          std::string(to_string(options.digests)), options.keep_other_schemes ? "all" : "web",
          options.effort == LinksEffort::Compact};
}

}  // namespace webstrata
