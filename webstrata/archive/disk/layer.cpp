// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/layer_file_test.cpp.

#include "webstrata/archive/disk/layer.h"

#include <fmt/format.h>

namespace webstrata {

std::string_view to_string(Layer layer) noexcept {
  constexpr std::array<std::string_view, kLayers.size()> kNames = {
      "names",     "links",    "times",  "presence",   "kinds",
      "sightings", "in_links", "ranges", "in_presence"};
  return kNames[static_cast<std::size_t>(layer)];
}

std::string part_name(Layer layer, std::uint64_t part) {
  return fmt::format("{}.{:05}", to_string(layer), part);
}

std::span<const Layer> row_layers(Direction direction) noexcept {
  if (direction == Direction::Out) return kOutRowLayers;
  return kInRowLayers;
}

}  // namespace webstrata
