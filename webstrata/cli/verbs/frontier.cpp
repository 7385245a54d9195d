// SPDX-License-Identifier: Apache-2.0

// webstrata frontier: the URL Frontier service, for crawlers that share one plan.
// Tested by tests/frontier/service_test.py.

#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/frontier/service/service.h"
#include "webstrata/serve/guard.h"

namespace webstrata {
namespace {

struct FrontierFlags {
  std::string job;
  std::string archive;
  std::string score;
  std::string listen = "127.0.0.1";
  int port = 7071;
  int metrics_port = -1;
  std::string token;
  std::string certificate;
  std::string private_key;
  std::size_t queues_max = frontier::ServiceSettings{}.queues_max;
  bool dumps = false;
  std::string load;
  bool quiet = false;
};

frontier::ServiceSettings settings_of(const FrontierFlags& flags) {
  if (flags.certificate.empty() != flags.private_key.empty()) {
    refuse("--tls-cert and --tls-key belong together");
  }
  frontier::ServiceSettings settings;
  if (flags.archive.empty() && !flags.score.empty()) refuse("--score needs --archive");
  settings.job = flags.job;
  settings.archive = flags.archive;
  settings.score = flags.score;
  settings.address = flags.listen;
  settings.port = static_cast<std::uint16_t>(flags.port);
  settings.queues_max = flags.queues_max;
  if (flags.metrics_port >= 0)
    settings.metrics_port = static_cast<std::uint16_t>(flags.metrics_port);
  if (!flags.token.empty()) settings.token = serve::read_token(flags.token);
  if (!flags.certificate.empty()) {
    settings.certificate = read_file(flags.certificate);
    settings.private_key = read_file(flags.private_key);
  }
  return settings;
}

ExitCode dump_urls(const frontier::ServiceSettings& settings) {
  Output output("");
  frontier::dump_frontier(settings, [&output](std::string_view line) {
    interruption().check();
    output.write(line);
  });
  output.commit();
  return ExitCode::Done;
}

ExitCode load_urls(const frontier::ServiceSettings& settings, const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) throw Error(ErrorKind::NotFound, fmt::format("{}: cannot be read", path));
  }
  std::istream& lines = path == "-" ? std::cin : file;
  const frontier::LoadedUrls loaded = frontier::load_frontier(settings, [&](std::string& line) {
    interruption().check();
    return static_cast<bool>(std::getline(lines, line));
  });
  Output("").write(fmt::format("stored {} URLs, skipped {}\n", loaded.stored, loaded.skipped));
  return ExitCode::Done;
}

void log_line(frontier::LogLevel level, std::string_view line) {
  complain(line, level >= frontier::LogLevel::Warn ? Tone::Error : Tone::Plain);
}

ExitCode serve_urls(const frontier::ServiceSettings& settings, const FrontierFlags& flags) {
  frontier::ServiceHooks hooks;
  hooks.cancel = &interruption();
  hooks.started = [&](const std::string& address, const std::string& metrics) {
    Output("").write(address + "\n");
    if (!metrics.empty()) Output("").write(fmt::format("http://{}/metrics\n", metrics));
    const bool is_loopback = flags.listen.starts_with("127.") || flags.listen == "::1";
    if (!is_loopback && settings.token.empty() && !flags.quiet) {
      complain("other machines can change this frontier; --token FILE restricts that");
    }
  };
  if (!flags.quiet) hooks.log = log_line;
  frontier::serve_frontier(settings, hooks);
  return ExitCode::Done;
}

ExitCode run_frontier(const FrontierFlags& flags) {
  const frontier::ServiceSettings settings = settings_of(flags);
  if (flags.dumps) return dump_urls(settings);
  if (!flags.load.empty()) return load_urls(settings, flags.load);
  return serve_urls(settings, flags);
}

std::function<ExitCode()> declare_frontier_command(FlagSet& app) {
  const auto flags = std::make_shared<FrontierFlags>();
  app.add_option("JOB", flags->job, "Folder of the frontier; created if it is missing")->required();
  app.group("Order");
  app.add_option("--archive", flags->archive,
                 "Archive that orders the URLs of a queue (default: first in, first out)")
      ->type_name("ARCHIVE");
  app.add_option("--score", flags->score,
                 "Column of scores that decides first (default: how likely pages are alive)")
      ->type_name("NAME");
  app.group("Address");
  app.add_option("--port", flags->port, "Port; 0 means a free one (default 7071)")
      ->within(0, 65535)
      ->type_name("N");
  app.add_option("--listen", flags->listen,
                 "IP address to listen on; 0.0.0.0 means all (default 127.0.0.1)")
      ->type_name("ADDRESS");
  app.add_option("--metrics-port", flags->metrics_port,
                 "Port of metrics for Prometheus; 0 means a free one (default: none)")
      ->within(0, 65535)
      ->type_name("N");
  app.group("Access");
  app.add_option("--token", flags->token,
                 "File with a token that every call must carry (default: none)")
      ->type_name("FILE");
  app.add_option("--tls-cert", flags->certificate,
                 "File with the certificate of the service, in PEM (default: no TLS)")
      ->type_name("FILE");
  app.add_option("--tls-key", flags->private_key, "File with its private key, in PEM")
      ->type_name("FILE");
  app.group("Limits");
  app.add_option("--max-queues", flags->queues_max,
                 "Maximum number of queues; each takes memory (default 1000000)")
      ->positive()
      ->type_name("N");
  app.group("Lines");
  app.add_flag("--dump", flags->dumps, "Print all URLs as JSON lines, and do not serve");
  app.add_option("--load", flags->load,
                 "Put the URLs of a file with such lines (-: standard input), and do not serve")
      ->type_name("FILE");
  app.add_flag("-q,--quiet", flags->quiet, "Print no notes")->group(kGeneralGroup);
  return [flags] { return run_frontier(*flags); };
}

}  // namespace

Command frontier_command() {
  return {"frontier", "Serve URLs to crawlers over gRPC: a URL Frontier service",
          "Prints the address and serves until it is interrupted. Crawlers that speak the API of "
          "URL\nFrontier 2.x put the URLs that they find and take those to fetch next. "
          "Everything is kept in\nJOB, and survives the end of the program at any instant.\n\n"
          "Examples:\n"
          "  webstrata frontier job\n"
          "  webstrata frontier job --archive lib.ws --port 7072\n"
          "  webstrata frontier job --dump > urls.jsonl\n"
          "  webstrata frontier job --listen 0.0.0.0 --token token.txt --metrics-port 9100",
          declare_frontier_command};
}

}  // namespace webstrata
