// SPDX-License-Identifier: Apache-2.0

// A writer holds the archive's lock from start to end. Batches go to a RunGatherer, which sorts
// them into runs when memory is full; commit() writes the next generation into a draft folder and
// publishes it: what is new as a stratum on the present ones (stack_changes.h), or all merged into
// one. An update that changes nothing discards the draft and keeps the generation.
//
// Archives that are joined become runs like any other (join.h). If they have forgotten something
// that this one holds, commit() first deletes it here, as forget() does.
// Tested by tests/archive/law_test.cpp and tests/archive/archive_test.cpp.

#include "webstrata/archive/writer.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/scratch_folder.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/gather/run_gatherer.h"
#include "webstrata/archive/join.h"
#include "webstrata/archive/merge/merge.h"
#include "webstrata/archive/merge/score_columns_writer.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/archive/stack_changes.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::size_t kScoresShare = 8;
constexpr std::size_t kJoinShare = 16;

// "1K", "127M": an amount as a user would write it, rounded down.
std::string bytes_word(std::size_t bytes) {
  constexpr std::string_view kUnits = "KMG";
  std::string word = std::to_string(bytes);
  for (const char unit : kUnits) {
    if (bytes < 1024) break;
    bytes >>= 10;
    word = std::to_string(bytes) + unit;
  }
  return word;
}

}  // namespace

std::size_t effective_memory(std::size_t memory_bytes) {
  if (memory_bytes == 0) {
    const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
    const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return std::max(kMemoryMin, pages * page_bytes / 4);
  }
  if (memory_bytes < kMemoryMin) {
    throw Error(ErrorKind::BadInput,
                fmt::format("memory: {} is too little; at least {}M is needed, or leave it out",
                            bytes_word(memory_bytes), kMemoryMin >> 20));
  }
  return memory_bytes;
}

void refuse_unknown_layers(const std::filesystem::path& archive, const Manifest& manifest) {
  if (manifest.unknown_layers.empty()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: it has a layer {}, which this program does not know and would "
                          "lose; use the program that wrote it",
                          archive.string(), manifest.unknown_layers.front()));
}

struct ArchiveWriter::State {
  State(WriterLock writer_lock, const ArchiveOptions& options, const WriteOptions& write_options,
        std::optional<Tombstones> known)
      : lock(std::move(writer_lock)),
        write(write_options),
        memory_bytes(effective_memory(write_options.memory_bytes)),
        scratch(write_options.temp.empty() ? lock.work_folder() : write_options.temp),
        tombstones(std::move(known)),
        gatherer(options, covered_by(tombstones), memory_bytes, scratch.path()) {}

  [[nodiscard]] StackResources resources() const {
    return {scratch.path(), memory_bytes, write.work};
  }

  WriterLock lock;
  WriteOptions write;
  std::size_t memory_bytes;
  ScratchFolder scratch;
  std::optional<Tombstones> tombstones;
  RunGatherer gatherer;
  std::vector<ScoreColumn> columns;
  std::mutex scores_mutex;
  std::optional<ScoreRuns> scores;
  std::vector<RunFiles> joined_runs;
  Report joined_left_out;
  bool has_new_tombstones = false;  // of archives that were joined
};

ArchiveWriter::ArchiveWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ArchiveWriter::ArchiveWriter(ArchiveWriter&&) noexcept = default;
ArchiveWriter::~ArchiveWriter() = default;

ArchiveWriter ArchiveWriter::create(const std::filesystem::path& archive,
                                    const ArchiveOptions& options,
                                    const WriteOptions& write_options) {
  effective_memory(write_options.memory_bytes);
  return ArchiveWriter(
      std::make_unique<State>(WriterLock::create(archive), options, write_options, std::nullopt));
}

ArchiveWriter ArchiveWriter::update(const std::filesystem::path& archive,
                                    const WriteOptions& write_options) {
  effective_memory(write_options.memory_bytes);
  WriterLock lock = WriterLock::take(archive);
  const Manifest manifest = lock.manifest().value();
  refuse_unknown_layers(archive, manifest);
  return ArchiveWriter(std::make_unique<State>(std::move(lock), manifest.options, write_options,
                                               load_tombstones(archive, manifest)));
}

ArchiveOptions options_of_archive(const std::filesystem::path& archive) {
  return Manifest::load(archive).options;
}

RunGatherer& ArchiveWriter::gatherer() noexcept { return state_->gatherer; }

const ArchiveOptions& ArchiveWriter::options() const noexcept { return state_->gatherer.options(); }

std::unique_ptr<FactBatch> ArchiveWriter::make_batch() const {
  return state_->gatherer.make_batch();
}

std::size_t ArchiveWriter::batch_bytes() const noexcept { return state_->gatherer.batch_bytes(); }

void ArchiveWriter::take(std::unique_ptr<FactBatch> batch) {
  state_->gatherer.take(std::move(batch));
}

void ArchiveWriter::score_columns(std::vector<ScoreColumn> columns) {
  State& state = *state_;
  const std::optional<Manifest> before = state.lock.manifest();
  for (const ScoreColumn& column : columns) {
    check_column_name(column.name);
    if (!before || !before->scores.contains(column.name)) continue;
    if (before->link_scores.contains(column.name)) continue;
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: '{}' are scores that were saved by themselves; take another name",
                            state.lock.archive().string(), column.name));
  }
  state.scores.emplace(state.scratch.path(), columns.size(), state.memory_bytes / kScoresShare);
  state.columns = std::move(columns);
}

void ArchiveWriter::take_scores(ScoreBatch batch) {
  const std::lock_guard guard(state_->scores_mutex);
  state_->scores.value().take(std::move(batch));
}

void ArchiveWriter::commit_on_stack(const std::vector<RunFiles>& runs, const Manifest& before,
                                    WriteSummary& summary) {
  State& state = *state_;
  summary.manifest = before;
  std::optional<GenerationDraft> draft(state.lock);
  std::optional<StackChange> change =
      add_facts(state.lock, before, state.resources(), runs, state.write.merging, draft->folder());
  const bool has_scores = state.scores.has_value();
  if (!change && has_scores) {
    take_over_stack(state.lock, before, draft->folder());
    change = StackChange{before};
  }
  if (has_scores) {
    write_score_columns(draft->folder(), change->manifest, state.columns, *state.scores);
  }
  if (change && !is_same_generation(before, change->manifest)) {
    summary.blocks_copied = change->blocks_copied;
    summary.manifest = draft->publish(std::move(change->manifest));
    summary.is_changed = true;
  }
  draft.reset();
  if (state.write.merging != Merging::All || !summary.manifest.is_stack()) return;
  summary.manifest = compact_stack(state.lock, summary.manifest, state.resources());
  summary.is_changed = true;
}

std::vector<Manifest> ArchiveWriter::join(const std::vector<std::filesystem::path>& archives) {
  State& state = *state_;
  std::vector<JoinedArchive> joined;
  std::vector<Manifest> manifests;
  for (const std::filesystem::path& path : archives) {
    const JoinedArchive& one = joined.emplace_back(path);
    manifests.push_back(one.lease.manifest());
    require_same_options(state.lock.archive(), options(), path, manifests.back().options);
    if (!one.tombstones || one.tombstones->empty()) continue;
    if (state.tombstones) {
      state.has_new_tombstones |= state.tombstones->join(*one.tombstones);
    } else {
      state.tombstones = one.tombstones;
      state.has_new_tombstones = true;
    }
  }
  const IsForgotten is_forgotten = covered_by(state.tombstones);
  state.gatherer.keep_out(is_forgotten);

  const std::filesystem::path folder = state.scratch.path() / "joined";
  std::filesystem::create_directory(folder);
  struct Part {
    const JoinedArchive* archive;
    std::size_t stratum;
  };
  std::vector<Part> parts;
  for (const JoinedArchive& one : joined) {
    const std::size_t strata = std::max<std::size_t>(1, one.lease.manifest().strata.size());
    for (std::size_t i = 0; i < strata; ++i) parts.push_back({&one, i});
  }
  std::vector<Report> left_out(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) state.joined_runs.push_back(run_files(folder, i));
  run_tasks(parts.size(), state.write.work, "reading archives", [&](std::size_t i) {
    JoinRequest request;
    request.run = state.joined_runs[i];
    request.scratch = folder;
    request.is_forgotten = is_forgotten ? &is_forgotten : nullptr;
    request.memory_bytes = state.memory_bytes / kJoinShare;
    request.work.cancel = state.write.work.cancel;
    left_out[i] = write_run_of(*parts[i].archive, parts[i].stratum, request);
  });
  for (const Report& report : left_out) state.joined_left_out.merge(report);
  return manifests;
}

namespace {

// What was forgotten is gone only when no file has it any more. A writer cannot wait: the reader
// may be its own process.
void delete_for_good(const WriterLock& lock, const CancelToken* cancel) {
  wait_for_readers(lock, cancel, [&](std::uint64_t generation, std::span<const pid_t> processes) {
    throw Error(ErrorKind::Io,
                fmt::format("{}: the archives are joined, but process {} still reads {}, which "
                            "holds what one of them has forgotten; close it and repeat the command",
                            lock.archive().string(), fmt::join(processes, ", "),
                            generation_name(generation)));
  });
}

}  // namespace

WriteSummary ArchiveWriter::commit() {
  State& state = *state_;
  bool has_forgotten = false;
  if (state.has_new_tombstones && state.lock.manifest()) {
    state.gatherer.finish();  // an error in sorting must come first
    has_forgotten = forget_covered(state.lock, *state.tombstones, state.write);
  }
  WriteSummary summary = merge_and_publish();
  summary.left_out.merge(state.joined_left_out);
  summary.has_forgotten = has_forgotten;
  if (state.has_new_tombstones) summary.is_changed = true;
  if (has_forgotten) delete_for_good(state.lock, state.write.work.cancel);
  if (state.has_new_tombstones) summary.manifest = state.lock.manifest().value();
  return summary;
}

WriteSummary ArchiveWriter::merge_and_publish() {
  State& state = *state_;
  std::vector<RunFiles> runs = state.gatherer.finish();
  runs.insert(runs.end(), state.joined_runs.begin(), state.joined_runs.end());
  WriteSummary summary;
  summary.left_out = state.gatherer.left_out();
  summary.runs = runs.size();
  std::optional<Manifest> before = state.lock.manifest();
  if (before && runs.empty()) {
    summary.manifest = *before;
    return summary;
  }
  // One merge does it where nothing but one stratum is wanted.
  const bool is_merged = !before || !may_be_stack(*before) ||
                         (state.write.merging == Merging::All && !before->is_stack());
  if (is_merged) {
    commit_merged(runs, before, summary);
  } else {
    commit_on_stack(runs, *before, summary);
  }
  return summary;
}

// `before` has one stratum, if any.
void ArchiveWriter::commit_merged(const std::vector<RunFiles>& runs,
                                  const std::optional<Manifest>& before, WriteSummary& summary) {
  State& state = *state_;
  std::optional<GenerationReader> generation;
  if (before) {
    generation.emplace(state.lock.archive() / generation_name(before->generation), *before);
  }
  GenerationDraft draft(state.lock);
  MergeRequest request = merge_request_of(state.resources(), draft.folder(), options());
  if (before) {
    request.before = &*generation;
    request.scores = before->scores;
    request.link_scores = before->link_scores;
  }
  request.runs = runs;
  MergeResult merged = merge(request);
  summary.blocks_copied = merged.blocks_copied;

  Manifest manifest = manifest_of(before, options(), std::move(merged));
  if (state.has_new_tombstones && !before) {
    manifest.tombstones = save_tombstones(state.lock.archive(), *state.tombstones);
  }
  if (state.scores) write_score_columns(draft.folder(), manifest, state.columns, *state.scores);
  // If nothing is new, no new generation is needed.
  summary.is_changed = !before || !is_same_generation(*before, manifest);
  summary.manifest = summary.is_changed ? draft.publish(std::move(manifest)) : *before;
}

WriteSummary compact(const std::filesystem::path& archive, const WriteOptions& write_options) {
  const std::size_t memory_bytes = effective_memory(write_options.memory_bytes);
  const WriterLock lock = WriterLock::take(archive);
  WriteSummary summary;
  summary.manifest = lock.manifest().value();
  refuse_unknown_layers(archive, summary.manifest);
  if (!summary.manifest.is_stack()) return summary;
  const ScratchFolder scratch(write_options.temp.empty() ? lock.work_folder() : write_options.temp);
  summary.manifest =
      compact_stack(lock, summary.manifest, {scratch.path(), memory_bytes, write_options.work});
  summary.is_changed = true;
  return summary;
}

}  // namespace webstrata
