// The flags of everything that sends requests: who asks, how politely, and where names lead.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "webstrata/cli/frame/flags.h"
#include "webstrata/fetch/rules/politeness.h"
#include "webstrata/fetch/wire/clock.h"
#include "webstrata/fetch/wire/curl_transport.h"

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

// --agent; else the environment's WEBSTRATA_AGENT; else the line "agent = TEXT" of
// ~/.config/webstrata/config. Throws Error(BadInput) unless it names a contact.
std::string agent_of(const FetchFlags& flags);

PolitenessRules politeness_of(const FetchFlags& flags);
CurlTransportOptions transport_of(const FetchFlags& flags);

}  // namespace webstrata
