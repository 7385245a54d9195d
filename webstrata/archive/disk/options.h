// SPDX-License-Identifier: Apache-2.0

// What is fixed when an archive is made. The layer files depend only on these options, the set of
// facts and the encoder revision.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/layer.h"
#include "webstrata/base/time.h"
#include "webstrata/codec/links.h"
#include "webstrata/facts/link.h"

namespace webstrata {

// How much of a payload's digest is kept. A SHA-1 per sighting outweighs the links.
enum class DigestMode : std::uint8_t { Full, Bits64, None };
std::string_view to_string(DigestMode mode) noexcept;

struct ArchiveOptions {
  Time range_seconds = 30 * 86400;  // of the in-link layers' time ranges; 0: a single range
  LinkKinds kinds = kGraphKinds;    // links of other kinds were left out on import
  DigestMode digests = DigestMode::Full;
  LinksEffort effort = LinksEffort::Fast;
  bool keep_other_schemes = false;  // mailto: and the rest are nodes too
  // Log2 of the nodes in a block, and blocks in a part of a layer file. Tests make them small.
  std::uint32_t block_bits = 16;
  std::uint32_t part_blocks = 16;
  // Optional layers that the archive has, in the order of their numbers. MANIFEST says so by
  // listing their files.
  std::vector<Layer> optional_layers = {};

  friend bool operator==(const ArchiveOptions&, const ArchiveOptions&) = default;
};

// Whether links have their texts, in a layer of their own.
bool keeps_texts(const ArchiveOptions& options) noexcept;

// The layers of an archive with these options, in the order of their numbers.
std::vector<Layer> layers_of(const ArchiveOptions& options);

// "30d", "12h", "1y" (365 days), "ever". Throws Error(BadInput).
Time parse_range(std::string_view text);
std::string range_to_string(Time seconds);

// The number of the range that contains `time`: floor(time / length); always 0 for `ever`.
std::int64_t range_of(Time time, Time range_seconds) noexcept;
// The closed interval of a range; everything for `ever`.
TimeInterval interval_of_range(std::int64_t range, Time range_seconds) noexcept;

}  // namespace webstrata
