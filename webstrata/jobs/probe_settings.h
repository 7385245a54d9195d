// SPDX-License-Identifier: Apache-2.0

// What a probe is asked to do, setting by setting, as users name and write them.
//
//   ProbeSettings settings;
//   set_probe_setting(settings, "confirm", {"--confirm", {"3x3d"}});
//   ProbeJob job(probe_options_of(settings), archive);

#pragma once

#include <string_view>

#include "webstrata/jobs/fetch_settings.h"
#include "webstrata/jobs/probe_job.h"

namespace webstrata {

struct ProbeSettings {
  FetchSettings fetch = {};
  // Its transport and rules come from `fetch`. Reads a megabyte of a page at most.
  ProbeJobOptions options = {.limits = {.body_bytes_max = std::uint64_t{1} << 20}};
};

// Names are those of the command line's flags without their dashes: those of set_fetch_setting(),
// confirm, rule, head, timeout, body, requests, wait, seed, job, out. Throws Error(BadInput) for
// another name, or a word that means nothing.
void set_probe_setting(ProbeSettings& settings, std::string_view name, const GivenWord& word);

// Throws Error(BadInput) if no agent is known, or if the papers' rule is to judge answers to HEAD.
ProbeJobOptions probe_options_of(const ProbeSettings& settings);

}  // namespace webstrata
