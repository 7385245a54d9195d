// SPDX-License-Identifier: Apache-2.0

// The output of `forget`: records, tombstones, and what was lost.

#pragma once

#include <string>

#include "webstrata/archive/forget.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

// Time, URL, file, offset.
Cells record_columns();
Cells record_cells(const ForgottenRecord& record);
// Kind, from, to, keyed hash.
Cells tombstone_columns();
Cells tombstone_cells(const TombstoneView& tombstone);
// Both without the end of the line.
std::string as_json(const ForgottenRecord& record);
std::string as_json(const TombstoneView& tombstone);
// "3 sightings, 2 captures, 5 links and 1 names"
std::string losses_text(const ForgetResult& result);

}  // namespace webstrata
