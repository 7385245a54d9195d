// Flags of every command that sends requests: who asks, how gently, and where names lead.

#pragma once

#include <memory>
#include <string>

#include "webstrata/cli/flags.h"
#include "webstrata/fetch/budget.h"
#include "webstrata/fetch/clock.h"
#include "webstrata/fetch/politeness.h"
#include "webstrata/fetch/transport.h"

namespace webstrata {

struct WebFlags {
  std::string agent;
  std::string delay = "1s";
  std::string address_delay;  // empty: as `delay`
  unsigned address_connections = 1;
  unsigned connections = 64;
  std::string backoff = "10s";
  unsigned give_up = 5;
  std::string timeout = "60s";
  std::string body_max = "16M";
  bool allow_private = false;
  std::string hosts_file;
  std::string connect_to;
  std::string ca_file;
};

void declare_web(FlagSet& app, WebFlags& flags);

// All throw Error(BadInput) naming the flag.
PolitenessRules politeness_of(const WebFlags& flags);
RequestLimits limits_of(const WebFlags& flags);
// Throws if the agent names no contact: without it nothing is requested.
std::unique_ptr<Transport> open_web(const WebFlags& flags, const Clock& clock);

// "15m", "250ms".
Moment parse_duration_flag(std::string_view flag, std::string_view word);

}  // namespace webstrata
