// SPDX-License-Identifier: Apache-2.0

// What became of the pages of a host or directory between two times, page by page: what diff()
// (comparison.h) counts by host.
//
//   for (const auto& [uid, change] : page_changes(archive, archive.range(keys), t0, t1)) ...

#pragma once

#include <vector>

#include "webstrata/archive/ask/comparison.h"

namespace webstrata {

struct PageChange {
  Uid uid = 0;
  Change change = Change::Kept;
};

// Ascending by uid; the pages that were kept are among them.
std::vector<PageChange> page_changes(const Archive& archive, UidRange nodes, Time t0, Time t1,
                                     const WorkOptions& work = {});

}  // namespace webstrata
