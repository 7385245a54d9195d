// SPDX-License-Identifier: Apache-2.0

// Archives as inputs of another one: all facts of an archive become a run (gather/run.h), which a
// merge joins with the facts of the other inputs.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/fact_batch.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/base/report.h"
#include "webstrata/base/work.h"
#include "webstrata/facts/tombstones.h"

namespace webstrata {

// An archive that is being joined: it stays open until its facts are read.
struct JoinedArchive {
  // Throws what Manifest::load throws, Error(BadInput) if it has layers that would be lost, and
  // what load_tombstones() throws.
  explicit JoinedArchive(std::filesystem::path archive);

  std::filesystem::path path;
  GenerationLease lease;
  std::optional<Tombstones> tombstones;
};

// Throws Error(BadInput) that names the first option in which they differ. Archives that keep
// different facts cannot be joined.
void require_same_options(const std::filesystem::path& archive, const ArchiveOptions& options,
                          const std::filesystem::path& other, const ArchiveOptions& other_options);

struct JoinRequest {
  RunFiles run;                          // what is written
  std::filesystem::path scratch;         // an existing folder
  const IsForgotten* is_forgotten = {};  // what stays out; null: nothing
  std::size_t memory_bytes = std::size_t{64} << 20;
  WorkOptions work = {};
};

// Writes the facts of one stratum of `archive` as a run. Names that only forgotten facts mention
// stay out with them. Returns what was left out. Memory: a chunk of each layer; with `is_forgotten`
// also two bits for each name and `memory_bytes`.
Report write_run_of(const JoinedArchive& archive, std::size_t stratum, const JoinRequest& request);

}  // namespace webstrata
