// SPDX-License-Identifier: Apache-2.0

// Writes what is known about pages: the layers of rows, the optional layers and the sightings, page
// after page.

#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <vector>

#include "webstrata/archive/gather/page.h"
#include "webstrata/archive/merge/node_layers_writer.h"
#include "webstrata/archive/merge/optional_layer_writer.h"
#include "webstrata/archive/merge/row_layers_writer.h"
#include "webstrata/archive/read/generation_reader.h"

namespace webstrata {

class PageWriter {
 public:
  // Writes from `first_block`, the first of a part, up to the node before `node_count`.
  PageWriter(const std::filesystem::path& folder, const ArchiveOptions& options,
             std::uint64_t node_count, EncodePool& pool, std::uint64_t first_block = 0);

  // `uid` is larger than the previous one. The page is normalised and includes derived rows.
  void write(Uid uid, const PageFacts& page);
  // The same, where the rows of the block are copied.
  void write_sightings(Uid uid, const PageFacts& page);
  // The block is copied from `before`; no page of it was added to these layers. With the rows go
  // the optional layers.
  void copy_rows(std::uint64_t block, const GenerationReader& before);
  void copy_sightings(std::uint64_t block, const GenerationReader& before);
  std::map<Layer, std::vector<LayerFile>> finish();

 private:
  RowLayersWriter rows_;
  std::list<OptionalLayerWriter> optional_;
  SightingsWriter sightings_;
};

// Hashes of a page's facts, whatever the encoder.
std::uint64_t content_of_rows(Uid node, const PageFacts& page);
std::uint64_t content_of_sightings(Uid node, const PageFacts& page);

}  // namespace webstrata
