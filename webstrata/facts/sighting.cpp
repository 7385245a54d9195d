// SPDX-License-Identifier: Apache-2.0

// Tested by tests/facts/sighting_test.cpp.

#include "webstrata/facts/sighting.h"

#include <array>
#include <type_traits>

#include "webstrata/facts/sighting_list.h"

namespace webstrata {

std::string_view to_string(SightingKind kind) noexcept {
  constexpr std::array<std::string_view, 4> kNames = {"response", "revisit", "probe", "index"};
  return kNames[static_cast<std::size_t>(kind)];
}

void Sighting::clear() {
  static const Sighting kEmpty{};
  each_sighting_field(kSightingFields, [this](const auto& field) {
    auto& value = this->*field.member;
    if constexpr (std::is_same_v<decltype(value), std::string&>) {
      value.clear();
    } else {
      value = kEmpty.*field.member;
    }
  });
}

void Capture::clear() {
  sighting.clear();
  links_known = false;
  links.clear();
  title.clear();
  text.clear();
  text_known = false;
}

}  // namespace webstrata
