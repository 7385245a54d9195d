// SPDX-License-Identifier: Apache-2.0

// The fields of a sighting, listed once: code that treats all of them alike walks a list and spells
// none.
//
//   each_sighting_field(kSightingFields, [&](const auto& field) { reset(sighting.*field.member);
//   });
//
// A new field is a member of Sighting and a line here. JSON lines have an order and names of their
// own (capture/capture_lines.cpp), because people read them.

#pragma once

#include <string_view>
#include <tuple>

#include "webstrata/facts/sighting.h"

namespace webstrata {

template <typename Value>
struct SightingField {
  std::string_view name;
  Value Sighting::*member;
};

// In the order in which tables show them: Arrow's, and so Python's.
inline constexpr std::tuple kSightingColumns = {
    SightingField{"url", &Sighting::url},
    SightingField{"time", &Sighting::time},
    SightingField{"status", &Sighting::status},
    SightingField{"outcome", &Sighting::outcome},
    SightingField{"kind", &Sighting::kind},
    SightingField{"mime", &Sighting::mime},
    SightingField{"digest", &Sighting::digest},
    SightingField{"redirect_target", &Sighting::redirect_target},
    SightingField{"truncated", &Sighting::truncated},
    SightingField{"file", &Sighting::file},
    SightingField{"offset", &Sighting::offset},
    SightingField{"length", &Sighting::length},
    SightingField{"crawl", &Sighting::crawl},
    SightingField{"spelling", &Sighting::spelling},
    SightingField{"refers_to_url", &Sighting::refers_to_url},
    SightingField{"refers_to_time", &Sighting::refers_to_time},
};

// All: those and the ones that no table shows.
inline constexpr std::tuple kSightingFields =
    std::tuple_cat(kSightingColumns, std::tuple{
                                         SightingField{"text_digest", &Sighting::text_digest},
                                         SightingField{"text_length", &Sighting::text_length},
                                         SightingField{"title_hash", &Sighting::title_hash},
                                         SightingField{"profile", &Sighting::revisit_profile},
                                     });

template <typename Fields, typename Visit>
constexpr void each_sighting_field(const Fields& fields, Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, fields);
}

}  // namespace webstrata
