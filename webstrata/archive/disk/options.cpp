// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/options_test.cpp.

#include "webstrata/archive/disk/options.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "webstrata/base/duration.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

struct Unit {
  char letter;
  Time seconds;
};
// The largest first, so that 30 days are "30d" and 365 days "1y".
constexpr std::array kUnits = {Unit{'y', 365 * 86400}, Unit{'d', 86400}, Unit{'h', 3600},
                               Unit{'m', 60}, Unit{'s', 1}};
constexpr Time kRangeMax = Time{1000} * 365 * 86400;

}  // namespace

std::string_view to_string(DigestMode mode) noexcept {
  constexpr std::array kNames = {"full", "64bit", "none"};
  return kNames[static_cast<std::size_t>(mode)];
}

bool keeps_texts(const ArchiveOptions& options) noexcept {
  return std::ranges::find(options.optional_layers, texts_layer()) != options.optional_layers.end();
}

std::vector<Layer> layers_of(const ArchiveOptions& options) {
  std::vector<Layer> layers;
  for (const LayerEntry& entry : layer_table()) {
    const bool has =
        !entry.is_optional ||
        std::ranges::find(options.optional_layers, entry.layer) != options.optional_layers.end();
    if (has) layers.push_back(entry.layer);
  }
  return layers;
}

Time parse_range(std::string_view text) {
  if (text == "ever") return 0;
  const auto length = parse_duration(text);
  const Time seconds = length.value_or(0) / 1000;
  if (length && seconds > 0 && seconds * 1000 == *length && seconds <= kRangeMax) return seconds;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: not a length of time such as 1d, 30d, 1y or ever", text));
}

std::string range_to_string(Time seconds) {
  if (seconds == 0) return "ever";
  for (const Unit& unit : kUnits) {
    if (seconds % unit.seconds == 0)
      return fmt::format("{}{}", seconds / unit.seconds, unit.letter);
  }
  return {};
}

std::int64_t range_of(Time time, Time range_seconds) noexcept {
  if (range_seconds == 0) return 0;
  const std::int64_t cut = time / range_seconds;
  return time % range_seconds < 0 ? cut - 1 : cut;
}

TimeInterval interval_of_range(std::int64_t range, Time range_seconds) noexcept {
  using Limits = std::numeric_limits<Time>;
  if (range_seconds == 0) return {Limits::min(), Limits::max()};
  return {range * range_seconds, range * range_seconds + (range_seconds - 1)};
}

}  // namespace webstrata
