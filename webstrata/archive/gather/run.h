// SPDX-License-Identifier: Apache-2.0

// A run: sorted facts in two scratch files, its own keys and its pages.
//
// Keys are front-coded in order and numbered from 0; pages follow in the order of their keys, and
// everything in them refers to keys by those numbers. merge.h joins runs.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "webstrata/archive/disk/scratch.h"
#include "webstrata/archive/gather/fact_batch.h"
#include "webstrata/archive/gather/fact_input.h"
#include "webstrata/archive/gather/page.h"

namespace webstrata {

struct RunFiles {
  std::filesystem::path keys;
  std::filesystem::path pages;
  // Some page of it has rows, or a revisit that may give one. False: it has only sightings.
  bool touches_rows = true;
};
// Names of run number `number` in `folder`.
RunFiles run_files(const std::filesystem::path& folder, std::uint64_t number);

// Sorts the batches into a run and returns whether it touches rows. Memory: the batches, and about
// 40 bytes for each key and fact.
bool write_run(const std::vector<std::unique_ptr<FactBatch>>& batches, const RunFiles& files);

class RunWriter {
 public:
  explicit RunWriter(const RunFiles& files);
  // Ascending.
  void add_key(std::string_view key);
  // Ascending by `number`, that of its key. The page is normalised, without derived rows.
  void add_page(std::uint64_t number, const PageFacts& page);
  void finish();

 private:
  ScratchWriter keys_;
  ScratchWriter pages_;
  std::string last_key_;
  std::uint64_t next_number_ = 0;
};

// Reads the run again; `buffer_bytes` for each of its two files.
std::unique_ptr<FactInput> open_run(const RunFiles& files, std::size_t buffer_bytes);

}  // namespace webstrata
