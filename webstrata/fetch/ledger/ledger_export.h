// SPDX-License-Identifier: Apache-2.0

// A ledger as JSON lines: one form for people, scripts and tests.
//
// `record` says what a line is: "job" (settings and totals, first), then "url" in the order in
// which they were found, followed by those turned away, then "charge" in the order of the requests,
// and "host". docs/crawl.md lists the fields.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "webstrata/fetch/wire/clock.h"

namespace webstrata {

// "2021-08-14T00:00:00.250Z".
std::string moment_text(Moment moment);

// Reads what is durable, even while the job runs. Lines have no line ends. Throws Error(NotFound)
// if there is no job in `folder`.
void export_ledger(const std::filesystem::path& folder,
                   const std::function<void(std::string_view line)>& sink);

}  // namespace webstrata
