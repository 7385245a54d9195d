// SPDX-License-Identifier: Apache-2.0

// `liverank plan` and `liverank learn`: a campaign over days (jobs/campaign.h).

#pragma once

#include "webstrata/cli/flags/liverank_flags.h"
#include "webstrata/cli/frame/command.h"

namespace webstrata {

// Prints the next pages to test, and notes them in the state file.
ExitCode run_plan(const LiveRankFlags& flags);
// Imports results into the state file.
ExitCode run_learn(const LiveRankFlags& flags);

}  // namespace webstrata
