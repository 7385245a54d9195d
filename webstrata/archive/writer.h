// SPDX-License-Identifier: Apache-2.0

// Makes an archive, or imports more facts into one.
//
//   ArchiveWriter writer = ArchiveWriter::create("lib.ws", {.range_seconds = 86400}, {});
//   auto batch = writer.make_batch();
//   batch->add(capture);
//   writer.take(std::move(batch));
//   writer.commit();
//
// Facts are sorted into runs as they arrive; commit() writes what is new in them as a stratum on
// top of the present ones, and merges strata when that is due. Until then the archive is unchanged.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/disk/options.h"
#include "webstrata/archive/gather/fact_batch.h"
#include "webstrata/archive/gather/score_batch.h"
#include "webstrata/archive/stack_policy.h"
#include "webstrata/base/report.h"
#include "webstrata/base/work.h"

namespace webstrata {

class RunGatherer;
struct RunFiles;

inline constexpr std::size_t kMemoryMin = std::size_t{128} << 20;

struct WriteOptions {
  std::size_t memory_bytes = 0;     // 0: a quarter of the machine's; at least kMemoryMin
  std::filesystem::path temp = {};  // folder for scratch files; empty: inside the archive
  WorkOptions work = {};
  // An update writes its new facts as a stratum (docs/decisions/023-strata.md) and merges it with
  // others. Archives with optional layers are always merged into one.
  Merging merging = Merging::WhenDue;
};

struct WriteSummary {
  Manifest manifest;           // of the archive as it is now
  bool is_changed = false;     // false: nothing was new, and the generation stays
  bool has_forgotten = false;  // it held what a joined archive has forgotten; that is deleted
  std::uint64_t runs = 0;
  std::uint64_t blocks_copied = 0;  // blocks of pages that were not decoded
  Report left_out;
};

class ArchiveWriter {
 public:
  // Throws Error(BadInput) if `archive` exists and is not empty.
  static ArchiveWriter create(const std::filesystem::path& archive, const ArchiveOptions& options,
                              const WriteOptions& write_options);
  // Throws Error(NotFound), Error(Io) if another process writes, and Error(BadInput) if it holds
  // layers that this program does not know.
  static ArchiveWriter update(const std::filesystem::path& archive,
                              const WriteOptions& write_options);
  ArchiveWriter(ArchiveWriter&&) noexcept;
  ~ArchiveWriter();  // without commit() nothing has happened

  [[nodiscard]] const ArchiveOptions& options() const noexcept;
  // Where the facts go; the four functions below forward to it.
  [[nodiscard]] RunGatherer& gatherer() noexcept;
  // A batch to fill, on any thread.
  [[nodiscard]] std::unique_ptr<FactBatch> make_batch() const;
  // How large a batch should grow before take().
  [[nodiscard]] std::size_t batch_bytes() const noexcept;
  // Takes a batch; any thread may call. Sorts and writes a run when memory is full.
  void take(std::unique_ptr<FactBatch> batch);
  // Imports all facts of other archives; to be called once, before make_batch(). What any of the
  // archives has forgotten is kept out and becomes forgotten here. Returns the manifests of the
  // archives that were read. Throws Error(BadInput) if they were built with other options, and
  // what opening an archive throws.
  std::vector<Manifest> join(const std::vector<std::filesystem::path>& archives);
  // Scores of captures that become columns of these names (link_scores.h), in addition to those of
  // earlier commits; to be called before the first take_scores(). Throws Error(BadInput) for an
  // invalid name, or one that only a column of nodes has.
  void score_columns(std::vector<ScoreColumn> columns);
  // Any thread may call.
  void take_scores(ScoreBatch batch);
  // Throws Error(Io) if what a joined archive has forgotten is still in a generation that has
  // readers; then the archive is the new one, and the next writer deletes the old generation.
  WriteSummary commit();

 private:
  struct State;
  WriteSummary merge_and_publish();
  explicit ArchiveWriter(std::unique_ptr<State> state);
  void commit_on_stack(const std::vector<RunFiles>& runs, const Manifest& before,
                       WriteSummary& summary);
  void commit_merged(const std::vector<RunFiles>& runs, const std::optional<Manifest>& before,
                     WriteSummary& summary);
  std::unique_ptr<State> state_;
};

// Merges the strata of an archive into one, as a build from all its facts would have written them.
// Scores stay. Nothing happens if there is one stratum only.
WriteSummary compact(const std::filesystem::path& archive, const WriteOptions& write_options);

// The options of an archive. Throws what Manifest::load throws.
ArchiveOptions options_of_archive(const std::filesystem::path& archive);

// Throws Error(BadInput) if the archive has layers that this program would lose.
void refuse_unknown_layers(const std::filesystem::path& archive, const Manifest& manifest);

// What WriteOptions::memory_bytes means on this machine. Throws Error(BadInput) below kMemoryMin.
std::size_t effective_memory(std::size_t memory_bytes);

}  // namespace webstrata
