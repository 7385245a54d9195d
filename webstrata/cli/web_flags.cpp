// Tested by tests/cli/crawl_test.py.

#include "webstrata/cli/web_flags.h"

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/cli/words.h"
#include "webstrata/fetch/agent.h"
#include "webstrata/fetch/curl_transport.h"

namespace webstrata {

void declare_web(FlagSet& app, WebFlags& flags) {
  app.add_option("--agent", flags.agent,
                 "Who asks, with a contact: \"name/1.0 (+https://page.example)\" or a mail "
                 "address; needed. WEBSTRATA_AGENT says it too")
      ->envname("WEBSTRATA_AGENT")
      ->type_name("TEXT");
  app.add_option("--delay", flags.delay,
                 "Between an answer and the next request to its host; Crawl-delay and Retry-After "
                 "make it longer; default: 1s")
      ->type_name("TIME");
  app.add_option("--ip-delay", flags.address_delay,
                 "The same for all hosts of one address; default: as --delay")
      ->type_name("TIME");
  app.add_option("--ip-connections", flags.address_connections,
                 "Requests to one address at a time; default: 1")
      ->within(1, 100'000)
      ->type_name("N");
  app.add_option("--connections", flags.connections, "Requests at a time in all; default: 64")
      ->within(1, 100'000)
      ->type_name("N");
  app.add_option("--backoff", flags.backoff,
                 "How long a host that answers 429 or 503, or not at all, is left alone at first; "
                 "doubles each time; default: 10s")
      ->type_name("TIME");
  app.add_option("--give-up", flags.give_up, "So many such answers in a row end it; default: 5")
      ->within(1, 1000)
      ->type_name("N");
  app.add_option("--timeout", flags.timeout, "For one answer; default: 60s")->type_name("TIME");
  app.add_option("--max-body", flags.body_max,
                 "Bytes of one answer; the rest is left; default: 16M")
      ->type_name("BYTES");
  app.add_flag("--allow-private", flags.allow_private,
               "Also ask private, loopback and link-local addresses");
  app.add_option("--hosts", flags.hosts_file,
                 "Names lead where this file says (lines \"ADDRESS[:PORT] NAME...\"), and nowhere "
                 "else: for tests and replays")
      ->type_name("FILE");
  app.add_option("--connect-to", flags.connect_to, "All names lead to this ADDRESS:PORT")
      ->type_name("PLACE");
  app.add_option("--ca-file", flags.ca_file, "Certificates to trust instead of the system's")
      ->type_name("FILE");
}

Moment parse_duration_flag(std::string_view flag, std::string_view word) {
  const auto duration = parse_duration(word);
  if (!duration) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} {}: not a time such as 250ms, 90s, 15m, 2h or 3d", flag, word));
  }
  return *duration;
}

PolitenessRules politeness_of(const WebFlags& flags) {
  PolitenessRules rules;
  rules.delay_ms = parse_duration_flag("--delay", flags.delay);
  if (!flags.address_delay.empty()) {
    rules.address_delay_ms = parse_duration_flag("--ip-delay", flags.address_delay);
  }
  rules.connections_per_address = flags.address_connections;
  rules.connections = flags.connections;
  rules.backoff_first_ms = parse_duration_flag("--backoff", flags.backoff);
  rules.failures_max = flags.give_up;
  return rules;
}

RequestLimits limits_of(const WebFlags& flags) {
  RequestLimits limits;
  limits.total_ms_max = parse_duration_flag("--timeout", flags.timeout);
  limits.body_bytes_max = parse_bytes_flag("--max-body", flags.body_max);
  return limits;
}

std::unique_ptr<Transport> open_web(const WebFlags& flags, const Clock& clock) {
  CurlTransportOptions options;
  options.agent = checked_agent(flags.agent);
  options.allow_private = flags.allow_private;
  options.ca_file = flags.ca_file;
  if (!flags.hosts_file.empty()) options.look_up = hosts_file_look_up(flags.hosts_file);
  if (!flags.connect_to.empty()) options.look_up = single_place_look_up(flags.connect_to);
  return std::make_unique<CurlTransport>(std::move(options), clock);
}

}  // namespace webstrata
