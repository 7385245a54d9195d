// SPDX-License-Identifier: Apache-2.0

// What the driver of a cluster holds: the lock of the archive, and the generation being written.
//
//   ClusterDraft draft = ClusterDraft::create("lib.ws", options);   // or update("lib.ws")
//   … tasks write below draft.work_folder() …
//   draft.take(Layer::Links, folder, file);                          // every part
//   draft.publish();
//
// An update that brings little puts a stratum on top instead, which the driver writes by itself:
//
//   draft.publish_stratum(runs, facts, memory_bytes);
//
// Without publish() the archive is unchanged.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/disk/scratch_folder.h"
#include "webstrata/archive/gather/run.h"
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

  // What adding a stratum led to: the archive as it is now, or runs that are due to be merged with
  // all strata, which tasks have to do.
  struct Added {
    std::optional<Manifest> manifest;
    std::vector<RunFiles> due;
  };
  // Puts the new facts of the runs on top, as an update on one machine does, with the same bytes.
  // If nothing is new, the archive stays as it is. The runs are used up. `facts` is about how many
  // they have (captures, sightings and links), new or not.
  Added publish_stratum(const std::vector<RunFiles>& runs, std::uint64_t facts,
                        std::size_t memory_bytes);

  // Releases the lock; what was not published is lost. No other function may be called afterwards.
  void close();

 private:
  ClusterDraft(WriterLock lock, const ArchiveOptions& options);

  std::unique_ptr<WriterLock> lock_;
  std::optional<Manifest> before_;
  ArchiveOptions options_;
  std::unique_ptr<GenerationDraft> draft_;
  std::unique_ptr<ScratchFolder> scratch_;  // of publish_stratum()
  MergeResult result_;
};

}  // namespace webstrata::cluster
