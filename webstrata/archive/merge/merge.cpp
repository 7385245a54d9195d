// SPDX-License-Identifier: Apache-2.0

// One merge does the work of build (runs only), update (the generation before and runs) and forget
// (the generation before and a filter). It has four steps, each a stream through sorted inputs:
//
//   1. cascade     if there are more runs than can be read at once within the memory, some of them
//                  are merged into one first
//   2. names       the keys of all inputs are merged; the position of a key is its uid, and every
//                  input gets a translation from its own numbers to uids
//   3. pages       page by page in the order of uids, the facts of all inputs are joined and the
//                  layers of rows and sightings are written
//   4. in-links    what the touched pages gained and lost was sorted by target on the way; it is
//                  applied to the in-link layers of the generation before (in_layers.h)
//
// Why the result does not depend on the order of the inputs: keys form a set; translations are
// monotone, so lists that were sorted stay sorted; joining facts (gather/page.h) is commutative,
// associative and idempotent; and the encoders see only the joined facts. This is the law of
// docs/ARCHITECTURE.md.
//
// Rows of revisits are the one thing in a generation that is not a fact: they follow from the
// other facts of the page. They are therefore removed before facts are joined and derived again
// afterwards. A page that no run touches keeps its rows, because its facts are the same.
//
// What can be skipped without changing a byte:
// - A block that no run touches is copied undecoded, if no key came or went (`nodes_stay_`):
//   otherwise its uids would change. Then its chunks would be encoded to the same bytes.
// - If the runs hold sightings alone, with no revisit among them (`rows_stay_`), all layers of
// rows   are copied and only the sightings are merged.
// - Blocks of names are copied until the first key that is new or dropped.
//
// Memory is divided by fixed shares (the constants below), so that --memory bounds the sum of
// translation, sorter and input buffers for any number of inputs.
//
// Literature: external merge sort, Knuth, The Art of Computer Programming 3, section 5.4; updates
// by merging sorted runs, O'Neil et al. 1996 (LSM trees).
// Tested by tests/archive/law_test.cpp and tests/cli/archive_law_test.py.

#include "webstrata/archive/merge/merge.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/archive/merge/generation_input.h"
#include "webstrata/archive/merge/in_facts.h"
#include "webstrata/archive/merge/in_layers.h"
#include "webstrata/archive/merge/input_merge.h"
#include "webstrata/archive/merge/node_layers_writer.h"
#include "webstrata/archive/merge/page_writer.h"
#include "webstrata/archive/merge/score_carry.h"
#include "webstrata/base/checksum.h"

namespace webstrata {
namespace {

// How --memory is shared out in a merge; the rest is for the chunks under way.
constexpr std::size_t kTranslationShare = 4;  // a quarter
constexpr std::size_t kSorterShare = 4;
constexpr std::size_t kInputShare = 8;
constexpr std::size_t kInputBufferMin = std::size_t{1} << 14;
constexpr std::size_t kInputBufferMax = std::size_t{1} << 18;
constexpr std::size_t kFilesPerRun = 2;
constexpr std::uint64_t kPagesPerTell = 1 << 10;

std::size_t input_buffer_bytes(std::size_t memory_bytes, std::size_t runs) {
  const std::size_t share =
      memory_bytes / kInputShare / std::max<std::size_t>(1, runs * kFilesPerRun);
  return std::clamp(share, kInputBufferMin, kInputBufferMax);
}

// Writes names; as long as no key is new, whole blocks are copied instead of encoded.
class NamesMerge {
 public:
  NamesMerge(const MergeRequest& request, EncodePool& pool)
      : before_(request.before),
        block_nodes_(std::uint64_t{1} << request.options.block_bits),
        writer_(request.folder, request.options, pool) {}

  void add(std::string_view key, bool is_old) {
    is_same_ = is_same_ && is_old && before_ != nullptr;
    if (!is_same_) {
      give_waiting();
      writer_.add(key);
      return;
    }
    waiting_.add(key);
    if (waiting_.size() == block_nodes_) copy_waiting();
  }

  void drop() {  // a key of the generation before goes
    is_same_ = false;
    give_waiting();
  }

  std::map<Layer, std::vector<LayerFile>> finish() {
    const bool was_last = before_ != nullptr && is_same_ && waiting_.size() > 0 &&
                          writer_.size() + waiting_.size() == before_->node_count();
    if (was_last) {
      copy_waiting();
    } else {
      give_waiting();
    }
    return writer_.finish();
  }

 private:
  void copy_waiting() {
    writer_.copy_block(writer_.size() / block_nodes_, before_->layer(Layer::Names));
    waiting_.clear();
  }
  void give_waiting() {
    for (std::size_t i = 0; i < waiting_.size(); ++i) writer_.add(waiting_[i]);
    waiting_.clear();
  }

  const GenerationReader* before_;
  std::uint64_t block_nodes_;
  NamesWriter writer_;
  KeyList waiting_;  // keys of a block that has been the same so far
  bool is_same_ = true;
};

// Writes the layers of pages, block by block.
class PagesMerge {
 public:
  PagesMerge(const MergeRequest& request, InputMerge& inputs, InFactSorter& in_facts,
             EncodePool& pool)
      : request_(request),
        inputs_(inputs),
        in_facts_(in_facts),
        finder_(request.options.range_seconds),
        nodes_stay_(nodes_stay(request, inputs)),
        rows_stay_(rows_stay(request, inputs)),
        writer_(request.folder, request.options, inputs.uid_count(), pool) {}

  void run(MergeResult& result) {
    const std::uint64_t block_nodes = std::uint64_t{1} << request_.options.block_bits;
    if (rows_stay_) inputs_.want_times_only(0);
    for (Uid first = 0; first < inputs_.uid_count(); first += block_nodes) {
      const std::uint64_t block = first / block_nodes;
      const bool is_untouched = nodes_stay_ && inputs_.next_uid(first_run()) >= first + block_nodes;
      if (is_untouched || rows_stay_) writer_.copy_rows(block, *request_.before);
      if (is_untouched) {
        writer_.copy_sightings(block, *request_.before);
        inputs_.skip(0, first + block_nodes);
        ++result.blocks_copied;
      } else {
        merge_block(first + block_nodes);
      }
      tell(std::min(first + block_nodes, inputs_.uid_count()));
    }
    result.layers.merge(writer_.finish());
  }

 private:
  [[nodiscard]] std::size_t first_run() const { return request_.before != nullptr ? 1 : 0; }

  // No key came or went, so that a block without new facts is as it was.
  [[nodiscard]] static bool nodes_stay(const MergeRequest& request, const InputMerge& inputs) {
    return request.before != nullptr && request.filter == nullptr &&
           inputs.uid_count() == request.before->node_count() &&
           inputs.translation(0).is_identity();
  }
  // And no new fact is about links: the layers of rows are as they were.
  [[nodiscard]] static bool rows_stay(const MergeRequest& request, const InputMerge& inputs) {
    return nodes_stay(request, inputs) && request.strata.empty() &&
           std::none_of(request.runs.begin(), request.runs.end(),
                        [](const RunFiles& run) { return run.touches_rows; });
  }

  void merge_block(Uid end) {
    while (inputs_.next_uid() < end) {
      merge_page(inputs_.next_uid());
      if (++pages_ % kPagesPerTell == 0) tell(inputs_.next_uid());
    }
  }

  void merge_page(Uid uid) {
    const bool has_old = request_.before != nullptr && inputs_.has(0, uid);
    const std::uint64_t old_number = has_old ? inputs_.number(0) : 0;
    if (has_old) inputs_.read(0, old_);
    page_.clear();
    bool has_new = false;
    for (std::size_t i = first_run(); i < inputs_.size(); ++i) {
      if (!inputs_.has(i, uid)) continue;
      if (has_new && replaces(i)) {
        page_.clear();
        has_new = false;
      }
      inputs_.read(i, has_new || has_old ? more_ : page_);
      if (has_new || has_old) append(page_, more_);
      has_new = true;
    }
    const bool is_filtered = has_old && filters(old_number);
    if (has_old && !has_new && !is_filtered) {
      if (!old_.empty()) write(uid, old_);  // as it was
      return;
    }
    if (rows_stay_) {
      if (has_old) append(page_, old_);
      normalise(page_);
      writer_.write_sightings(uid, page_);
      return;
    }
    if (has_old) {
      more_ = old_;
      if (is_filtered) filter_sightings(old_number, more_);
      drop_derived_rows(more_);
      append(page_, more_);
    }
    normalise(page_);
    if (!request_.keeps_rows) derive_rows(page_);
    if (!page_.empty()) write(uid, page_);
    add_changes(uid, has_old ? &old_ : nullptr, page_, finder_, in_facts_);
  }

  // Whether the next page of an input is a whole one, next to which those before it do not count.
  [[nodiscard]] bool replaces(std::size_t input) const {
    return input < request_.whole_pages.size() &&
           std::ranges::binary_search(request_.whole_pages[input], inputs_.number(input));
  }

  [[nodiscard]] bool filters(std::uint64_t number) const {
    return request_.filter != nullptr && request_.filter->touches(number);
  }

  // Rows stand and fall with the sightings of their second: drop_derived_rows() takes those that
  // have lost theirs.
  void filter_sightings(std::uint64_t number, PageFacts& page) const {
    std::erase_if(page.sightings, [&](const SightingRecord& sighting) {
      return request_.filter->drops_sighting(number, sighting);
    });
  }

  void write(Uid uid, const PageFacts& page) {
    if (rows_stay_) {
      writer_.write_sightings(uid, page);
    } else {
      writer_.write(uid, page);
    }
  }

  void tell(Uid done) const {
    request_.work.check_cancelled();
    if (request_.work.progress) {
      request_.work.progress(
          {"merging pages", std::min(done, inputs_.uid_count()), inputs_.uid_count(), "nodes"});
    }
  }

  const MergeRequest& request_;
  InputMerge& inputs_;
  InFactSorter& in_facts_;
  InFactFinder finder_;
  bool nodes_stay_;
  bool rows_stay_;
  PageWriter writer_;
  std::uint64_t pages_ = 0;
  PageFacts old_;
  PageFacts page_;
  PageFacts more_;
};

std::vector<std::unique_ptr<FactInput>> open_inputs(const MergeRequest& request,
                                                    const std::vector<RunFiles>& runs) {
  std::vector<std::unique_ptr<FactInput>> inputs;
  if (request.before != nullptr) inputs.push_back(open_generation(*request.before));
  for (const GenerationReader* stratum : request.strata) {
    inputs.push_back(request.keeps_rows ? open_generation(*stratum) : open_facts(*stratum));
  }
  const std::size_t buffer_bytes = input_buffer_bytes(request.memory_bytes, runs.size());
  for (const RunFiles& run : runs) inputs.push_back(open_run(run, buffer_bytes));
  return inputs;
}

void remove_run(const RunFiles& run) {
  std::filesystem::remove(run.keys);
  std::filesystem::remove(run.pages);
}

// Several runs become one.
void merge_runs(const std::vector<RunFiles>& runs, const RunFiles& into,
                const MergeRequest& request) {
  MergeRequest runs_only = request;
  runs_only.before = nullptr;
  runs_only.strata.clear();
  InputMerge inputs(open_inputs(runs_only, runs), request.scratch,
                    request.memory_bytes / kTranslationShare);
  RunWriter writer(into);
  inputs.merge_keys([&](std::string_view key, bool) {
    writer.add_key(key);
    return true;
  });
  PageFacts page;
  PageFacts more;
  while (inputs.next_uid() != InputMerge::kNone) {
    const Uid uid = inputs.next_uid();
    request.work.check_cancelled();
    page.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs.has(i, uid)) continue;
      inputs.read(i, more);
      append(page, more);
    }
    normalise(page);
    writer.add_page(uid, page);
  }
  writer.finish();
  for (const RunFiles& run : runs) remove_run(run);
}

// As many runs as can be read at once within the memory; more are merged among themselves first.
std::vector<RunFiles> cascade(const MergeRequest& request) {
  const std::size_t fan_in = std::max<std::size_t>(
      4, request.memory_bytes / kInputShare / (kFilesPerRun * kInputBufferMin * 2));
  std::vector<RunFiles> runs = request.runs;
  std::uint64_t next_number = runs.size();
  while (runs.size() > fan_in) {
    if (request.work.progress) request.work.progress({"merging runs", 0, runs.size(), "runs"});
    const std::size_t count = std::min(fan_in, runs.size() - fan_in + 1);
    const std::vector<RunFiles> first(runs.begin(),
                                      runs.begin() + static_cast<std::ptrdiff_t>(count));
    RunFiles merged = run_files(request.scratch, next_number++);
    merged.touches_rows = std::any_of(first.begin(), first.end(),
                                      [](const RunFiles& run) { return run.touches_rows; });
    merge_runs(first, merged, request);
    runs.erase(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(count));
    runs.push_back(merged);
  }
  return runs;
}

void merge_names(const MergeRequest& request, InputMerge& inputs, EncodePool& pool,
                 MergeResult& result) {
  NamesMerge names(request, pool);
  Uid old_number = 0;
  std::uint64_t seen = 0;
  inputs.merge_keys([&](std::string_view key, bool from_first) {
    const bool is_old = request.before != nullptr && from_first;
    const bool is_dropped =
        is_old && request.filter != nullptr && request.filter->drops(old_number);
    old_number += is_old ? 1 : 0;
    if (is_dropped) {
      names.drop();
    } else {
      names.add(key, is_old);
    }
    if (++seen % (std::uint64_t{1} << 16) == 0) {
      request.work.check_cancelled();
      if (request.work.progress) request.work.progress({"merging names", seen, 0, "names"});
    }
    return !is_dropped;
  });
  result.layers.merge(names.finish());
}

void carry_columns(const MergeRequest& request, const Translation& translation,
                   const GenerationReader& after, MergeResult& result) {
  CarriedLinkScores carried =
      carry_link_scores(request.before->folder(), request.link_scores, translation,
                        after.node_count(), nullptr, request.folder);
  result.scores = carry_scores(request.before->folder(), request.scores, translation,
                               after.node_count(), carried.lapsed, request.folder);
  result.link_scores = std::move(carried.files);
}

}  // namespace

ArchiveCounts count_generation(const GenerationReader& generation) {
  ArchiveCounts counts;
  for (std::uint64_t block = 0; block < generation.block_count(); ++block) {
    const auto summary = [&](Layer layer) -> const BlockSummary& {
      return generation.layer(layer).summary(block);
    };
    counts.nodes += summary(Layer::Names).items;
    counts.pages += summary(Layer::Times).filled;
    counts.captures += summary(Layer::Times).items;
    counts.sightings += summary(Layer::Sightings).items;
    counts.links += summary(Layer::Links).items;
    counts.link_facts += summary(Layer::Presence).items;
    const BlockSummary& seen = summary(Layer::Sightings);
    if (seen.items == 0) continue;
    if (!counts.span) counts.span = TimeInterval{seen.first, seen.last};
    counts.span->first = std::min(counts.span->first, seen.first);
    counts.span->last = std::max(counts.span->last, seen.last);
  }
  return counts;
}

std::string digest_of_facts(const GenerationReader& generation) {
  std::vector<std::uint64_t> sums;
  for (const Layer layer : generation.layers()) {
    if (!entry_of(layer).holds_facts) continue;
    sums.push_back(0);
    for (std::uint64_t block = 0; block < generation.block_count(); ++block) {
      sums.back() += generation.layer(layer).summary(block).content;
    }
  }
  const Checksum128 digest = checksum128(
      {reinterpret_cast<const char*>(sums.data()), sums.size() * sizeof(std::uint64_t)});
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

void sum_up(const GenerationReader& generation, MergeResult& result) {
  result.counts = count_generation(generation);
  result.facts_digest = digest_of_facts(generation);
}

Manifest manifest_of(const std::optional<Manifest>& before, const ArchiveOptions& options,
                     MergeResult merged) {
  Manifest manifest = before.value_or(Manifest{});
  manifest.format_version = kFormatVersion;
  manifest.encoder_revision = kEncoderRevision;
  manifest.options = options;
  manifest.counts = merged.counts;
  manifest.facts_digest = std::move(merged.facts_digest);
  manifest.layers = std::move(merged.layers);
  manifest.strata.clear();
  manifest.scores = std::move(merged.scores);
  manifest.link_scores = std::move(merged.link_scores);
  return manifest;
}

namespace {

// Columns have names of files that were free, which says nothing.
bool are_same_columns(const std::map<std::string, LayerFile>& some,
                      const std::map<std::string, LayerFile>& others) {
  return std::ranges::equal(some, others, [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.size == other.second.size &&
           one.second.checksum == other.second.checksum;
  });
}

}  // namespace

bool is_same_generation(const Manifest& before, const Manifest& after) {
  return before.layers == after.layers && before.facts_digest == after.facts_digest &&
         before.counts == after.counts && before.options == after.options &&
         before.strata == after.strata && are_same_columns(before.scores, after.scores) &&
         are_same_columns(before.link_scores, after.link_scores);
}

RunFiles join_runs(const MergeRequest& request) {
  std::vector<RunFiles> runs = cascade(request);
  if (runs.size() == 1) return runs.front();
  const RunFiles joined = {request.scratch / "joined.keys", request.scratch / "joined.pages"};
  merge_runs(runs, joined, request);
  return joined;
}

MergeResult merge(const MergeRequest& request) {
  MergeResult result;
  EncodePool pool(request.work.threads);
  const std::vector<RunFiles> runs = cascade(request);
  InputMerge inputs(open_inputs(request, runs), request.scratch,
                    request.memory_bytes / kTranslationShare);
  merge_names(request, inputs, pool, result);
  InFactSorter in_facts(request.scratch, request.memory_bytes / kSorterShare);
  PagesMerge(request, inputs, in_facts, pool).run(result);
  in_facts.finish();

  InLayersRequest in_layers;
  in_layers.folder = request.folder;
  in_layers.options = &request.options;
  in_layers.node_count = inputs.uid_count();
  in_layers.before = request.before;
  in_layers.translation = request.before != nullptr ? &inputs.translation(0) : nullptr;
  in_layers.changes = &in_facts;
  in_layers.work = request.work;
  result.layers.merge(write_in_layers(in_layers, pool));

  Manifest written;
  written.options = request.options;
  written.counts.nodes = inputs.uid_count();
  written.layers = result.layers;
  const GenerationReader generation(request.folder, written);
  if (request.before != nullptr) carry_columns(request, inputs.translation(0), generation, result);
  sum_up(generation, result);
  return result;
}

}  // namespace webstrata
