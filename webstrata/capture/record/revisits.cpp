// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/revisits_test.cpp.

#include "webstrata/capture/record/revisits.h"

#include "webstrata/base/checksum.h"

namespace webstrata {

std::optional<RevisitIndex::Entry> RevisitIndex::entry_of(const Capture& capture,
                                                          std::uint32_t input) {
  const Sighting& sighting = capture.sighting;
  const bool is_original = capture.links_known && sighting.kind == SightingKind::Response;
  if (!is_original || !sighting.offset) return std::nullopt;
  return Entry{checksum64(sighting.url),
               checksum64(sighting.digest),
               sighting.time,
               {input, *sighting.offset}};
}

void RevisitIndex::add(const Entry& entry) {
  if (count_ >= kCapturesMax) return;
  captures_[entry.url_hash].push_back(entry);
  ++count_;
}

std::optional<RevisitIndex::Place> RevisitIndex::original(const Sighting& revisit) const {
  // A revisit of another URL's payload says nothing about this page's links.
  if (!revisit.refers_to_url.empty() && revisit.refers_to_url != revisit.url) return std::nullopt;
  const auto found = captures_.find(checksum64(revisit.url));
  if (found == captures_.end()) return std::nullopt;

  const std::uint64_t digest_hash = checksum64(revisit.digest);
  const Entry* best = nullptr;
  const auto prefer = [&](const Entry& known) {
    const bool is_earlier = known.time <= revisit.time;
    const bool best_is_earlier = best != nullptr && best->time <= revisit.time;
    const bool is_closer = best == nullptr || (is_earlier && !best_is_earlier) ||
                           (is_earlier == best_is_earlier &&
                            (is_earlier ? known.time > best->time : known.time < best->time));
    if (is_closer) best = &known;
  };
  if (!revisit.digest.empty()) {
    for (const Entry& known : found->second) {
      if (known.digest_hash == digest_hash) prefer(known);
    }
  }
  if (best == nullptr && revisit.revisit_profile == RevisitProfile::NotModified) {
    for (const Entry& known : found->second) {
      if (known.time == revisit.refers_to_time) return known.place;
      if (known.time <= revisit.time) prefer(known);
    }
  }
  return best != nullptr ? std::optional(best->place) : std::nullopt;
}

}  // namespace webstrata
