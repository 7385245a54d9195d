// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/stack_test.cpp, and with kills by tests/cli/stack_test.py.

#include "webstrata/archive/stack_changes.h"

#include <unistd.h>

#include <algorithm>

#include "webstrata/archive/merge/stratum_writer.h"
#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLookUpCacheBytes = std::size_t{128} << 20;
// A stratum is merged with the one below it if that is less than this many times its size. Each
// fact is then rewritten a number of times that follows the logarithm of the facts above the base.
constexpr std::uint64_t kMergeShare = 2;

// The same file in another folder, by a hard link where possible.
void take_over(const fs::path& from, const fs::path& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return;
  const MappedFile file = MappedFile::open(from);
  write_file(to, file.bytes());
}

void take_over_layers(const fs::path& from, const fs::path& to,
                      const std::map<Layer, std::vector<LayerFile>>& layers) {
  fs::create_directories(to);
  for (const auto& [layer, files] : layers) {
    for (const LayerFile& file : files) take_over(from / file.name, to / file.name);
  }
}

// Stratum number `number` of `before` as number `place` of the draft.
void take_over_stratum(const fs::path& generation, const Manifest& before, std::size_t number,
                       const fs::path& draft, std::size_t place) {
  const fs::path from = stratum_folder(generation, number);
  const fs::path to = stratum_folder(draft, place);
  take_over_layers(from, to, before.of_stratum(number).layers);
  if (number == 0) return;
  const std::string& name = before.strata[number].places.value().name;
  take_over(from / name, to / name);
  sync_folder(to);
}

// What a stratum costs to write, roughly.
std::uint64_t size_of(const ArchiveCounts& counts) {
  return counts.nodes + counts.sightings + counts.link_facts;
}

// How many of the strata, from the top, are merged with a new one of that size. The base stays.
std::size_t merged_count(const Manifest& before, std::uint64_t new_size) {
  std::size_t count = 0;
  for (std::size_t i = before.strata.size(); i-- > 1; ++count) {
    const std::uint64_t size = size_of(before.strata[i].counts);
    if (size >= kMergeShare * new_size) break;
    new_size += size;
  }
  return count;
}

// The strata of `before` from `first` on and the new one, which is in `fresh`, into `folder`.
Stratum merge_top(const fs::path& generation, const Manifest& before, std::size_t first,
                  const Stratum& stratum, const fs::path& fresh, const fs::path& folder,
                  const StackResources& resources) {
  StrataMergeRequest request;
  request.folder = folder;
  request.scratch = resources.scratch;
  request.options = before.options;
  request.memory_bytes = resources.memory_bytes;
  request.work = resources.work;
  std::vector<std::unique_ptr<GenerationReader>> readers;
  const auto add = [&](const fs::path& place, const Manifest& manifest, const LayerFile& places) {
    readers.push_back(std::make_unique<GenerationReader>(place, manifest));
    request.strata.push_back(readers.back().get());
    request.places.push_back(read_places(place, places));
  };
  for (std::size_t i = first; i < before.strata.size(); ++i) {
    add(stratum_folder(generation, i), before.of_stratum(i), before.strata[i].places.value());
  }
  Manifest of_new;
  of_new.options = before.options;
  of_new.counts = stratum.counts;
  of_new.layers = stratum.layers;
  add(fresh, of_new, stratum.places.value());
  // The keys below: those of the base and of the strata that stay.
  request.keys_below = before.strata.front().counts.nodes;
  for (std::size_t i = 1; i < first; ++i) {
    const StratumPlaces places =
        read_places(stratum_folder(generation, i), before.strata[i].places.value());
    request.keys_below += static_cast<std::uint64_t>(
        std::ranges::count_if(places.keys, [](const KeyPlace& place) { return !place.is_known; }));
  }
  return merge_strata(request);
}

}  // namespace

bool may_be_stack(const Manifest& manifest) {
  return manifest.scores.empty() && manifest.link_scores.empty() &&
         manifest.options.optional_layers.empty() && manifest.counts.nodes > 0;
}

MergeRequest merge_request_of(const StackResources& resources, const fs::path& folder,
                              const ArchiveOptions& options) {
  MergeRequest request;
  request.folder = folder;
  request.scratch = resources.scratch;
  request.options = options;
  request.memory_bytes = resources.memory_bytes;
  request.work = resources.work;
  return request;
}

void add_strata(const StackReader& stack, MergeRequest& request) {
  request.before = &stack.stratum(0);
  for (std::size_t i = 1; i < stack.size(); ++i) request.strata.push_back(&stack.stratum(i));
}

std::optional<Manifest> add_stratum(const WriterLock& lock, const Manifest& before,
                                    const StackResources& resources,
                                    const std::vector<RunFiles>& runs, const fs::path& folder) {
  const fs::path generation = lock.archive() / generation_name(before.generation);
  const CachedStack below(generation, before, kLookUpCacheBytes);
  const fs::path fresh = resources.scratch / "stratum";
  StratumRequest request;
  request.folder = fresh;
  request.scratch = resources.scratch;
  request.options = before.options;
  request.below = &below;
  request.counts_below = before.counts;
  request.runs = runs;
  request.memory_bytes = resources.memory_bytes;
  request.work = resources.work;
  StratumResult written = write_stratum(request);
  if (!written.is_changed) return std::nullopt;

  Manifest manifest = before;
  manifest.format_version = kStackFormatVersion;
  if (!before.is_stack()) manifest.strata = {{before.counts, before.facts_digest, {}, {}}};
  const std::size_t merged = merged_count(manifest, size_of(written.stratum.counts));
  const std::size_t kept = manifest.strata.size() - merged;
  for (std::size_t i = 0; i < kept; ++i) take_over_stratum(generation, before, i, folder, i);
  const fs::path place = stratum_folder(folder, kept);
  if (merged > 0) {
    written.stratum =
        merge_top(generation, manifest, kept, written.stratum, fresh, place, resources);
  } else {
    take_over_layers(fresh, place, written.stratum.layers);
    const std::string& name = written.stratum.places.value().name;
    take_over(fresh / name, place / name);
  }
  sync_folder(place);
  manifest.strata.resize(kept);
  manifest.strata.push_back(std::move(written.stratum));
  manifest.counts = written.counts;
  manifest.facts_digest.clear();
  return manifest;
}

Manifest compact_stack(const WriterLock& lock, const Manifest& before,
                       const StackResources& resources) {
  const fs::path generation = lock.archive() / generation_name(before.generation);
  const StackReader stack(generation, before);
  GenerationDraft draft(lock);
  MergeRequest request = merge_request_of(resources, draft.folder(), before.options);
  add_strata(stack, request);
  Manifest manifest = manifest_of(before, before.options, merge(request));
  // The nodes are those of the stack, and so are their scores.
  manifest.scores = before.scores;
  manifest.link_scores = before.link_scores;
  for (const auto* columns : {&before.scores, &before.link_scores}) {
    for (const auto& [name, file] : *columns) {
      take_over(generation / file.name, draft.folder() / file.name);
    }
  }
  return draft.publish(std::move(manifest));
}

}  // namespace webstrata
