// SPDX-License-Identifier: Apache-2.0

// What the driver of a cluster holds: the lock of the archive, and the generation being written.
//
//   ClusterDraft draft = ClusterDraft::create("lib.ws", options);   // or update("lib.ws")
//   … tasks write below draft.work_folder() …
//   draft.take(Layer::Links, folder, file);                          // every part
//   draft.publish();
//
// Without publish() the archive is unchanged.

#pragma once

#include <filesystem>
#include <optional>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/merge/merge.h"
#include "webstrata/cluster/carry_task.h"

namespace webstrata::cluster {

class ClusterDraft {
 public:
  // They throw what ArchiveWriter::create and ArchiveWriter::update throw.
  static ClusterDraft create(const std::filesystem::path& archive, const ArchiveOptions& options);
  static ClusterDraft update(const std::filesystem::path& archive);

  // The current generation; empty if there is none.
  [[nodiscard]] const std::optional<Manifest>& before() const noexcept { return before_; }
  [[nodiscard]] const ArchiveOptions& options() const noexcept { return options_; }
  // For everything that tasks write; deleted with the draft.
  [[nodiscard]] std::filesystem::path work_folder() const { return lock_->work_folder(); }

  // Moves a part from `folder`, where it is durable, into the generation.
  void take(Layer layer, const std::filesystem::path& folder, const LayerFile& file);
  // The same for columns of scores. Columns that are not taken are not in the new generation.
  void take(const CarriedColumns& columns, const std::filesystem::path& folder);
  // Where the generation is, and its layers so far as a manifest: for carry_columns().
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return draft_->folder(); }
  [[nodiscard]] Manifest written() const;
  // If nothing is new, the archive stays as it is, and the current generation is returned.
  Manifest publish();
  // Releases the lock; what was not published is lost. No other function may be called afterwards.
  void close();

 private:
  ClusterDraft(WriterLock lock, const ArchiveOptions& options);

  std::unique_ptr<WriterLock> lock_;
  std::optional<Manifest> before_;
  ArchiveOptions options_;
  std::unique_ptr<GenerationDraft> draft_;
  MergeResult result_;
};

}  // namespace webstrata::cluster
