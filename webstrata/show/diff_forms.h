// SPDX-License-Identifier: Apache-2.0

// The output of `diff`: a table of hosts, or a line per page and link.

#pragma once

#include <string>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/comparison.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

std::string hosts_as_text(const DiffResult& result);
// `from` and `to` are the times that were compared.
std::string hosts_as_json(const DiffResult& result, Time from, Time to);

// One of them.
std::string host_as_json(const HostDifference& host);

// The numbers of hosts_as_text() as they are; the last row is the total.
TextTable hosts_table(const DiffResult& result);

// Sign, page and, for a link, target.
Cells difference_columns();
Cells difference_cells(const Archive& archive, const Difference& difference);
// Without the end of the line.
std::string difference_as_json(const Archive& archive, const Difference& difference);

}  // namespace webstrata
