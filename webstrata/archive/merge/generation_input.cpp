// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/merge/generation_input.h"

#include <list>
#include <optional>
#include <utility>

#include "webstrata/archive/gather/optional_facts.h"
#include "webstrata/archive/read/optional_scanner.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {
namespace {

// Iterates over the sightings, since every page has some, and reads the rows along with them.
class GenerationInput : public FactInput {
 public:
  explicit GenerationInput(const GenerationReader& generation)
      : generation_(generation),
        keys_(generation),
        rows_(generation, Direction::Out),
        times_(generation) {
    for (const Layer layer : generation.layers()) {
      if (!is_restored(layer)) continue;
      restored_.emplace_back(layer, OptionalScanner(generation.layer(layer), entry_of(layer),
                                                    generation.options().block_bits));
    }
  }

  bool next_key(std::string& key) override {
    std::string_view next;
    if (!keys_.next(next)) return false;
    key = next;
    return true;
  }

  bool next_page(std::uint64_t& number) override {
    while (true) {
      if (chunk_) {
        while (node_ < chunk_->node_count() && chunk_->count(node_) == 0) ++node_;
        if (node_ < chunk_->node_count()) {
          number = chunk_first_ + node_;
          return true;
        }
      }
      if (!open_next_chunk()) return false;
    }
  }

  void read_page(PageFacts& page) override {
    page.clear();
    const Uid node = chunk_first_ + node_;
    if (is_times_only_) {
      times_.read(node, page.times);
      page.row_ends.assign(page.times.size(), 0);
    } else {
      read_rows(node, page);
      for (auto& [layer, scanner] : restored_) restore(layer, scanner.read(node), page);
    }
    row_times_ = page.times;
    chunk_->sightings(node_, row_times_, page.sightings);
    ++node_;
    // A node with very many sightings continues in the next chunk.
    while (node_ == chunk_->node_count() && next_chunk_continues(node)) {
      open_next_chunk();
      std::vector<SightingRecord> more;
      chunk_->sightings(0, row_times_, more);
      page.sightings.insert(page.sightings.end(), more.begin(), more.end());
      node_ = 1;
    }
  }

  void skip_pages(std::uint64_t number) override {
    const std::uint64_t block = generation_.block_of(number);
    if (block <= block_ && has_block_) return;
    block_ = block;
    has_block_ = false;
    chunk_.reset();
    rows_.seek(block);
    times_.seek(block);
  }

  void want_times_only() override { is_times_only_ = true; }

 private:
  void read_rows(Uid node, PageFacts& page) {
    bool is_first = true;
    while (const auto next = rows_.next_node()) {
      if (*next > node) break;
      rows_.read(section_);
      if (*next < node) continue;
      if (is_first) {
        from_layers(section_, page);
      } else {
        PageFacts more;
        from_layers(section_, more);
        append(page, more);
        has_sections_ = true;
      }
      is_first = false;
    }
    if (has_sections_) normalise(page);
    has_sections_ = false;
  }

  bool open_next_chunk() {
    chunk_.reset();
    const LayerReader& layer = generation_.layer(Layer::Sightings);
    if (!has_block_ || chunk_number_ == view_.chunks().size()) {
      if (has_block_) layer.release(block_++);
      has_block_ = false;
      if (block_ >= generation_.block_count()) return false;
      view_ = generation_.view(Layer::Sightings, block_);
      chunk_number_ = 0;
      has_block_ = true;
    }
    const BlockChunk& place = view_.chunks()[chunk_number_++];
    chunk_first_ = generation_.first_node(block_) + place.first_node;
    chunk_.emplace(SightingsChunk::open(place.bytes, chunk_first_));
    node_ = 0;
    return true;
  }

  [[nodiscard]] bool next_chunk_continues(Uid node) const {
    if (chunk_number_ == view_.chunks().size()) return false;
    return generation_.first_node(block_) + view_.chunks()[chunk_number_].first_node == node;
  }

  const GenerationReader& generation_;
  KeyScanner keys_;
  RowScanner rows_;
  TimesScanner times_;
  std::list<std::pair<Layer, OptionalScanner>> restored_;  // layers with facts of their own
  bool is_times_only_ = false;
  PageLayers section_;
  bool has_sections_ = false;
  std::vector<Time> row_times_;

  std::uint64_t block_ = 0;
  bool has_block_ = false;
  BlockView view_;
  std::size_t chunk_number_ = 0;
  std::optional<SightingsChunk> chunk_;
  Uid chunk_first_ = 0;
  std::size_t node_ = 0;
};

class FactsOfGeneration : public GenerationInput {
 public:
  using GenerationInput::GenerationInput;
  void read_page(PageFacts& page) override {
    GenerationInput::read_page(page);
    drop_derived_rows(page);
  }
};

}  // namespace

std::unique_ptr<FactInput> open_generation(const GenerationReader& generation) {
  return std::make_unique<GenerationInput>(generation);
}

std::unique_ptr<FactInput> open_facts(const GenerationReader& generation) {
  return std::make_unique<FactsOfGeneration>(generation);
}

}  // namespace webstrata
