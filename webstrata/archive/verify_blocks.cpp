// SPDX-License-Identifier: Apache-2.0

// Each block is checked by itself, on any thread: its names, its pages, its in-links. Its decoded
// content must add up to its summary, whose digest the writers made from the facts themselves.
//
// That in-links mirror links is shown by sums: every page gives its in-link facts (target, source,
// range), whose hashes are added up for the block of the target; the same sum is the digest of that
// block of `in_links`. So the comparison takes sixteen bytes per block, whatever the order.
// Tested by tests/archive/verify_test.cpp.

#include "webstrata/archive/verify_blocks.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "webstrata/archive/gather/optional_facts.h"
#include "webstrata/archive/merge/in_facts.h"
#include "webstrata/archive/merge/node_layers_writer.h"
#include "webstrata/archive/merge/page_writer.h"
#include "webstrata/archive/read/optional_scanner.h"
#include "webstrata/base/error.h"
#include "webstrata/base/threads.h"
#include "webstrata/codec/names.h"
#include "webstrata/codec/sightings.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/key.h"

namespace webstrata {

void VerifyNotes::add(std::string problem) {
  const std::lock_guard lock(mutex_);
  problems_.insert(std::move(problem));
}

void VerifyNotes::show_progress(const Progress& progress) {
  if (!progress_) return;
  const std::lock_guard lock(mutex_);
  progress_(progress);
}

VerifyResult VerifyNotes::result() const {
  const std::lock_guard lock(mutex_);
  VerifyResult result;
  result.problems.assign(problems_.begin(), problems_.end());
  result.interrupted.assign(interrupted_.begin(), interrupted_.end());
  result.unchecked.assign(unchecked_.begin(), unchecked_.end());
  result.files = files_;
  result.blocks = blocks_;
  result.bytes = bytes_;
  return result;
}

void BlockDamage::add(Layer layer, std::uint64_t block) {
  const std::lock_guard lock(mutex_);
  blocks_.emplace(layer, block);
}

bool BlockDamage::has(Layer layer, std::uint64_t block) const {
  const std::lock_guard lock(mutex_);
  return blocks_.contains({layer, block});
}

namespace {

// Sums over the in-link facts of all pages, for each block of targets.
class MirrorSums {
 public:
  explicit MirrorSums(std::uint64_t blocks)
      : contents_(std::make_unique<std::atomic<std::uint64_t>[]>(blocks)),
        counts_(std::make_unique<std::atomic<std::uint64_t>[]>(blocks)) {}

  void add(std::uint64_t block, std::uint64_t content) {
    contents_[block].fetch_add(content, std::memory_order_relaxed);
    counts_[block].fetch_add(1, std::memory_order_relaxed);
  }
  [[nodiscard]] bool is(std::uint64_t block, std::uint64_t content, std::uint64_t count) const {
    return contents_[block] == content && counts_[block] == count;
  }
  // Some page could not be read, so the sums cannot be compared.
  void set_incomplete() { is_incomplete_ = true; }
  [[nodiscard]] bool is_incomplete() const { return is_incomplete_; }

 private:
  std::unique_ptr<std::atomic<std::uint64_t>[]> contents_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> counts_;
  std::atomic<bool> is_incomplete_ = false;
};

void see_time(BlockSummary& summary, Time time) {
  summary.first = summary.items == 0 ? time : std::min(summary.first, time);
  summary.last = summary.items == 0 ? time : std::max(summary.last, time);
  ++summary.items;
}

// The work on one block.
class BlockCheck {
 public:
  BlockCheck(const GenerationReader& generation, RowsOfRevisits rows, std::uint64_t block,
             BlockDamage& damage, MirrorSums& mirror, VerifyNotes& notes)
      : generation_(generation),
        rows_of_revisits_(rows),
        block_(block),
        first_(generation.first_node(block)),
        node_count_(std::min(std::uint64_t{1} << generation.options().block_bits,
                             generation.node_count() - first_)),
        damage_(damage),
        mirror_(mirror),
        notes_(notes) {}

  void run() {
    guarded({Layer::Names}, [&] { check_names(); });
    pages_are_whole_ = false;
    guarded({Layer::Links, Layer::Times, Layer::Presence, Layer::Kinds, Layer::Sightings},
            [&] { check_pages(); });
    if (!pages_are_whole_) mirror_.set_incomplete();
    guarded({Layer::InLinks, Layer::Ranges, Layer::InPresence}, [&] { check_in_links(); });
    for (const Layer layer : generation_.options().optional_layers) {
      guarded({layer}, [&] { check_optional(layer); });
    }
  }

 private:
  [[nodiscard]] std::string place(Layer layer) const {
    return generation_.layer(layer).describe(block_);
  }
  void tell(Layer layer, std::string_view what) { notes_.tell("{}: {}", place(layer), what); }
  void tell_node(Layer layer, Uid node, std::string_view what) {
    notes_.tell("{}: node {}: {}", place(layer), node, what);
  }

  // Runs a check if its layers are intact. Errors of decoders do not name the file: that is added
  // here.
  template <typename Check>
  void guarded(std::initializer_list<Layer> layers, Check check) {
    if (std::ranges::any_of(layers, [&](Layer layer) { return damage_.has(layer, block_); }))
      return;
    try {
      check();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled) throw;
      for (const Layer layer : layers) {
        if (is_decodable(layer)) continue;
        tell(layer, error.what());
        return;
      }
      tell(*layers.begin(), error.what());
    }
    for (const Layer layer : layers) generation_.layer(layer).release(block_);
  }

  // Whether a layer can be opened by itself, to find out which of several an error came from.
  [[nodiscard]] bool is_decodable(Layer layer) const {
    try {
      const BlockView view = generation_.view(layer, block_);
      for (const BlockChunk& chunk : view.chunks()) {
        entry_of(layer).check_chunk(chunk.bytes, first_ + chunk.first_node);
      }
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void compare_summary(Layer layer, const BlockSummary& found) {
    if (found == generation_.layer(layer).summary(block_)) return;
    tell(layer, "holds other facts than its summary says");
  }

  void check_names() {
    BlockSummary summary;
    std::string last = last_key_before();
    KeyList keys;
    const BlockView view = generation_.view(Layer::Names, block_);
    for (const BlockChunk& chunk : view.chunks()) {
      NamesChunk::open(chunk.bytes).decode(keys);
      if (keys.size() != chunk.node_count || first_ + summary.nodes != first_ + chunk.first_node) {
        tell(Layer::Names, "a chunk holds other nodes than its directory says");
      }
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const Uid node = first_ + summary.nodes;
        if (node > 0 && keys[i] <= last) tell_node(Layer::Names, node, "keys do not ascend");
        if (!url_of_key(keys[i])) tell_node(Layer::Names, node, "its key is not the key of a URL");
        summary.content += content_of_name(node, keys[i]);
        ++summary.nodes;
        last = keys[i];
      }
    }
    if (summary.nodes != node_count_) tell(Layer::Names, "has another number of names");
    summary.filled = summary.items = summary.nodes;
    compare_summary(Layer::Names, summary);
  }

  // The last key of the block before, which this block's must follow.
  [[nodiscard]] std::string last_key_before() const {
    std::string key;
    if (block_ == 0 || damage_.has(Layer::Names, block_ - 1)) return key;
    try {
      const BlockView view = generation_.view(Layer::Names, block_ - 1);
      if (view.chunks().empty()) return key;
      const NamesChunk chunk = NamesChunk::open(view.chunks().back().bytes);
      chunk.key(chunk.size() - 1, key);
    } catch (const Error&) {
      key.clear();  // reported where it is checked itself
    }
    return key;
  }

  // Sections of the rows of this block, checked node by node together with the sightings.
  void check_pages() {
    BlockSummary seen;
    InFactFinder finder(generation_.options().range_seconds);
    RowScanner rows(generation_, Direction::Out);
    rows.seek(block_, block_ + 1);
    const BlockView view = generation_.view(Layer::Sightings, block_);
    if (view.node_count() != node_count_) tell(Layer::Sightings, "has another number of nodes");
    check_cut(Direction::Out);
    PageFacts page;
    std::size_t chunk_number = 0;
    std::optional<SightingsChunk> chunk;
    for (Uid node = first_; node < first_ + node_count_; ++node) {
      page.clear();
      read_rows(rows, node, page);
      // The node's sightings, over all chunks that hold some.
      const auto local = static_cast<std::uint32_t>(node - first_);
      const BlockView::Range range = view.chunks_of(local);
      for (std::size_t i = range.first; i < range.end; ++i) {
        const BlockChunk& place = view.chunks()[i];
        if (!chunk || chunk_number != i) {
          chunk.emplace(SightingsChunk::open(place.bytes, first_ + place.first_node));
        }
        chunk_number = i;
        std::vector<SightingRecord> segment;
        chunk->sightings(local - place.first_node, page.times, segment);
        page.sightings.insert(page.sightings.end(), segment.begin(), segment.end());
      }
      ++seen.nodes;
      check_page(node, page, finder);
      add_to_summaries(node, page, seen);
    }
    for (std::size_t i = 0; i < kOutRowLayers.size(); ++i) {
      row_summaries_[i].nodes = node_count_;
      compare_summary(kOutRowLayers[i], row_summaries_[i]);
    }
    compare_summary(Layer::Sightings, seen);
    pages_are_whole_ = true;
  }

  // The chunks of all layers of a direction cover the nodes of the block.
  void check_cut(Direction direction) {
    for (const Layer layer : row_layers(direction)) {
      const BlockView view = generation_.view(layer, block_);
      if (view.node_count() != node_count_) tell(layer, "has another number of nodes");
    }
  }

  void read_rows(RowScanner& rows, Uid node, PageFacts& page) {
    PageLayers section;
    bool is_first = true;
    while (rows.next_node() == node) {
      rows.read(section);
      if (is_first) {
        from_layers(section, page);
        row_summaries_[0].filled += section.links.empty() ? 0 : 1;
        for (std::size_t i = 1; i < row_summaries_.size(); ++i) ++row_summaries_[i].filled;
      } else {
        PageFacts more;
        from_layers(section, more);
        append(page, more);
      }
      for (const Time time : section.times) see_time(row_summaries_[1], time);
      row_summaries_[2].items += section.ones.size();
      row_summaries_[3].items += section.ones.size();
      check_section(Layer::Links, node, section);
      is_first = false;
    }
    if (page.row_count() > 0) normalise(page);
  }

  // Links exist and ascend, times ascend, every link is in some row.
  void check_section(Layer layer, Uid node, const PageLayers& section) {
    constexpr auto kNotAscending = std::ranges::greater_equal();
    const std::vector<Uid>& links = section.links;
    if (std::ranges::adjacent_find(links, kNotAscending) != links.end()) {
      tell_node(layer, node, "its links do not ascend");
    }
    if (!links.empty() && links.back() >= generation_.node_count()) {
      tell_node(layer, node, "links to a node that does not exist");
    }
    if (std::ranges::adjacent_find(section.times, kNotAscending) != section.times.end()) {
      tell_node(layer, node, "its times do not ascend");
    }
    std::vector<bool> is_seen(links.size());
    for (const std::uint32_t one : section.ones) {
      if (one < links.size()) is_seen[one] = true;
    }
    if (std::ranges::find(is_seen, false) != is_seen.end()) {
      tell_node(layer, node, "has a link that is in none of its rows");
    }
  }

  void check_page(Uid node, const PageFacts& page, InFactFinder& finder) {
    for (const SightingRecord& sighting : page.sightings) check_sighting(node, sighting, page);
    if (!std::ranges::is_sorted(page.sightings)) {
      tell_node(Layer::Sightings, node, "its sightings are out of order");
    }
    // Rows must be those that its captures and revisits give.
    PageFacts again = page;
    normalise(again);
    if (rows_of_revisits_ == RowsOfRevisits::Derived) {
      drop_derived_rows(again);
      derive_rows(again);
    }
    if (again != page) {
      tell_node(Layer::Times, node, "its rows are not those of its captures and revisits");
    }
    finder.find(node, page, facts_);
    for (const InFact& fact : facts_) {
      if (fact.target >= generation_.node_count()) continue;
      mirror_.add(generation_.block_of(fact.target), content_of(fact));
    }
  }

  void check_sighting(Uid node, const SightingRecord& sighting, const PageFacts& page) {
    const bool has_row = std::ranges::binary_search(page.times, sighting.time);
    if (sighting.has_links && !has_row) {
      tell_node(Layer::Sightings, node, "a capture has no row");
    }
    const auto exists = [&](const std::optional<Uid>& uid) {
      return !uid || *uid < generation_.node_count();
    };
    if (!exists(sighting.redirect) || !exists(sighting.refers_to)) {
      tell_node(Layer::Sightings, node, "a sighting names a node that does not exist");
    }
    const bool is_known =
        sighting.kind <= static_cast<std::uint8_t>(SightingKind::IndexLine) &&
        sighting.outcome <= static_cast<std::uint8_t>(Outcome::SoftGone) &&
        sighting.revisit_profile <= static_cast<std::uint8_t>(RevisitProfile::NotModified);
    if (!is_known) tell_node(Layer::Sightings, node, "a sighting has an unknown kind");
  }

  void add_to_summaries(Uid node, const PageFacts& page, BlockSummary& seen) {
    if (page.row_count() > 0) {
      row_summaries_[0].content += content_of_rows(node, page);
      row_summaries_[0].items += distinct_targets(page);
    }
    if (page.sightings.empty()) return;
    seen.content += content_of_sightings(node, page);
    ++seen.filled;
    for (const SightingRecord& sighting : page.sightings) see_time(seen, sighting.time);
  }

  static std::uint64_t distinct_targets(const PageFacts& page) {
    std::vector<Uid> targets = page.targets;
    std::sort(targets.begin(), targets.end());
    return static_cast<std::uint64_t>(std::unique(targets.begin(), targets.end()) -
                                      targets.begin());
  }

  // Every row is decoded; if it follows from the rows of the page, it is compared with them.
  void check_optional(Layer layer) {
    BlockSummary summary;
    OptionalScanner optional(generation_.layer(layer), entry_of(layer),
                             generation_.options().block_bits);
    RowScanner rows(generation_, Direction::Out);
    rows.seek(block_, block_ + 1);
    PageFacts page;
    for (Uid node = first_; node < first_ + node_count_; ++node) {
      const LayerRow& row = optional.read(node);
      const std::uint64_t items = item_count(row);
      ++summary.nodes;
      summary.filled += items > 0 ? 1 : 0;
      summary.items += items;
      summary.content += content_of_row(node, row);
      page.clear();
      read_page_rows(rows, node, page);
      if (is_restored(layer)) restore(layer, row, page);
      const LayerRow due = page.row_count() > 0 ? row_of(layer, page) : LayerRow();
      if (item_count(due) != items || content_of_row(node, due) != content_of_row(node, row)) {
        tell_node(layer, node, "differs from what its links say");
      }
    }
    compare_summary(layer, summary);
  }

  static void read_page_rows(RowScanner& rows, Uid node, PageFacts& page) {
    PageLayers section;
    PageFacts more;
    while (rows.next_node() == node) {
      rows.read(section);
      from_layers(section, more);
      append(page, more);
    }
    normalise(page);
  }

  void check_in_links() {
    check_cut(Direction::In);
    std::array<BlockSummary, kInRowLayers.size()> summaries;
    for (BlockSummary& summary : summaries) summary.nodes = node_count_;
    RowScanner rows(generation_, Direction::In);
    rows.seek(block_, block_ + 1);
    PageLayers section;
    std::optional<Uid> last;
    constexpr Uid kNone = ~Uid{0};
    Uid last_source = kNone;
    std::uint64_t pair_count = 0;
    while (const auto node = rows.next_node()) {
      rows.read(section);
      check_section(Layer::InLinks, *node, section);
      if (last != node) {
        last_source = kNone;
        for (BlockSummary& summary : summaries) ++summary.filled;
      }
      last = node;
      for (const Time range : section.times) see_time(summaries[1], range);
      summaries[2].items += section.ones.size();
      pair_count += section.ones.size();
      for (std::size_t row = 0, at = 0; row < section.times.size(); ++row) {
        for (; at < section.one_ends[row]; ++at) {
          const Uid source = section.links[section.ones[at]];
          summaries[0].content += content_of({*node, source, section.times[row], false});
        }
      }
      // Sections follow each other in order of source, so only their borders can share one.
      if (section.links.empty()) continue;
      summaries[0].items += section.links.size() - (last_source == section.links.front() ? 1 : 0);
      last_source = section.links.back();
    }
    for (std::size_t i = 0; i < kInRowLayers.size(); ++i) {
      compare_summary(kInRowLayers[i], summaries[i]);
    }
    in_content_ = summaries[0].content;
    in_count_ = pair_count;
  }

 public:
  // The sum over the in-links of the block; empty if they could not be read.
  std::optional<std::uint64_t> in_content_;
  std::uint64_t in_count_ = 0;

 private:
  const GenerationReader& generation_;
  RowsOfRevisits rows_of_revisits_;
  std::uint64_t block_;
  Uid first_;
  std::uint64_t node_count_;
  BlockDamage& damage_;
  MirrorSums& mirror_;
  VerifyNotes& notes_;
  bool pages_are_whole_ = false;
  std::array<BlockSummary, kOutRowLayers.size()> row_summaries_;
  std::vector<InFact> facts_;
};

}  // namespace

void verify_blocks(const GenerationReader& generation, RowsOfRevisits rows, BlockDamage& damage,
                   const WorkOptions& work, VerifyNotes& notes) {
  struct InSum {
    std::optional<std::uint64_t> content;
    std::uint64_t count = 0;
  };
  const std::uint64_t block_count = generation.block_count();
  MirrorSums mirror(block_count);
  std::vector<InSum> in_sums(block_count);
  std::atomic<std::uint64_t> done = 0;
  ThreadPool pool(work.threads);
  for (std::uint64_t block = 0; block < block_count; ++block) {
    pool.submit([&, block] {
      work.check_cancelled();
      BlockCheck check(generation, rows, block, damage, mirror, notes);
      check.run();
      in_sums[block] = {check.in_content_, check.in_count_};
      notes.show_progress({"comparing layers", ++done, block_count, "blocks"});
    });
  }
  pool.wait();
  if (mirror.is_incomplete()) return;
  for (std::uint64_t block = 0; block < block_count; ++block) {
    const InSum& in = in_sums[block];
    if (!in.content || mirror.is(block, *in.content, in.count)) continue;
    notes.tell("{}: in-links are not the mirror of links",
               generation.layer(Layer::InLinks).describe(block));
  }
}

}  // namespace webstrata
