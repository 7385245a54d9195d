// SPDX-License-Identifier: Apache-2.0

// The last step of an update: saved columns of scores are carried over to the new uids (decision
// 010).
//
//   const CarriedColumns carried = carry_columns({archive, draft.folder(), draft.written(), …});
//   draft.take(carried, folder);
//
// A column is one file in the order of uids, so one task writes it; columns are shared out.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/archive/disk/column_files.h"
#include "webstrata/archive/disk/manifest.h"

namespace webstrata::cluster {

struct CarryRequest {
  std::filesystem::path archive;       // whose current generation has the columns
  std::filesystem::path after_folder;  // with the layers of the new one
  Manifest after;                      // from ClusterDraft::written()
  std::vector<std::string> scores;     // names of columns of nodes
  std::vector<std::string> link_scores;
  std::filesystem::path folder;  // of the task's own; it exists
  std::size_t memory_bytes = std::size_t{256} << 20;
};

struct CarriedColumns {
  ColumnFiles scores;
  ColumnFiles link_scores;
};

// The same columns as after a merge on one machine. Throws Error(NotFound) if a column does not
// exist, Error(Corrupt) if a name of the previous generation is not in the new one.
CarriedColumns carry_columns(const CarryRequest& request);

}  // namespace webstrata::cluster
