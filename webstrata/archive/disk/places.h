// SPDX-License-Identifier: Apache-2.0

// The file `places` of a stratum: where its keys belong among the keys of the strata below it.
//
// A stratum numbers its own keys from 0. Its places turn these numbers into uids of the stack
// without looking at a key: read/stack_numbers.h. docs/FORMAT.md draws the bytes.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/layer.h"

namespace webstrata {

inline constexpr std::string_view kPlacesName = "places";

// Where a key is among the keys below: how many of them are smaller, and whether it is one of them.
struct KeyPlace {
  std::uint64_t position = 0;
  bool is_known = false;
  friend bool operator==(const KeyPlace&, const KeyPlace&) = default;
};

struct StratumPlaces {
  std::vector<KeyPlace> keys;  // of every key of the stratum, in order
  // Pages of the stratum, ascending, that replace what the strata below say about them.
  std::vector<std::uint64_t> whole_pages;

  friend bool operator==(const StratumPlaces&, const StratumPlaces&) = default;
};

std::string encode_places(const StratumPlaces& places);
// `name` is for messages. Throws Error(Corrupt) unless positions ascend, those of known keys
// strictly, and whole pages are keys.
StratumPlaces decode_places(std::string_view bytes, std::string_view name);

// Writes folder/places and returns its entry in MANIFEST.
LayerFile write_places(const std::filesystem::path& folder, const StratumPlaces& places);
// Throws Error(NotFound), or Error(Corrupt) if it is not that file.
StratumPlaces read_places(const std::filesystem::path& folder, const LayerFile& file);

}  // namespace webstrata
