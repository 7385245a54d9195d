// SPDX-License-Identifier: Apache-2.0

// In-links as facts: "source pointed to target in this range of time". A merge adds and removes
// some; sorted by target they become the in-link layers.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "webstrata/archive/disk/scratch.h"
#include "webstrata/archive/gather/page.h"
#include "webstrata/base/ids.h"

namespace webstrata {

struct InFact {
  Uid target = 0;
  Uid source = 0;
  std::int64_t range = 0;
  bool is_removed = false;  // it is no longer true

  friend auto operator<=>(const InFact&, const InFact&) = default;
};

// A hash of a fact; their sum goes into the digest of the target's block.
std::uint64_t content_of(const InFact& fact) noexcept;

// Sorts by (target, source, range) in bounded memory. Facts come in order of source; those of one
// source and target in order of range.
class InFactSorter {
 public:
  InFactSorter(std::filesystem::path folder, std::size_t memory_bytes);
  ~InFactSorter();

  void add(const InFact& fact);
  // No more facts will be added; from here on they can be read.
  void finish();
  // False at the end.
  bool next(InFact& fact);

 private:
  struct Packed {
    Uid target = 0;
    Uid source = 0;
    std::int64_t range_and_sign = 0;
  };
  class Spill;

  void sort_buffer();
  void spill();
  static InFact unpacked(const Packed& packed);

  std::filesystem::path folder_;
  std::size_t facts_max_;
  std::vector<Packed> buffer_;
  std::vector<Packed> other_;  // of the same size, for sorting
  std::size_t position_ = 0;
  Uid target_max_ = 0;
  std::uint64_t spill_count_ = 0;
  std::vector<std::unique_ptr<Spill>> spills_;
  // Indexes into spills_, the smallest (target, index) first.
  std::vector<std::size_t> heap_;
  bool is_heap_ = false;
};

// The in-link facts of a page: every (target, range) once.
class InFactFinder {
 public:
  explicit InFactFinder(Time range_seconds) : range_seconds_(range_seconds) {}
  // Replaces `facts` by those of the page, sorted by (target, range).
  void find(Uid source, const PageFacts& page, std::vector<InFact>& facts);

 private:
  Time range_seconds_;
  std::vector<Uid> targets_;
};

// Passes to `sorter` what the page gained and lost. `before` may be null.
void add_changes(Uid source, const PageFacts* before, const PageFacts& after, InFactFinder& finder,
                 InFactSorter& sorter);

}  // namespace webstrata
