// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cluster/cluster_test.cpp.

#include "webstrata/cluster/draft.h"

#include "webstrata/archive/merge/stratum_writer.h"
#include "webstrata/archive/stack_changes.h"
#include "webstrata/archive/writer.h"

namespace webstrata::cluster {
ClusterDraft::ClusterDraft(WriterLock lock, const ArchiveOptions& options)
    : lock_(std::make_unique<WriterLock>(std::move(lock))),
      before_(lock_->manifest()),
      options_(options),
      draft_(std::make_unique<GenerationDraft>(*lock_)) {}

ClusterDraft ClusterDraft::create(const std::filesystem::path& archive,
                                  const ArchiveOptions& options) {
  return ClusterDraft(WriterLock::create(archive), options);
}

ClusterDraft ClusterDraft::update(const std::filesystem::path& archive) {
  WriterLock lock = WriterLock::take(archive);
  const Manifest manifest = lock.manifest().value();
  refuse_unknown_layers(archive, manifest);
  return ClusterDraft(std::move(lock), manifest.options);
}

void ClusterDraft::take(Layer layer, const std::filesystem::path& folder, const LayerFile& file) {
  std::filesystem::rename(folder / file.name, draft_->folder() / file.name);
  result_.layers[layer].push_back(file);
}

void ClusterDraft::take(const CarriedColumns& columns, const std::filesystem::path& folder) {
  for (const auto& [name, file] : columns.scores) {
    std::filesystem::rename(folder / file.name, draft_->folder() / file.name);
    result_.scores.emplace(name, file);
  }
  for (const auto& [name, file] : columns.link_scores) {
    std::filesystem::rename(folder / file.name, draft_->folder() / file.name);
    result_.link_scores.emplace(name, file);
  }
}

Manifest ClusterDraft::written() const {
  Manifest written;
  written.generation = draft_->number();
  written.options = options_;
  written.layers = result_.layers;
  for (const Layer layer : layers_of(options_)) written.layers[layer];  // of an empty archive, too
  const GenerationReader generation(draft_->folder(), written);
  written.counts = count_generation(generation);
  written.facts_digest = digest_of_facts(generation);
  return written;
}

Manifest ClusterDraft::publish() {
  const Manifest now = written();
  result_.layers = now.layers;
  result_.counts = now.counts;
  result_.facts_digest = now.facts_digest;
  Manifest manifest = manifest_of(before_, options_, std::move(result_));
  if (before_ && is_same_generation(*before_, manifest)) return *before_;
  return draft_->publish(std::move(manifest));
}

ClusterDraft::Added ClusterDraft::publish_stratum(const std::vector<RunFiles>& runs,
                                                  std::uint64_t facts, std::size_t memory_bytes) {
  const Manifest& before = before_.value();
  // More than the archive has is for the cluster, and the driver need not look at it.
  if (!may_be_stack(before) || facts > size_of(before.counts)) return {std::nullopt, runs};
  scratch_ = std::make_unique<ScratchFolder>(lock_->work_folder());
  const StackResources resources = {scratch_->path(), memory_bytes, {}};
  std::optional<StackChange> change =
      add_facts(*lock_, before, resources, runs, Merging::AboveBase, draft_->folder());
  if (!change) return {before, {}};
  if (change->left) return {std::nullopt, {*change->left}};
  return {draft_->publish(std::move(change->manifest)), {}};
}

void ClusterDraft::close() {
  scratch_.reset();
  draft_.reset();
  lock_.reset();
}

}  // namespace webstrata::cluster
