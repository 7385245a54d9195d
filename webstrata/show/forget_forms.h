// SPDX-License-Identifier: Apache-2.0

// The output of `forget`: records, tombstones, and what was lost.

#pragma once

#include <string>

#include "webstrata/archive/forget.h"

namespace webstrata {

// Time, URL, file, offset, or a JSON object; with the end of the line.
std::string record_line(const ForgottenRecord& record, bool as_json);
// Kind, from, to, keyed hash, or a JSON object; with the end of the line.
std::string tombstone_line(const TombstoneView& tombstone, bool as_json);
// "3 sightings, 2 captures, 5 links and 1 names"
std::string losses_text(const ForgetResult& result);

}  // namespace webstrata
