// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py.

#include "webstrata/show/archive_counts.h"

#include "webstrata/base/time.h"

namespace webstrata {

void append_counts(JsonWriter& json, const Manifest& manifest) {
  const ArchiveCounts& counts = manifest.counts;
  json.field("nodes", counts.nodes).field("pages", counts.pages);
  json.field("captures", counts.captures).field("sightings", counts.sightings);
  json.field("links", counts.links).field("link_facts", counts.link_facts).key("span");
  json.begin_array();
  if (counts.span) {
    json.value(to_rfc3339(counts.span->first)).value(to_rfc3339(counts.span->last));
  }
  json.end_array().field("generation", manifest.generation).field("dialect", "exact");
}

void append_options(JsonWriter& json, const ArchiveOptions& options) {
  json.field("range", range_to_string(options.range_seconds));
  json.field("links", to_string(options.kinds)).field("digests", to_string(options.digests));
  json.field("schemes", schemes_word(options)).field("effort", effort_word(options));
  for (const Layer layer : options.optional_layers) json.field(to_string(layer), true);
}

std::string_view schemes_word(const ArchiveOptions& options) noexcept {
  return options.keep_other_schemes ? "all" : "web";
}

std::string_view effort_word(const ArchiveOptions& options) noexcept {
  return options.effort == LinksEffort::Compact ? "compact" : "fast";
}

std::uint64_t bytes_of(const std::vector<LayerFile>& files) noexcept {
  std::uint64_t bytes = 0;
  for (const LayerFile& file : files) bytes += file.size;
  return bytes;
}

std::uint64_t bytes_of(const Manifest& manifest) {
  std::uint64_t bytes = 0;
  for (const auto& [layer, files] : layers_of(manifest)) bytes += bytes_of(files);
  for (const Stratum& stratum : manifest.strata) {
    if (stratum.places) bytes += stratum.places->size;
  }
  return bytes;
}

std::map<Layer, std::vector<LayerFile>> layers_of(const Manifest& manifest) {
  std::map<Layer, std::vector<LayerFile>> layers = manifest.layers;
  for (const Stratum& stratum : manifest.strata) {
    for (const auto& [layer, files] : stratum.layers) {
      layers[layer].insert(layers[layer].end(), files.begin(), files.end());
    }
  }
  return layers;
}

}  // namespace webstrata
