// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/probe_test.py, tests/jobs/crawl_job_test.cpp.

#include "webstrata/jobs/fetch_settings.h"

#include <filesystem>

#include <fmt/format.h>

#include "webstrata/base/environment.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"
#include "webstrata/fetch/wire/agent.h"
#include "webstrata/words/config_file.h"

namespace webstrata {
namespace {

// The value for all commands.
std::string configured(std::string_view name) {
  for (const ConfigEntry& entry : load_config()) {
    if (entry.section.empty() && entry.name == name) return entry.value;
  }
  return {};
}

}  // namespace

bool set_fetch_setting(FetchSettings& settings, std::string_view name, const GivenWord& word) {
  if (name == "agent") {
    settings.agent = word.text();
  } else if (name == "delay") {
    settings.delay_ms = word.duration_ms();
  } else if (name == "address-delay") {
    settings.address_delay_ms = word.duration_ms();
  } else if (name == "connections") {
    settings.connections = static_cast<unsigned>(word.number(1, UINT32_MAX));
  } else if (name == "allow-private") {
    settings.allow_private = word.truth();
  } else if (name == "connect-to") {
    settings.connect_to = word.text();
  } else if (name == "hosts") {
    settings.hosts_file = word.text();
  } else if (name == "ca-file") {
    settings.ca_file = word.text();
  } else {
    return false;
  }
  return true;
}

std::string agent_of(const FetchSettings& settings) {
  if (!settings.agent.empty()) return checked_agent(settings.agent);
  const std::string from_environment = environment("WEBSTRATA_AGENT");
  return checked_agent(from_environment.empty() ? configured("agent") : from_environment);
}

PolitenessRules politeness_of(const FetchSettings& settings) {
  PolitenessRules rules;
  rules.delay_ms = settings.delay_ms;
  rules.connections = settings.connections;
  rules.address_delay_ms = settings.address_delay_ms;
  const bool is_replay = !settings.connect_to.empty() || !settings.hosts_file.empty();
  if (!settings.address_delay_ms && is_replay) {
    // One machine plays the whole web: its hosts are what counts.
    rules.address_delay_ms = 0;
    rules.connections_per_address = settings.connections;
  }
  return rules;
}

CurlTransportOptions transport_of(const FetchSettings& settings) {
  CurlTransportOptions options;
  options.agent = agent_of(settings);
  options.allow_private = settings.allow_private;
  options.ca_file = settings.ca_file;
  if (!settings.ca_file.empty() && !std::filesystem::is_regular_file(settings.ca_file)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: no such file of certificates", settings.ca_file));
  }
  if (!settings.connect_to.empty() && !settings.hosts_file.empty()) {
    throw Error(ErrorKind::BadInput,
                "names lead to one place or where a file of hosts says: give "
                "connect-to or hosts, not both");
  }
  if (!settings.connect_to.empty()) options.look_up = single_place_look_up(settings.connect_to);
  if (!settings.hosts_file.empty()) options.look_up = hosts_file_look_up(settings.hosts_file);
  return options;
}

}  // namespace webstrata
