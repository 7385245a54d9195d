// SPDX-License-Identifier: Apache-2.0

// All of an archive as lines of text, in the order of keys, then of time.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/base/work.h"
#include "webstrata/url/dialect.h"

namespace webstrata {

// Gets whole lines, a few at a time.
using TakeLines = std::function<void(std::string_view lines)>;

// A JSON object for each sighting; `build` makes the same archive of them.
void jsonl_lines(const Archive& archive, const WorkOptions& work, const TakeLines& take);
// An index line for each sighting, with keys of that dialect.
void cdxj_lines(const Archive& archive, Dialect dialect, const WorkOptions& work,
                const TakeLines& take);
// Captures with numbers for names: uid of the page, time, uids of its links, ascending, with tabs;
// a line for each second at which links are known. The paper's initial graph format. Times are RFC
// 3339; uids are those of this generation.
void uid_lines(const Archive& archive, const WorkOptions& work, const TakeLines& take);
// A column of scores: URL, tab, score for pages; then source, target, score for links.
void score_lines(const Archive& archive, const std::string& name, const TakeLines& take);

}  // namespace webstrata
