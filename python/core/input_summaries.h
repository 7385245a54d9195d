// SPDX-License-Identifier: Apache-2.0

// What reading crawl files found, as dictionaries: for `build`, `update`, `read` and Spark's tasks.

#pragma once

#include "python/core/bindings.h"
#include "webstrata/capture/parallel_read.h"

namespace webstrata {

// What was left out, and how often.
nb::dict counts_of(const Report& report);

nb::dict dict_of(const InputSummary& input);
nb::list summaries_of(const std::vector<InputSummary>& inputs);

}  // namespace webstrata
