// Tested by tests/archive/law_test.cpp and tests/archive/writer_test.cpp.

#include "webstrata/archive/writer.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/forget.h"
#include "webstrata/archive/generation_reader.h"
#include "webstrata/archive/generations.h"
#include "webstrata/archive/merge.h"
#include "webstrata/archive/run.h"
#include "webstrata/archive/scratch_folder.h"
#include "webstrata/base/error.h"
#include "webstrata/base/threads.h"

namespace webstrata {
namespace {

// While facts are read, memory holds batches that gather, as many again that are being sorted into
// a run, and what sorting needs.
constexpr std::size_t kGatherPercent = 25;
constexpr std::size_t kBatchBytesMax = std::size_t{16} << 20;

}  // namespace

std::size_t effective_memory(std::size_t memory_bytes) {
  if (memory_bytes == 0) {
    const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
    const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return std::max(kMemoryMin, pages * page_bytes / 4);
  }
  if (memory_bytes < kMemoryMin) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} MB of memory are too few; at least {} MB are needed",
                            memory_bytes >> 20, kMemoryMin >> 20));
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
  State(WriterLock writer_lock, const ArchiveOptions& archive_options,
        const WriteOptions& write_options)
      : lock(std::move(writer_lock)),
        options(archive_options),
        write(write_options),
        memory_bytes(effective_memory(write_options.memory_bytes)),
        scratch(write_options.temp.empty() ? lock.work_folder() : write_options.temp),
        sorters(1) {}

  // Hands the gathered batches to a sorter, once the one before has finished.
  void start_run(std::unique_lock<std::mutex>& guard) {
    run_done.wait(guard, [&] { return !is_sorting; });
    if (gathered.empty()) return;
    const auto batches = std::make_shared<std::vector<std::unique_ptr<FactBatch>>>();
    batches->swap(gathered);
    gathered_bytes = 0;
    const std::size_t number = runs.size();
    const RunFiles files = run_files(scratch.path(), number);
    runs.push_back(files);
    is_sorting = true;
    sorters.submit([this, batches, files, number] {
      // The flag falls whatever happens, so that nobody waits for ever.
      const auto finish = [&] {
        batches->clear();
        const std::lock_guard finished(mutex);
        is_sorting = false;
        run_done.notify_all();
      };
      try {
        const bool touches_rows = write_run(*batches, files);
        const std::lock_guard written(mutex);
        runs[number].touches_rows = touches_rows;
      } catch (...) {
        finish();
        throw;
      }
      finish();
    });
  }

  WriterLock lock;
  ArchiveOptions options;
  WriteOptions write;
  std::size_t memory_bytes;
  ScratchFolder scratch;
  std::optional<Tombstones> tombstones;
  IsForgotten is_forgotten;

  std::mutex mutex;
  std::condition_variable run_done;
  std::vector<std::unique_ptr<FactBatch>> gathered;
  std::size_t gathered_bytes = 0;
  std::vector<RunFiles> runs;
  bool is_sorting = false;
  Report left_out;
  ThreadPool sorters;  // last: its destructor waits for a task that uses the rest
};

ArchiveWriter::ArchiveWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ArchiveWriter::ArchiveWriter(ArchiveWriter&&) noexcept = default;
ArchiveWriter::~ArchiveWriter() = default;

ArchiveWriter ArchiveWriter::create(const std::filesystem::path& archive,
                                    const ArchiveOptions& options,
                                    const WriteOptions& write_options) {
  effective_memory(write_options.memory_bytes);
  return ArchiveWriter(
      std::make_unique<State>(WriterLock::create(archive), options, write_options));
}

ArchiveWriter ArchiveWriter::update(const std::filesystem::path& archive,
                                    const WriteOptions& write_options) {
  effective_memory(write_options.memory_bytes);
  WriterLock lock = WriterLock::take(archive);
  const Manifest manifest = lock.manifest().value();
  refuse_unknown_layers(archive, manifest);
  auto state = std::make_unique<State>(std::move(lock), manifest.options, write_options);
  state->tombstones = load_tombstones(archive, manifest);
  if (state->tombstones) {
    state->is_forgotten = [&known = *state->tombstones](std::string_view key,
                                                        std::optional<Time> time) {
      return known.covers(key, time);
    };
  }
  return ArchiveWriter(std::move(state));
}

const ArchiveOptions& ArchiveWriter::options() const noexcept { return state_->options; }

std::unique_ptr<FactBatch> ArchiveWriter::make_batch() const {
  return std::make_unique<FactBatch>(state_->options, state_->is_forgotten);
}

std::size_t ArchiveWriter::batch_bytes() const noexcept {
  return std::min(kBatchBytesMax, state_->memory_bytes / 32);
}

void ArchiveWriter::take(std::unique_ptr<FactBatch> batch) {
  State& state = *state_;
  std::unique_lock guard(state.mutex);
  state.left_out.merge(batch->report());
  if (batch->empty()) return;
  state.gathered_bytes += batch->bytes();
  state.gathered.push_back(std::move(batch));
  if (state.gathered_bytes >= state.memory_bytes / 100 * kGatherPercent) state.start_run(guard);
}

WriteSummary ArchiveWriter::commit() {
  State& state = *state_;
  {
    std::unique_lock guard(state.mutex);
    state.start_run(guard);
  }
  state.sorters.wait();

  WriteSummary summary;
  summary.left_out = state.left_out;
  summary.runs = state.runs.size();
  const std::optional<Manifest> before = state.lock.manifest();
  if (before && state.runs.empty()) {
    summary.manifest = *before;
    return summary;
  }
  std::optional<GenerationReader> generation;
  if (before)
    generation.emplace(state.lock.archive() / generation_name(before->generation), *before);
  GenerationDraft draft(state.lock);
  MergeRequest request;
  request.folder = draft.folder();
  request.scratch = state.scratch.path();
  request.options = state.options;
  request.before = generation ? &*generation : nullptr;
  if (before) request.scores = before->scores;
  if (before) request.link_scores = before->link_scores;
  request.runs = state.runs;
  request.memory_bytes = state.memory_bytes;
  request.threads = state.write.threads;
  request.progress = state.write.progress;
  request.cancel = state.write.cancel;
  MergeResult merged = merge(request);

  Manifest manifest = before.value_or(Manifest{});
  manifest.format_version = kFormatVersion;
  manifest.encoder_revision = kEncoderRevision;
  manifest.options = state.options;
  manifest.counts = merged.counts;
  manifest.facts_digest = merged.facts_digest;
  manifest.layers = std::move(merged.layers);
  manifest.scores = std::move(merged.scores);
  manifest.link_scores = std::move(merged.link_scores);
  summary.manifest = draft.publish(std::move(manifest));
  summary.is_changed = true;
  summary.blocks_copied = merged.blocks_copied;
  return summary;
}

}  // namespace webstrata
