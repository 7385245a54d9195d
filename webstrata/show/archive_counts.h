// SPDX-License-Identifier: Apache-2.0

// What MANIFEST says about an archive, as text and as JSON.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/base/json.h"

namespace webstrata {

// The fields nodes, pages, captures, sightings, links, link_facts, span, generation, dialect.
void append_counts(JsonWriter& json, const Manifest& manifest);
// The fields range, links, digests, schemes, effort.
void append_options(JsonWriter& json, const ArchiveOptions& options);

// "web" or "all"; "fast" or "compact": the words of the flags.
std::string_view schemes_word(const ArchiveOptions& options) noexcept;
std::string_view effort_word(const ArchiveOptions& options) noexcept;

[[nodiscard]] std::uint64_t bytes_of(const std::vector<LayerFile>& files) noexcept;
// Of all layers of all strata.
[[nodiscard]] std::uint64_t bytes_of(const Manifest& manifest);
// The files of all strata.
[[nodiscard]] std::map<Layer, std::vector<LayerFile>> layers_of(const Manifest& manifest);

}  // namespace webstrata
