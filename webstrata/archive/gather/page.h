// SPDX-License-Identifier: Apache-2.0

// Everything that an archive knows about one URL, and how such facts are joined.
//
// Facts form a set. Joining is commutative, associative and idempotent, so that the order in which
// they arrive never matters:
// - Sightings: equal ones are one; of copies that differ only in the place of the record, the
//   smallest (file, offset, length) is kept; known comes before unknown.
// - Rows (one for each second at which links are known): the union of links; kinds of one target
//   are joined, counts by maximum.
// - Texts of links: a set of (target, time, text).
// - A revisit is stored as itself. Its row is derived again at each merge from the page's captures
//   and recognised by having no sighting with links at that second.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "webstrata/archive/gather/page_texts.h"
#include "webstrata/base/ids.h"
#include "webstrata/base/time.h"
#include "webstrata/codec/kinds.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {

struct PageFacts {
  std::vector<SightingRecord> sightings;
  // Rows: links[row_ends[i-1], row_ends[i]) existed at times[i].
  std::vector<Time> times;
  std::vector<std::uint32_t> row_ends;
  std::vector<Uid> targets;
  std::vector<LinkValue> values;  // parallel to `targets`
  // Of links of these rows; empty unless the archive keeps texts.
  PageTexts texts;

  [[nodiscard]] bool empty() const noexcept { return sightings.empty() && times.empty(); }
  [[nodiscard]] std::size_t row_count() const noexcept { return times.size(); }
  [[nodiscard]] std::size_t row_start(std::size_t row) const noexcept {
    return row == 0 ? 0 : row_ends[row - 1];
  }
  void clear();
  // Rows first: links, then end_row(). Any order, repetitions allowed, until normalise().
  void add_link(Uid target, LinkValue value) {
    targets.push_back(target);
    values.push_back(value);
  }
  void end_row(Time time) {
    times.push_back(time);
    row_ends.push_back(static_cast<std::uint32_t>(targets.size()));
  }

  friend bool operator==(const PageFacts&, const PageFacts&) = default;
};

// Appends what `more` knows; normalise() then joins.
void append(PageFacts& page, const PageFacts& more);
// Sorts and joins sightings and rows.
void normalise(PageFacts& page);
// Removes the rows that were derived from revisits. `page` is normalised.
void drop_derived_rows(PageFacts& page);
// Gives every revisit whose original is known its row: the same URL's capture with the same digest
// (the latest at or before it, else the earliest after it); for "not modified" the capture of the
// time it names, else the latest earlier one. A revisit of another URL's payload, one in whose
// second there is a capture, and one without an original stay sightings. `page` is normalised and
// has no derived rows.
void derive_rows(PageFacts& page);

// The same rows in the form of the papers' layers.
struct PageLayers {
  std::vector<Uid> links;               // union of targets, ascending
  std::vector<Time> times;              // of rows
  std::vector<std::uint32_t> one_ends;  // where each row ends in `ones`
  std::vector<std::uint32_t> ones;      // positions in `links`
  std::vector<LinkValue> values;        // parallel to `ones`

  void clear();
};
void to_layers(const PageFacts& page, PageLayers& layers);
// Replaces the rows of `page`, not its sightings.
void from_layers(const PageLayers& layers, PageFacts& page);

}  // namespace webstrata
