// SPDX-License-Identifier: Apache-2.0

// Scans the pages of a block of an archive in order, with as much of each as requested.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {

enum class SightingDepth : std::uint8_t {
  None,
  Outcomes,  // what decides the state of a page
  Full,
};

// Belongs to one thread. Its views live until the next call of next().
class PageScan {
 public:
  PageScan(const Archive& archive, std::uint64_t block, SightingDepth depth);
  // Releases the block.
  ~PageScan();
  PageScan(const PageScan&) = delete;
  PageScan& operator=(const PageScan&) = delete;

  // To the next node that has a row or, if they are read, a sighting; false at the end of the
  // block. Throws Error(Corrupt); so do the others.
  bool next();

  [[nodiscard]] Uid uid() const noexcept { return uid_; }
  [[nodiscard]] std::span<const Uid> links();                                    // union over rows
  [[nodiscard]] std::span<const Time> times() const noexcept { return times_; }  // of rows
  [[nodiscard]] std::span<const SightingOutcome> outcomes() const noexcept { return outcomes_; }
  [[nodiscard]] std::span<const SightingRecord> sightings() const noexcept { return records_; }

  struct Row {
    std::span<const Uid> targets;       // ascending
    std::span<const LinkValue> values;  // parallel to them
  };
  // Lives until the next call of either.
  Row row(std::size_t row);
  // `one_ends`, `ones` and `values` of all rows.
  const PageLayers& rows();

 private:
  class Cursor;  // over the pages of one stratum
  // What one of several strata knows about the page.
  struct Part {
    Cursor* cursor = nullptr;
    PageLayers rows;                     // links as uids, and all rows if they are wanted
    std::vector<std::uint32_t> columns;  // where each link is in united_links_
  };
  // A row of a part; those of one second follow each other, those of one page are in order of time.
  struct PartRow {
    Time time = 0;
    std::size_t part = 0;
    std::size_t row = 0;
  };
  void find_holders();
  void read_joined();
  void read_chosen();
  void read_parts();
  void unite_links();
  void unite_times();
  void unite_rows();
  void read_sightings_of(Cursor& cursor);
  void sort_sightings();
  void add_outcomes_of_records();
  void read_row(const Cursor& cursor, std::size_t row);
  Row row_of_parts(std::size_t row);
  Row row_of_layers(std::size_t row);

  const Archive& archive_;
  const StackReader& stack_;
  std::uint64_t block_;
  SightingDepth depth_;
  std::vector<std::unique_ptr<Cursor>> cursors_;  // of the strata
  Cursor* chosen_ = nullptr;  // the one that has all of the page; none if several have a part
  std::vector<Part> parts_;   // used up to part_count_: 0 if the page is joined in layers_
  std::size_t part_count_ = 0;
  std::vector<PartRow> part_rows_;
  std::vector<std::size_t> row_starts_;  // in part_rows_, of each row of the page; and the end
  std::vector<Uid> united_links_;
  bool has_links_ = false;  // links_ is what links() returns
  std::vector<Time> united_times_;
  Uid uid_ = 0;
  bool has_begun_ = false;

  std::span<const Uid> links_;
  std::span<const Time> times_;
  PageLayers layers_;
  std::vector<std::uint32_t> columns_;
  std::vector<Uid> targets_;
  std::vector<LinkValue> values_;
  template <typename Place>
  using Cells = std::vector<std::pair<Place, LinkValue>>;
  Cells<Uid> target_cells_;
  Cells<std::uint32_t> column_cells_;
  std::vector<SightingOutcome> outcomes_;
  std::vector<SightingOutcome> outcome_part_;
  std::vector<SightingRecord> records_;
  std::vector<SightingRecord> record_part_;
  PageFacts facts_;
};

}  // namespace webstrata
