// SPDX-License-Identifier: Apache-2.0

// Writes the in-link layers of a generation: those of the previous one, translated, with the
// changes.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "webstrata/archive/gather/translation.h"
#include "webstrata/archive/merge/in_facts.h"
#include "webstrata/archive/merge/row_layers_writer.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/base/work.h"

namespace webstrata {

struct InLayersRequest {
  std::filesystem::path folder;  // where the layer files go
  const ArchiveOptions* options = nullptr;
  std::uint64_t first_block = 0;  // the first of a part; `before` only with 0
  std::uint64_t node_count = 0;
  const GenerationReader* before = nullptr;  // null: there was nothing
  const Translation* translation = nullptr;  // of the nodes of `before`
  InFactSorter* changes = nullptr;           // finished
  WorkOptions work = {};                     // its threads are those of the pool
};

std::map<Layer, std::vector<LayerFile>> write_in_layers(const InLayersRequest& request,
                                                        EncodePool& pool);

}  // namespace webstrata
