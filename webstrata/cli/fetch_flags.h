// The flags of everything that sends requests: who asks, how politely, and where names lead.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "webstrata/cli/flags.h"
#include "webstrata/fetch/clock.h"
#include "webstrata/fetch/curl_transport.h"
#include "webstrata/fetch/politeness.h"

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

// "90s", "15m", "3d": throws Error(BadInput) that names the flag.
Moment parse_duration_flag(std::string_view flag, std::string_view word);

// URL arguments: urls, "@list" and "-" for one url a line (of lines with tabs the first word
// counts). Normalised, each once, in order. Throws Error(BadInput) for what is no http or https
// url.
std::vector<std::string> expand_urls(const std::vector<std::string>& words);

}  // namespace webstrata
