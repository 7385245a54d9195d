// SPDX-License-Identifier: Apache-2.0

// The output of `links`: a line per link, or one JSON object.

#pragma once

#include <string>
#include <vector>

#include "webstrata/archive/ask/found_links.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

// URL, and with a moment or a history what is known about the link.
Cells link_columns(const LinkQuestion& question);
Cells link_cells(const Archive& archive, const FoundLinks::value_type& found,
                 const LinkQuestion& question);
// What was asked, of which nodes, and the answer.
std::string links_as_json(const Archive& archive, const std::vector<Uid>& nodes,
                          const FoundLinks& links, const LinkQuestion& question);
// How old the answer is: a page that is present may have been captured long before.
std::string state_text(const Archive& archive, Uid node, Time at);

}  // namespace webstrata
