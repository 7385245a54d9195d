// Tested by tests/cli/probe_test.py.

#include "webstrata/cli/flags/fetch_flags.h"

#include "webstrata/words/amounts.h"

namespace webstrata {

void declare_fetch(FlagSet& app, FetchFlags& flags) {
  app.add_option("--agent", flags.agent, "Who asks, with a mail address or web page to write to")
      ->type_name("TEXT");
  app.add_option("--delay", flags.delay, "Between requests to one host (default 1s)")
      ->type_name("TIME");
  app.add_option("--address-delay", flags.address_delay,
                 "Between requests to one server address (default: as --delay)")
      ->type_name("TIME");
  app.add_option("--connections", flags.connections, "At most so many at once (default 64)")
      ->positive()
      ->type_name("N");
  app.add_flag("--allow-private", flags.allow_private,
               "Ask private, loopback and link-local addresses too");
  auto* place = app.add_option("--connect-to", flags.connect_to,
                               "For tests and replay: every name leads to this ADDRESS:PORT");
  place->type_name("PLACE");
  app.add_option("--hosts", flags.hosts,
                 "For tests and replay: names lead where this file says (ADDRESS[:PORT] NAME…)")
      ->type_name("FILE")
      ->excludes(place);
  app.add_option("--ca-file", flags.ca_file, "Certificates to trust instead of the system's")
      ->type_name("FILE");
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
