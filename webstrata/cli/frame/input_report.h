// SPDX-License-Identifier: Apache-2.0

// How reading went, told to the user: the same words for every command that reads crawl files.

#pragma once

#include <string>
#include <vector>

#include "webstrata/base/json.h"
#include "webstrata/capture/parallel_read.h"

namespace webstrata {

// Errors, and the first damaged places of each input or, if `quiet`, one line with their number.
// `where_listed` says how the user sees them all.
void tell_troubles(const std::vector<InputSummary>& summaries, bool quiet,
                   std::string_view where_listed);

// The last lines on standard error: how it went.
void tell_summary(const std::vector<InputSummary>& summaries);

// One JSON object about one input.
void append_stats(JsonWriter& json, const InputSummary& summary);

// What is left out, by name.
void append_counts(JsonWriter& json, const Report& report);

[[nodiscard]] bool found_anything(const std::vector<InputSummary>& summaries) noexcept;
// An input could not be read or, if `strict`, was damaged.
[[nodiscard]] bool failed(const std::vector<InputSummary>& summaries, bool strict) noexcept;

}  // namespace webstrata
