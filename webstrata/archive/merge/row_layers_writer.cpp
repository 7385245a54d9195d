// SPDX-License-Identifier: Apache-2.0

// A chunk collects sections until its limits (nodes, rows and ones) are reached; then all its
// layers are encoded in one task of the pool and written in order. The cuts depend only on the
// content, so the bytes do not depend on threads. Nodes without data get an empty section.
// cut_into_sections() divides a page that is too large by its rows, and a single row that is too
// large by its targets.
// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/merge/row_layers_writer.h"

#include <algorithm>

namespace webstrata {

// What was added since the last chunk.
struct RowLayersWriter::Chunk {
  Uid first = 0;
  bool begins_with_more = false;  // of the last node of the previous chunk
  LinkLists links;
  TimeLists times;
  PresenceRows rows;
  std::vector<LinkValue> values;

  [[nodiscard]] std::size_t node_count() const noexcept { return links.node_count(); }
  [[nodiscard]] Uid end() const noexcept { return first + node_count(); }

  [[nodiscard]] bool has_room_for(const PageLayers& section) const noexcept {
    const std::size_t items = rows.one_ends.size() + rows.ones.size();
    return items + section.times.size() + section.ones.size() <= kChunkItems;
  }

  void add(const PageLayers& section) {
    links.add(section.links);
    times.add(section.times);
    std::size_t start = 0;
    for (const std::uint32_t end : section.one_ends) {
      rows.add_row(std::span(section.ones).subspan(start, end - start));
      start = end;
    }
    rows.add_node(static_cast<std::uint32_t>(section.links.size()));
    values.insert(values.end(), section.values.begin(), section.values.end());
  }

  static Chunk beginning_at(Uid first) {
    Chunk chunk;
    chunk.first = first;
    chunk.links.first = first;
    return chunk;
  }
};

namespace {

// Nodes with data; one that continues from the previous chunk is not counted again.
std::uint64_t filled_nodes(const std::vector<std::uint32_t>& ends, bool begins_with_more) {
  std::uint64_t filled = 0;
  for (std::size_t i = begins_with_more ? 1 : 0; i < ends.size(); ++i) {
    const std::uint32_t start = i == 0 ? 0 : ends[i - 1];
    filled += ends[i] > start ? 1 : 0;
  }
  return filled;
}

}  // namespace

RowLayersWriter::RowLayersWriter(const std::filesystem::path& folder, const ArchiveOptions& options,
                                 Direction direction, std::uint64_t node_count, EncodePool& pool,
                                 std::uint64_t first_block)
    : options_(options),
      direction_(direction),
      node_count_(node_count),
      chunk_(std::make_unique<Chunk>()),
      next_node_(first_block << options.block_bits),
      pipeline_(folder, options, row_layers(direction), pool, first_block) {}

RowLayersWriter::~RowLayersWriter() = default;

void RowLayersWriter::close_chunk() {
  if (chunk_->node_count() == 0) return;
  const auto chunk = std::make_shared<Chunk>(std::move(*chunk_));
  *chunk_ = Chunk::beginning_at(next_node_);
  const std::uint64_t block_mask = (std::uint64_t{1} << options_.block_bits) - 1;
  const auto first_node = static_cast<std::uint32_t>(chunk->first & block_mask);
  const bool has_kinds = direction_ == Direction::Out;
  pipeline_.submit([chunk, first_node, has_kinds, effort = options_.effort] {
    const bool more = chunk->begins_with_more;
    const std::size_t layer_count = has_kinds ? 4 : 3;
    EncodedChunk encoded;
    encoded.first_node = first_node;
    encoded.node_count = static_cast<std::uint32_t>(chunk->node_count());
    encoded.summaries.resize(layer_count);
    for (BlockSummary& summary : encoded.summaries) {
      summary.nodes = chunk->node_count() - (more ? 1 : 0);
      summary.filled = filled_nodes(chunk->times.ends, more);
      summary.items = chunk->rows.ones.size();
    }
    encoded.summaries[0].filled = filled_nodes(chunk->links.ends, more);
    encoded.summaries[0].items = 0;  // a node's sections may repeat a link: see close_block()
    encoded.summaries[1].items = chunk->times.times.size();
    if (!chunk->times.times.empty()) {
      const auto [first, last] =
          std::minmax_element(chunk->times.times.begin(), chunk->times.times.end());
      encoded.summaries[1].first = *first;
      encoded.summaries[1].last = *last;
    }
    encoded.layers.push_back(encode_links(chunk->links, effort));
    encoded.layers.push_back(encode_times(chunk->times));
    encoded.layers.push_back(encode_presence(chunk->rows));
    if (has_kinds) encoded.layers.push_back(encode_kinds(chunk->rows, chunk->values));
    return encoded;
  });
}

void RowLayersWriter::close_block() {
  if (!block_is_open_) return;
  close_chunk();
  std::vector<BlockSummary> totals(row_layers(direction_).size());
  totals[0].content = block_content_;
  totals[0].items = block_links_;
  pipeline_.end_block(std::move(totals));
  block_is_open_ = false;
  block_content_ = 0;
  block_links_ = 0;
}

// Chooses the chunk for next_node_.
void RowLayersWriter::make_room() {
  const std::uint64_t block_mask = (std::uint64_t{1} << options_.block_bits) - 1;
  if ((next_node_ & block_mask) == 0) close_block();
  if (chunk_->node_count() == kChunkNodes) close_chunk();
  if (chunk_->node_count() == 0) *chunk_ = Chunk::beginning_at(next_node_);
  block_is_open_ = true;
}

// Nodes up to `node` have no data.
void RowLayersWriter::advance_to(Uid node) {
  const PageLayers nothing;
  for (; next_node_ < node; ++next_node_) {
    make_room();
    chunk_->add(nothing);
  }
}

void RowLayersWriter::begin_node(Uid node, std::uint64_t content, std::uint64_t link_count) {
  advance_to(node);
  make_room();
  add_to_node(content, link_count);
  is_first_section_ = true;
}

void RowLayersWriter::add_to_node(std::uint64_t content, std::uint64_t link_count) {
  block_content_ += content;
  block_links_ += link_count;
}

void RowLayersWriter::add_section(const PageLayers& section) {
  if (is_first_section_) {
    if (chunk_->node_count() > 0 && !chunk_->has_room_for(section)) {
      close_chunk();
      *chunk_ = Chunk::beginning_at(next_node_);
    }
    ++next_node_;
  } else {
    close_chunk();
    *chunk_ = Chunk::beginning_at(next_node_ - 1);
    chunk_->begins_with_more = true;
  }
  chunk_->add(section);
  is_first_section_ = false;
}

void RowLayersWriter::copy_block(std::uint64_t block, std::span<const LayerReader* const> from) {
  const Uid first = block << options_.block_bits;
  advance_to(first);
  close_block();
  pipeline_.copy_block(block, from);
  next_node_ = std::min(node_count_, first + (std::uint64_t{1} << options_.block_bits));
  *chunk_ = Chunk::beginning_at(next_node_);
}

std::map<Layer, std::vector<LayerFile>> RowLayersWriter::finish() {
  advance_to(node_count_);
  close_block();
  return pipeline_.finish();
}

namespace {

// Rows [first, end) of a page as a section with a union of its own.
PageLayers section_of_rows(const PageFacts& page, std::size_t first, std::size_t end) {
  PageFacts part;
  const std::size_t start = page.row_start(first);
  const std::size_t stop = page.row_start(end);
  part.times.assign(page.times.begin() + first, page.times.begin() + end);
  for (std::size_t row = first; row < end; ++row) {
    part.row_ends.push_back(static_cast<std::uint32_t>(page.row_ends[row] - start));
  }
  part.targets.assign(page.targets.begin() + start, page.targets.begin() + stop);
  part.values.assign(page.values.begin() + start, page.values.begin() + stop);
  PageLayers section;
  to_layers(part, section);
  return section;
}

// A row with more links than a section may hold becomes several of the same time.
void cut_row(const PageFacts& page, std::size_t row,
             const std::function<void(const PageLayers&)>& take) {
  constexpr std::size_t kLinks = kSectionItems - 1;
  for (std::size_t i = page.row_start(row); i < page.row_ends[row]; i += kLinks) {
    const std::size_t end = std::min<std::size_t>(i + kLinks, page.row_ends[row]);
    PageFacts part;
    for (std::size_t j = i; j < end; ++j) part.add_link(page.targets[j], page.values[j]);
    part.end_row(page.times[row]);
    PageLayers section;
    to_layers(part, section);
    take(section);
  }
}

}  // namespace

void cut_into_sections(const PageFacts& page, const std::function<void(const PageLayers&)>& take) {
  const std::size_t rows = page.row_count();
  if (rows + page.targets.size() <= kSectionItems) {
    PageLayers section;
    to_layers(page, section);
    take(section);
    return;
  }
  std::size_t first = 0;
  std::size_t items = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t row_items = page.row_ends[row] - page.row_start(row) + 1;
    if (items + row_items > kSectionItems && first < row) {
      take(section_of_rows(page, first, row));
      first = row;
      items = 0;
    }
    items += row_items;
    if (row_items > kSectionItems) {
      cut_row(page, row, take);
      first = row + 1;
      items = 0;
    }
  }
  if (first < rows) take(section_of_rows(page, first, rows));
}

}  // namespace webstrata
