// Tested by tests/cli/probe_test.py.

#include "webstrata/cli/flags/fetch_flags.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/text.h"
#include "webstrata/fetch/wire/agent.h"
#include "webstrata/words/amounts.h"

namespace webstrata {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::filesystem::path configuration_file() {
  const std::string folder = environment("XDG_CONFIG_HOME");
  if (!folder.empty()) return std::filesystem::path(folder) / "webstrata" / "config";
  const std::string home = environment("HOME");
  return home.empty() ? std::filesystem::path()
                      : std::filesystem::path(home) / ".config" / "webstrata" / "config";
}

std::string without_quotes(std::string_view text) {
  const bool is_quoted = text.size() > 1 && text.front() == text.back() &&
                         (text.front() == '"' || text.front() == '\'');
  return std::string(is_quoted ? text.substr(1, text.size() - 2) : text);
}

// The value of "name = value", which may stand in quotes.
std::string configured(std::string_view name) {
  const std::filesystem::path path = configuration_file();
  if (path.empty() || !std::filesystem::exists(path)) return {};
  const std::string text = read_file(path);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos && trim(line.substr(0, equals)) == name) {
      return without_quotes(trim(line.substr(equals + 1)));
    }
  }
  return {};
}

}  // namespace

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

std::string agent_of(const FetchFlags& flags) {
  if (!flags.agent.empty()) return checked_agent(flags.agent);
  const std::string from_environment = environment("WEBSTRATA_AGENT");
  return checked_agent(from_environment.empty() ? configured("agent") : from_environment);
}

PolitenessRules politeness_of(const FetchFlags& flags) {
  PolitenessRules rules;
  rules.delay_ms = parse_duration_word("--delay", flags.delay);
  rules.connections = flags.connections;
  if (!flags.address_delay.empty()) {
    rules.address_delay_ms = parse_duration_word("--address-delay", flags.address_delay);
  } else if (!flags.connect_to.empty() || !flags.hosts.empty()) {
    // One machine plays the whole web: its hosts are what counts.
    rules.address_delay_ms = 0;
    rules.connections_per_address = flags.connections;
  }
  return rules;
}

CurlTransportOptions transport_of(const FetchFlags& flags) {
  CurlTransportOptions options;
  options.agent = agent_of(flags);
  options.allow_private = flags.allow_private;
  options.ca_file = flags.ca_file;
  if (!flags.ca_file.empty() && !std::filesystem::is_regular_file(flags.ca_file)) {
    throw Error(ErrorKind::NotFound, fmt::format("--ca-file {}: no such file", flags.ca_file));
  }
  if (!flags.connect_to.empty()) options.look_up = single_place_look_up(flags.connect_to);
  if (!flags.hosts.empty()) options.look_up = hosts_file_look_up(flags.hosts);
  return options;
}

}  // namespace webstrata
