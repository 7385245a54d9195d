// SPDX-License-Identifier: Apache-2.0

// The flags of everything that sends requests: who asks, how politely, and where names lead.

#pragma once

#include <string>

#include "webstrata/cli/frame/flags.h"
#include "webstrata/jobs/fetch_settings.h"

namespace webstrata {

struct FetchFlags {
  std::string agent;
  std::string delay = "1s";
  std::string address_delay;
  unsigned connections = 64;
  bool allow_private = false;
  std::string connect_to;
  std::string hosts;
  std::string ca_file;
};

void declare_fetch(FlagSet& app, FetchFlags& flags);

// Throws Error(BadInput) for words that mean nothing.
FetchSettings fetch_settings_of(const FetchFlags& flags);

}  // namespace webstrata
