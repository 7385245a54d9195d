// SPDX-License-Identifier: Apache-2.0

// Scans the pages of a block of an archive in order, with as much of each as requested.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/read/generation_reader.h"
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

  [[nodiscard]] Uid uid() const noexcept { return first_uid_ + node_; }
  [[nodiscard]] std::span<const Uid> links() const noexcept { return links_; }   // union over rows
  [[nodiscard]] std::span<const Time> times() const noexcept { return times_; }  // of rows
  [[nodiscard]] std::span<const SightingOutcome> outcomes() const noexcept { return outcomes_; }
  [[nodiscard]] std::span<const SightingRecord> sightings() const noexcept { return records_; }

  struct Row {
    std::span<const std::uint32_t> columns;  // places in links(), ascending
    std::span<const LinkValue> values;       // parallel to them
  };
  // Lives until the next call of either.
  Row row(std::size_t row);
  // `one_ends`, `ones` and `values` of all rows.
  const PageLayers& rows();

 private:
  void read_rows();
  void read_cut_rows();
  void read_sightings();
  bool open_rows_of_node();

  const Archive& archive_;
  const GenerationReader& generation_;
  std::uint64_t block_;
  SightingDepth depth_;
  Uid first_uid_;
  std::uint64_t node_count_;  // of the block
  std::uint64_t node_ = 0;    // inside the block
  bool has_begun_ = false;

  BlockView row_places_;
  std::size_t row_chunk_number_ = 0;
  std::optional<RowChunk> row_chunk_;
  LinkLists link_lists_;
  TimeLists time_lists_;
  std::size_t node_in_chunk_ = 0;
  bool is_cut_ = false;  // the rows of the node are in several chunks: they are all in layers_

  BlockView sighting_places_;
  std::size_t sighting_chunk_number_ = 0;
  std::optional<SightingsChunk> sighting_chunk_;

  std::span<const Uid> links_;
  std::span<const Time> times_;
  PageLayers layers_;
  std::vector<std::uint32_t> columns_;
  std::vector<LinkValue> values_;
  std::vector<SightingOutcome> outcomes_;
  std::vector<SightingRecord> records_;
  PageFacts facts_;
};

}  // namespace webstrata
