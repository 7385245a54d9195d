// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/merge/page_writer.h"

#include <algorithm>

#include "webstrata/archive/gather/fact_bytes.h"
#include "webstrata/archive/gather/optional_facts.h"
#include "webstrata/base/checksum.h"

namespace webstrata {
namespace {

template <typename Value>
std::uint64_t hash_of(const std::vector<Value>& values, std::uint64_t seed) {
  return checksum64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)},
                    seed);
}

std::uint64_t distinct_targets(const PageFacts& page) {
  std::vector<Uid> targets = page.targets;
  std::sort(targets.begin(), targets.end());
  return static_cast<std::uint64_t>(std::unique(targets.begin(), targets.end()) - targets.begin());
}

}  // namespace

PageWriter::PageWriter(const std::filesystem::path& folder, const ArchiveOptions& options,
                       std::uint64_t node_count, EncodePool& pool, std::uint64_t first_block)
    : rows_(folder, options, Direction::Out, node_count, pool, first_block),
      sightings_(folder, options, node_count, pool, first_block) {
  for (const Layer layer : options.optional_layers) {
    optional_.emplace_back(folder, options, entry_of(layer), node_count, pool, first_block);
  }
}

void PageWriter::write(Uid uid, const PageFacts& page) {
  if (page.row_count() > 0) {
    rows_.begin_node(uid, content_of_rows(uid, page), 0);
    std::uint64_t link_count = 0;
    std::size_t sections = 0;
    cut_into_sections(page, [&](const PageLayers& section) {
      rows_.add_section(section);
      link_count += section.links.size();
      ++sections;
    });
    if (sections > 1) link_count = distinct_targets(page);
    rows_.add_to_node(0, link_count);
    for (OptionalLayerWriter& writer : optional_) writer.add(uid, row_of(writer.layer(), page));
  }
  write_sightings(uid, page);
}

void PageWriter::write_sightings(Uid uid, const PageFacts& page) {
  sightings_.add(uid, page.sightings, page.times, content_of_sightings(uid, page));
}

void PageWriter::copy_rows(std::uint64_t block, const GenerationReader& before) {
  rows_.copy_block(block, before.row_readers(Direction::Out));
  for (OptionalLayerWriter& writer : optional_) {
    writer.copy_block(block, before.layer(writer.layer()));
  }
}

void PageWriter::copy_sightings(std::uint64_t block, const GenerationReader& before) {
  sightings_.copy_block(block, before.layer(Layer::Sightings));
}

std::map<Layer, std::vector<LayerFile>> PageWriter::finish() {
  auto files = rows_.finish();
  for (OptionalLayerWriter& writer : optional_) files.merge(writer.finish());
  files.merge(sightings_.finish());
  return files;
}

std::uint64_t content_of_rows(Uid node, const PageFacts& page) {
  return hash_of(page.values,
                 hash_of(page.targets, hash_of(page.row_ends, hash_of(page.times, node))));
}

std::uint64_t content_of_sightings(Uid node, const PageFacts& page) {
  std::string bytes;
  for (const SightingRecord& sighting : page.sightings) append_record(bytes, sighting);
  return checksum64(bytes, node);
}

}  // namespace webstrata
