// SPDX-License-Identifier: Apache-2.0

// Links and times of a chunk are decoded as a whole, which is fastest; rows and sightings of a page
// only on demand. A page that is cut into several chunks is rare and large: the archive assembles
// it.
//
// Tested by tests/graph/archive_snapshot_test.cpp.

#include "webstrata/graph/page_scan.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// The directory of a block that has data; otherwise none.
BlockView places(const GenerationReader& generation, Layer layer, std::uint64_t block) {
  if (generation.layer(layer).summary(block).items == 0) return {};
  return generation.view(layer, block);
}

}  // namespace

PageScan::PageScan(const Archive& archive, std::uint64_t block, SightingDepth depth)
    : archive_(archive),
      generation_(archive.generation()),
      block_(block),
      depth_(depth),
      first_uid_(generation_.first_node(block)),
      node_count_(std::min(generation_.first_node(block + 1), generation_.node_count()) -
                  first_uid_),
      row_places_(places(generation_, Layer::Times, block)) {
  if (depth != SightingDepth::None) {
    sighting_places_ = places(generation_, Layer::Sightings, block);
  }
}

PageScan::~PageScan() {
  for (const LayerReader* layer : generation_.row_readers(Direction::Out)) layer->release(block_);
  if (depth_ != SightingDepth::None) generation_.layer(Layer::Sightings).release(block_);
}

bool PageScan::next() {
  const bool is_empty = row_places_.chunks().empty() && sighting_places_.chunks().empty();
  if (is_empty) return false;
  while (true) {
    node_ = has_begun_ ? node_ + 1 : 0;
    has_begun_ = true;
    if (node_ >= node_count_) return false;
    read_rows();
    read_sightings();
    if (!times_.empty() || !outcomes_.empty() || !records_.empty()) return true;
  }
}

// False if the node has no chunk, or several.
bool PageScan::open_rows_of_node() {
  const BlockView::Range range = row_places_.chunks_of(static_cast<std::uint32_t>(node_));
  is_cut_ = range.end - range.first > 1;
  if (is_cut_ || range.first == range.end) return false;
  if (!row_chunk_ || row_chunk_number_ != range.first) {
    row_chunk_number_ = range.first;
    row_chunk_.emplace(RowChunk::open(generation_, Direction::Out, block_, range.first));
    row_chunk_->links().decode(link_lists_);
    row_chunk_->times().decode(time_lists_);
  }
  node_in_chunk_ = static_cast<std::size_t>(uid() - row_chunk_->first());
  return true;
}

void PageScan::read_rows() {
  links_ = {};
  times_ = {};
  if (open_rows_of_node()) {
    links_ = link_lists_.list(node_in_chunk_);
    times_ = time_lists_.list(node_in_chunk_);
  } else if (is_cut_) {
    read_cut_rows();
  }
}

void PageScan::read_cut_rows() {
  archive_.page(uid(), facts_);
  to_layers(facts_, layers_);
  links_ = layers_.links;
  times_ = layers_.times;
}

void PageScan::read_sightings() {
  outcomes_.clear();
  records_.clear();
  const BlockView::Range range = sighting_places_.chunks_of(static_cast<std::uint32_t>(node_));
  for (std::size_t i = range.first; i < range.end; ++i) {
    const BlockChunk& place = sighting_places_.chunks()[i];
    if (!sighting_chunk_ || sighting_chunk_number_ != i) {
      sighting_chunk_number_ = i;
      sighting_chunk_.emplace(SightingsChunk::open(place.bytes, first_uid_ + place.first_node));
    }
    const std::size_t node = node_ - place.first_node;
    if (sighting_chunk_->count(node) == 0) continue;
    if (depth_ == SightingDepth::Outcomes) {
      std::vector<SightingOutcome> segment;
      std::vector<SightingOutcome>& out = outcomes_.empty() ? outcomes_ : segment;
      sighting_chunk_->outcomes(node, times_, out);
      outcomes_.insert(outcomes_.end(), segment.begin(), segment.end());
    } else {
      std::vector<SightingRecord> segment;
      sighting_chunk_->sightings(node, times_, segment);
      std::move(segment.begin(), segment.end(), std::back_inserter(records_));
    }
  }
  for (const SightingRecord& record : records_) {
    outcomes_.push_back(
        {record.time, record.kind, record.outcome, record.has_links, record.redirect});
  }
}

PageScan::Row PageScan::row(std::size_t row) {
  if (is_cut_) {
    const std::size_t start = row == 0 ? 0 : layers_.one_ends[row - 1];
    const std::size_t size = layers_.one_ends[row] - start;
    return {std::span(layers_.ones).subspan(start, size),
            std::span(layers_.values).subspan(start, size)};
  }
  const auto width = static_cast<std::uint32_t>(links_.size());
  row_chunk_->presence().row(node_in_chunk_, width, row, columns_);
  if (!columns_.empty() && columns_.back() >= width) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: a row of node {} has links beyond its page's; restore the archive",
                            generation_.layer(Layer::Presence).describe(block_), uid()));
  }
  row_chunk_->kinds()->row(node_in_chunk_, width, row, columns_, values_);
  return {columns_, values_};
}

const PageLayers& PageScan::rows() {
  if (is_cut_) return layers_;
  layers_.links.assign(links_.begin(), links_.end());
  layers_.times.assign(times_.begin(), times_.end());
  row_chunk_->rows(node_in_chunk_, layers_);
  return layers_;
}

}  // namespace webstrata
