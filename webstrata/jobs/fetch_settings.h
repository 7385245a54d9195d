// SPDX-License-Identifier: Apache-2.0

// What every job that sends requests needs to know: who asks, how politely, and where names lead.
//
//   FetchSettings fetch{.agent = "me/1.0 (+https://me.example)"};
//   CurlTransport web(transport_of(fetch), clock);

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "webstrata/fetch/rules/politeness.h"
#include "webstrata/fetch/wire/curl_transport.h"
#include "webstrata/jobs/given_word.h"

namespace webstrata {

struct FetchSettings {
  std::string agent = {};  // names a contact; empty: as agent_of() says
  Moment delay_ms = 1000;
  std::optional<Moment> address_delay_ms = {};  // empty: delay_ms
  unsigned connections = 64;
  bool allow_private = false;
  std::string connect_to = {};  // for tests and replay: every name leads to this ADDRESS:PORT
  std::string hosts_file = {};  // for tests and replay: names lead where this file says
  std::string ca_file = {};     // certificates to trust instead of the system's
  friend bool operator==(const FetchSettings&, const FetchSettings&) = default;
};

// Changes the setting that users call `name`: agent, delay, address-delay, connections,
// allow-private, connect-to, hosts, ca-file. False if there is none of that name. Throws
// Error(BadInput) for a word that means nothing.
bool set_fetch_setting(FetchSettings& settings, std::string_view name, const GivenWord& word);

// The settings' agent; else the environment's WEBSTRATA_AGENT; else the line "agent = TEXT" of
// ~/.config/webstrata/config. Throws Error(BadInput) unless it names a contact.
std::string agent_of(const FetchSettings& settings);

PolitenessRules politeness_of(const FetchSettings& settings);
// Throws Error(BadInput), Error(NotFound) if a file is missing.
CurlTransportOptions transport_of(const FetchSettings& settings);

}  // namespace webstrata
