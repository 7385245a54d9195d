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
// With texts a link has a line for each of them, and one if it has none. `text` is null then.
Cells link_cells(const Archive& archive, const FoundLinks::value_type& found, const FoundText* text,
                 const LinkQuestion& question);
// What others call a page: its in-links' texts.
Cells text_columns();
Cells text_cells(const FoundText& text);
// Whether an answer includes that: of links to a page, if texts are wanted.
bool tells_anchor_texts(const LinkQuestion& question);
std::string anchor_texts_as_json(const FoundLinks& links);
// One link as a JSON object.
void append_link(std::string& out, const Archive& archive, Uid node, const FoundLink& link);
// What was asked, of which nodes, and the answer.
std::string links_as_json(const Archive& archive, const std::vector<Uid>& nodes,
                          const FoundLinks& links, const LinkQuestion& question);
// How old the answer is: a page that is present may have been captured long before.
std::string state_text(const Archive& archive, Uid node, Time at);

}  // namespace webstrata
