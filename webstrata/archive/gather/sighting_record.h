// SPDX-License-Identifier: Apache-2.0

// A sighting as an archive stores it: the fields that a Sighting and a SightingRecord share, listed
// once for both directions. URLs are numbers in a record; whoever knows the numbers sets them.

#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "webstrata/codec/sightings.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

// Calls `visit` with each pair of fields.
template <typename OneSighting, typename Record, typename Visit>
void each_shared_field(OneSighting& sighting, Record& record, const Visit& visit) {
  visit(sighting.time, record.time);
  visit(sighting.kind, record.kind);
  visit(sighting.outcome, record.outcome);
  visit(sighting.revisit_profile, record.revisit_profile);
  visit(sighting.truncated, record.truncated);
  visit(sighting.status, record.status);
  visit(sighting.text_length, record.text_length);
  visit(sighting.title_hash, record.title_hash);
  visit(sighting.offset, record.offset);
  visit(sighting.length, record.length);
  visit(sighting.refers_to_time, record.refers_to_time);
  visit(sighting.digest, record.digest);
  visit(sighting.text_digest, record.text_digest);
  visit(sighting.mime, record.mime);
  visit(sighting.spelling, record.spelling);
  visit(sighting.file, record.file);
  visit(sighting.crawl, record.crawl);
}

// `record` keeps its has_links, redirect and refers_to.
inline void copy_fields(const Sighting& sighting, SightingRecord& record) {
  each_shared_field(sighting, record, [](const auto& from, auto& to) {
    to = static_cast<std::remove_reference_t<decltype(to)>>(from);
  });
}

// `sighting` keeps its url, redirect_target and refers_to_url.
inline void move_fields(SightingRecord& record, Sighting& sighting) {
  each_shared_field(sighting, record, [](auto& to, auto& from) {
    to = static_cast<std::remove_reference_t<decltype(to)>>(std::move(from));
  });
}

}  // namespace webstrata
