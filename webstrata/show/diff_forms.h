// SPDX-License-Identifier: Apache-2.0

// The output of `diff`: a table of hosts, or a line per page and link.

#pragma once

#include <string>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/comparison.h"

namespace webstrata {

std::string hosts_as_text(const DiffResult& result);
// `from` and `to` are the times that were compared.
std::string hosts_as_json(const DiffResult& result, Time from, Time to);

// Sign, page and target, with tabs, or a JSON object; without the end of the line.
std::string difference_line(const Archive& archive, const Difference& difference, bool as_json);

}  // namespace webstrata
