// SPDX-License-Identifier: Apache-2.0

// The fields of a SightingRecord, listed once, for code that treats all of them alike.
//
// A new field is a member of SightingRecord and a word here. Stored forms have an order of their
// own that must not change: sightings_format.h, archive/gather/fact_bytes.h.

#pragma once

#include <tuple>

#include "webstrata/codec/sightings.h"

namespace webstrata {

// What a record says ...
template <typename Record>
auto content_of(Record& record) {
  return std::tie(record.time, record.kind, record.outcome, record.revisit_profile,
                  record.has_links, record.truncated, record.status, record.text_length,
                  record.title_hash, record.refers_to_time, record.redirect, record.refers_to,
                  record.digest, record.text_digest, record.mime, record.spelling, record.crawl);
}

// ... and where it is.
template <typename Record>
auto place_of(Record& record) {
  return std::tie(record.file, record.offset, record.length);
}

// Calls `visit` with each of them.
template <typename Record, typename Visit>
void each_record_field(Record& record, Visit&& visit) {
  std::apply([&](auto&... field) { (visit(field), ...); },
             std::tuple_cat(content_of(record), place_of(record)));
}

}  // namespace webstrata
