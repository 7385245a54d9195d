// SPDX-License-Identifier: Apache-2.0

// An update first finds out what is new, in numbers of the stack that will be; then it knows how
// large a stratum that is, which strata it is merged with, and where the nodes of saved scores go.
// What stays is linked. Everything happens in the folder of a draft, which the caller publishes.
// Tested by tests/archive/stack_test.cpp, and with kills by tests/cli/stack_test.py.

#include "webstrata/archive/stack_changes.h"

#include <algorithm>

#include "webstrata/archive/disk/places.h"
#include "webstrata/archive/disk/take_over.h"
#include "webstrata/archive/gather/translation.h"
#include "webstrata/archive/merge/score_carry.h"
#include "webstrata/archive/merge/stratum_writer.h"
#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLookUpCacheBytes = std::size_t{128} << 20;
constexpr std::size_t kColumnsShare = 4;

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

void take_over_columns(const fs::path& from, const Manifest& manifest, const fs::path& to) {
  for (const auto* columns : {&manifest.scores, &manifest.link_scores}) {
    for (const auto& [name, file] : *columns) take_over(from / file.name, to / file.name);
  }
}

// The base of the stack is what was before, the others bring facts. `stack` outlives the request.
void add_strata(const StackReader& stack, MergeRequest& request) {
  request.before = &stack.stratum(0);
  for (std::size_t i = 1; i < stack.size(); ++i) request.strata.push_back(&stack.stratum(i));
}

// What changes: the present stack, as one even if it has one stratum only, and what is new.
struct Addition {
  fs::path generation;
  const Manifest& before;
  Manifest stack;
  NewFacts fresh;
};

NewFacts new_facts_of(const fs::path& generation, const Manifest& before,
                      const StackResources& resources, const std::vector<RunFiles>& runs) {
  const CachedStack below(generation, before, kLookUpCacheBytes);
  NewFactsRequest request;
  request.scratch = resources.scratch;
  request.options = before.options;
  request.below = &below;
  request.counts_below = before.counts;
  request.runs = runs;
  request.memory_bytes = resources.memory_bytes;
  request.work = resources.work;
  return find_new_facts(request);
}

// The lowest stratum that is merged with the new facts; the number of strata if none is.
std::size_t first_to_merge(const Addition& addition, Merging merging) {
  std::vector<std::uint64_t> sizes;
  for (const Stratum& stratum : addition.stack.strata) sizes.push_back(size_of(stratum.counts));
  sizes.push_back(addition.fresh.size);
  return first_merged(sizes, merging);
}

// All strata and the new facts become one.
StackChange merge_with_base(const Addition& addition, const StackResources& resources,
                            const fs::path& folder) {
  const StackReader stack(addition.generation, addition.before);
  MergeRequest request = merge_request_of(resources, folder, addition.before.options);
  add_strata(stack, request);
  request.runs = {addition.fresh.given};
  MergeResult merged = merge(request);
  const std::uint64_t blocks_copied = merged.blocks_copied;
  return {manifest_of(addition.before, addition.before.options, std::move(merged)), blocks_copied};
}

std::uint64_t count_new_keys(const StratumPlaces& places) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(places.keys, [](const KeyPlace& place) { return !place.is_known; }));
}

// The strata from `first` on and the new facts as one stratum, in `folder`.
Stratum merge_top(const Addition& addition, std::size_t first, const fs::path& folder,
                  const StackResources& resources) {
  StrataMergeRequest request;
  request.folder = folder;
  request.scratch = resources.scratch;
  request.options = addition.before.options;
  request.fresh = &addition.fresh;
  request.memory_bytes = resources.memory_bytes;
  request.work = resources.work;
  request.keys_below = addition.stack.strata.front().counts.nodes;
  std::vector<std::unique_ptr<GenerationReader>> readers;
  for (std::size_t i = 1; i < addition.stack.strata.size(); ++i) {
    const fs::path place = stratum_folder(addition.generation, i);
    StratumPlaces places = read_places(place, addition.stack.strata[i].places.value());
    if (i < first) {
      request.keys_below += count_new_keys(places);
      continue;
    }
    readers.push_back(std::make_unique<GenerationReader>(place, addition.stack.of_stratum(i)));
    request.strata.push_back(readers.back().get());
    request.places.push_back(std::move(places));
  }
  return merge_strata(request);
}

// The strata below `first` stay as they are.
StackChange merge_above(const Addition& addition, std::size_t first,
                        const StackResources& resources, const fs::path& folder) {
  for (std::size_t i = 0; i < first; ++i) {
    take_over_stratum(addition.generation, addition.stack, i, folder, i);
  }
  const fs::path place = stratum_folder(folder, first);
  Stratum top = merge_top(addition, first, place, resources);
  sync_folder(place);
  StackChange change = {addition.stack, 0};
  change.manifest.format_version = kStackFormatVersion;
  change.manifest.strata.resize(first);
  change.manifest.strata.push_back(std::move(top));
  change.manifest.counts = addition.fresh.counts;
  change.manifest.facts_digest.clear();
  return change;
}

// Every uid is a rank, whatever the strata: what is new decides alone where the nodes go.
void carry_columns(const Addition& addition, const StackResources& resources,
                   const fs::path& folder, Manifest& manifest) {
  if (addition.before.scores.empty() && addition.before.link_scores.empty()) return;
  const StratumNumbers& uids = addition.fresh.uids->stratum(0);
  Translation translation(resources.scratch / "columns", resources.memory_bytes / kColumnsShare);
  for (std::uint64_t node = 0; node < uids.key_count(); ++node) translation.add(uids.uid(node));
  translation.finish();
  const std::uint64_t node_count = manifest.counts.nodes;
  CarriedLinkScores links = carry_link_scores(addition.generation, addition.before.link_scores,
                                              translation, node_count, nullptr, folder);
  manifest.link_scores = std::move(links.files);
  manifest.scores = carry_scores(addition.generation, addition.before.scores, translation,
                                 node_count, links.lapsed, folder);
}

}  // namespace

bool may_be_stack(const Manifest& manifest) {
  return manifest.options.optional_layers.empty() && manifest.counts.nodes > 0;
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

std::optional<StackChange> add_facts(const WriterLock& lock, const Manifest& before,
                                     const StackResources& resources,
                                     const std::vector<RunFiles>& runs, Merging merging,
                                     const fs::path& folder) {
  const fs::path generation = lock.archive() / generation_name(before.generation);
  Addition addition = {generation, before, before,
                       new_facts_of(generation, before, resources, runs)};
  if (!addition.fresh.is_changed) return std::nullopt;
  if (!before.is_stack()) {
    addition.stack.strata = {{before.counts, before.facts_digest, {}, {}}};
  }
  const std::size_t first = first_to_merge(addition, merging);
  if (first == 0 && merging == Merging::AboveBase)
    return StackChange{before, 0, addition.fresh.given};
  StackChange change = first == 0 ? merge_with_base(addition, resources, folder)
                                  : merge_above(addition, first, resources, folder);
  carry_columns(addition, resources, folder, change.manifest);
  return change;
}

void take_over_stack(const WriterLock& lock, const Manifest& before, const fs::path& folder) {
  const fs::path generation = lock.archive() / generation_name(before.generation);
  const std::size_t count = std::max<std::size_t>(1, before.strata.size());
  for (std::size_t i = 0; i < count; ++i) {
    take_over_stratum(generation, before, i, folder, i);
  }
  take_over_columns(generation, before, folder);
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
  take_over_columns(generation, before, draft.folder());
  return draft.publish(std::move(manifest));
}

}  // namespace webstrata
