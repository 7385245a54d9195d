// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/merge/block_pipeline.h"

#include <algorithm>

namespace webstrata {
namespace {

void add_summary(BlockSummary& summary, const BlockSummary& more) {
  if (more.items > 0) {
    const bool is_first = summary.items == 0;
    summary.first = is_first ? more.first : std::min(summary.first, more.first);
    summary.last = is_first ? more.last : std::max(summary.last, more.last);
  }
  summary.nodes += more.nodes;
  summary.filled += more.filled;
  summary.items += more.items;
  summary.content += more.content;
}

}  // namespace

BlockPipeline::BlockPipeline(const std::filesystem::path& folder, const ArchiveOptions& options,
                             std::span<const Layer> layers, EncodePool& pool,
                             std::uint64_t first_block)
    : layers_(layers.begin(), layers.end()),
      blocks_(layers.size()),
      summaries_(layers.size()),
      queue_(pool, [this](Step&& step) { take(std::move(step)); }) {
  for (const Layer layer : layers) {
    writers_.emplace_back(folder, layer, options.part_blocks, first_block);
  }
}

void BlockPipeline::take(Step&& step) {
  const EncodedChunk& chunk = step.chunk;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    add_summary(summaries_[i], chunk.summaries[i]);
    if (!step.ends_block) {
      blocks_[i].add_chunk(chunk.first_node, chunk.node_count, chunk.layers[i]);
      continue;
    }
    writers_[i].add_block(blocks_[i].finish(), summaries_[i]);
    summaries_[i] = {};
  }
}

void BlockPipeline::end_block(std::vector<BlockSummary> totals) {
  queue_.submit([totals = std::move(totals)] {
    Step step;
    step.chunk.summaries = totals;
    step.ends_block = true;
    return step;
  });
}

void BlockPipeline::copy_block(std::uint64_t block, std::span<const LayerReader* const> from) {
  queue_.drain();
  for (std::size_t i = 0; i < layers_.size(); ++i) writers_[i].copy_block(*from[i], block);
}

std::map<Layer, std::vector<LayerFile>> BlockPipeline::finish() {
  queue_.drain();
  std::map<Layer, std::vector<LayerFile>> files;
  for (std::size_t i = 0; i < layers_.size(); ++i) files[layers_[i]] = writers_[i].finish();
  return files;
}

}  // namespace webstrata
