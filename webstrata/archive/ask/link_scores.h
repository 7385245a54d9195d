// SPDX-License-Identifier: Apache-2.0

// Named columns of links: a number for each link that was scored, such as how often the words of a
// topic occur around it.
//
//   visit_link_scores(archive, "bridges", [](const LinkScoreRow& row) { ... row.links ... });
//
// They are stored like columns of nodes (scores.h): a file in the folder of the generation that
// MANIFEST lists, carried over to new uids by every update and forget. A topic (`build --topic`)
// has a column of nodes and one of links by the same name. A link without a score is not listed:
// missing is not zero. The score of a link is that of the latest scored capture that has it, which
// is why a row has times; a score whose capture is forgotten is deleted with it.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/disk/score_values.h"
#include "webstrata/base/ids.h"
#include "webstrata/base/time.h"

namespace webstrata {

// The names of the columns, sorted.
std::vector<std::string> link_score_names(const Archive& archive);
// Calls `visit` with every row, sources ascending. Throws Error(NotFound) that lists the existing
// columns, and Error(Corrupt).
void visit_link_scores(const Archive& archive, std::string_view name,
                       const std::function<void(const LinkScoreRow&)>& visit);
// The note that was saved with the column: for a topic its words. Throws like the above.
std::string link_score_note(const Archive& archive, std::string_view name);

}  // namespace webstrata
