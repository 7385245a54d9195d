// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/probe_test.py.

#include "webstrata/cli/flags/fetch_flags.h"

#include "webstrata/words/amounts.h"

namespace webstrata {

void declare_fetch(FlagSet& app, FetchFlags& flags) {
  app.group("Politeness");
  app.add_option("--agent", flags.agent,
                 "Who is asking: a name with a mail address or web page to write to (default: "
                 "WEBSTRATA_AGENT, then `agent` in ~/.config/webstrata/config)")
      ->type_name("TEXT");
  app.add_option("--delay", flags.delay, "Minimum delay between requests to one host (default 1s)")
      ->type_name("TIME");
  app.add_option("--address-delay", flags.address_delay,
                 "Minimum delay between requests to one server address (default: as --delay)")
      ->type_name("TIME");
  app.add_option("--connections", flags.connections, "Maximum concurrent connections (default 64)")
      ->positive()
      ->type_name("N");
  app.group("Network");
  app.add_flag("--allow-private", flags.allow_private,
               "Also contact private, loopback and link-local addresses");
  auto* place = app.add_option("--connect-to", flags.connect_to,
                               "For tests and replay: connect to this address for every host name");
  place->type_name("ADDRESS:PORT");
  app.add_option("--hosts", flags.hosts,
                 "For tests and replay: look host names up in this file, with lines of "
                 "ADDRESS[:PORT] NAME...")
      ->type_name("FILE")
      ->excludes(place);
  app.add_option("--ca-file", flags.ca_file,
                 "Trust the certificates in FILE instead of the system's")
      ->type_name("FILE");
  app.group(kPlainGroup);
}

FetchSettings fetch_settings_of(const FetchFlags& flags) {
  FetchSettings settings;
  settings.agent = flags.agent;
  settings.delay_ms = parse_duration_word("--delay", flags.delay);
  if (!flags.address_delay.empty()) {
    settings.address_delay_ms = parse_duration_word("--address-delay", flags.address_delay);
  }
  settings.connections = flags.connections;
  settings.allow_private = flags.allow_private;
  settings.connect_to = flags.connect_to;
  settings.hosts_file = flags.hosts;
  settings.ca_file = flags.ca_file;
  return settings;
}

}  // namespace webstrata
