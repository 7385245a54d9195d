// SPDX-License-Identifier: Apache-2.0

// Tested by tests/words/archive_words_test.cpp.

#include "webstrata/words/archive_words.h"

#include <algorithm>
#include <utility>

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

// In the order of their numbers, each once.
std::vector<Layer> optional_layers_of(const std::vector<std::string>& words) {
  std::vector<Layer> layers;
  for (const std::string& word : words) {
    const auto layer = layer_named(word);
    if (!layer || !entry_of(*layer).is_optional) {
      throw Error(ErrorKind::BadInput, fmt::format("layer {}: not an optional layer", word));
    }
    layers.push_back(*layer);
  }
  std::ranges::sort(layers);
  layers.erase(std::ranges::unique(layers).begin(), layers.end());
  return layers;
}

}  // namespace

ArchiveOptions archive_options_of(const ArchiveWords& words, ArchiveOptions options) {
  if (words.range) options.range_seconds = parse_range(*words.range);
  if (words.links) options.kinds = parse_kinds_word("links", *words.links);
  if (words.digests) options.digests = digest_mode_of(*words.digests);
  if (words.schemes) options.keep_other_schemes = keeps_all_schemes(*words.schemes);
  if (words.compact) options.effort = *words.compact ? LinksEffort::Compact : LinksEffort::Fast;
  if (!words.layers.empty()) options.optional_layers = optional_layers_of(words.layers);
  return options;
}

ArchiveWords words_of(const ArchiveOptions& options) {
  std::vector<std::string> layers;
  for (const Layer layer : options.optional_layers) layers.emplace_back(to_string(layer));
  return {range_to_string(options.range_seconds), to_string(options.kinds),
          std::string(to_string(options.digests)), options.keep_other_schemes ? "all" : "web",
          options.effort == LinksEffort::Compact, std::move(layers)};
}

}  // namespace webstrata
