// SPDX-License-Identifier: Apache-2.0

// The one algorithm: sorted inputs become a generation.
//
// The keys of all inputs are merged, which gives every key its uid and every input a monotone
// translation; then the pages are merged in the order of their keys, their facts joined and the
// layers written; then the links are inverted. Everything is streamed in bounded memory, and the
// resulting bytes depend only on the set of facts.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/base/work.h"

namespace webstrata {

// What is dropped from the previous generation. Numbers are its uids.
class MergeFilter {
 public:
  virtual ~MergeFilter() = default;
  // The name is dropped, with everything that mentions it.
  [[nodiscard]] virtual bool drops(Uid node) const = 0;
  // Some sightings of it may be dropped.
  [[nodiscard]] virtual bool touches(Uid node) const = 0;
  [[nodiscard]] virtual bool drops_sighting(Uid node, const SightingRecord& sighting) const = 0;
};

struct MergeRequest {
  std::filesystem::path folder;   // the layer files go here
  std::filesystem::path scratch;  // an existing folder for scratch files
  ArchiveOptions options;
  const GenerationReader* before = nullptr;  // null: there was nothing
  const MergeFilter* filter = nullptr;       // only with `before`
  // Strata whose facts are joined with the others.
  std::vector<const GenerationReader*> strata = {};
  // Rows are those of the inputs; revisits give no others. Only without `before`. For each of
  // `strata` the pages, by its numbers and ascending, that replace those of the strata before it.
  bool keeps_rows = false;
  std::vector<std::vector<std::uint64_t>> whole_pages = {};
  // Columns of `before`, to carry over; not with a filter.
  std::map<std::string, LayerFile> scores;
  std::map<std::string, LayerFile> link_scores;
  std::vector<RunFiles> runs;
  std::size_t memory_bytes = std::size_t{1} << 30;
  WorkOptions work = {};
};

struct MergeResult {
  std::map<Layer, std::vector<LayerFile>> layers;
  std::map<std::string, LayerFile> scores;
  std::map<std::string, LayerFile> link_scores;
  ArchiveCounts counts;
  std::string facts_digest;
  std::uint64_t blocks_copied = 0;  // of pages, without decoding
};

MergeResult merge(const MergeRequest& request);

// Merges the runs of the request into one run.
RunFiles join_runs(const MergeRequest& request);

// The manifest of an archive whose new generation is `merged`.
Manifest manifest_of(const std::optional<Manifest>& before, const ArchiveOptions& options,
                     MergeResult merged);

// Whether a generation with these files and columns is identical to `before`, byte for byte.
bool is_same_generation(const Manifest& before, const Manifest& after);

// The totals of a generation's summaries.
ArchiveCounts count_generation(const GenerationReader& generation);
std::string digest_of_facts(const GenerationReader& generation);
// Fills in what was written: its counts and the digest of its facts.
void sum_up(const GenerationReader& generation, MergeResult& result);

}  // namespace webstrata
