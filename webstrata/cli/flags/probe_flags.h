// SPDX-License-Identifier: Apache-2.0

// The flags of `probe` and of `liverank --probe`.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "webstrata/cli/flags/fetch_flags.h"
#include "webstrata/cli/frame/flags.h"
#include "webstrata/jobs/probe_job.h"

namespace webstrata {

struct ProbeFlags {
  FetchFlags fetch;
  std::string confirm = "3x3d";
  std::string rule = "evidence";
  std::string job;
  std::string out;
  std::string timeout = "60s";
  std::string body = "1M";
  std::optional<std::uint64_t> requests;
  bool wait = false;
  bool head = false;
  std::uint64_t seed = 1;
};

// All but --seed, which other commands have already.
void declare_probe(FlagSet& app, ProbeFlags& flags);
// Throws Error(BadInput) for words that mean nothing. Stops at Ctrl-C.
ProbeJobOptions probe_options_of(const ProbeFlags& flags);

}  // namespace webstrata
