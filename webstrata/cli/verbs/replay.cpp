// SPDX-License-Identifier: Apache-2.0

// webstrata replay: the answers in WARC files as the web of a date, on loopback.
// Tested by tests/serve/replay_test.py.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/base/report.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/serve/replay/recorded_web.h"
#include "webstrata/serve/replay/replay_service.h"
#include "webstrata/serve/wire/http_server.h"
#include "webstrata/words/dates.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

struct ReplayFlags {
  std::vector<std::string> inputs;
  std::vector<std::string> known;
  std::string at;
  std::string hosts;
  int port = 8932;
  unsigned threads = 0;
  bool quiet = false;
};

// In the form that crawl and probe read with --hosts: the names, and where they are served.
std::string hosts_text(const serve::RecordedWeb& web, std::uint16_t port) {
  std::string text;
  for (const std::string& host : web.hosts()) text += fmt::format("127.0.0.1:{} {}\n", port, host);
  return text;
}

ExitCode run_replay(const ReplayFlags& flags) {
  const Time at = flags.at.empty() ? kEver.last : parse_date_word("--at", flags.at).last;
  Report report;
  const auto known = flags.known.empty() ? flags.known : expand_inputs(flags.known);
  const serve::RecordedWeb web =
      serve::RecordedWeb::read(expand_inputs(flags.inputs), at, report, known, &interruption());
  if (web.size() == 0) {
    complain("no answer was recorded up to that date");
    return ExitCode::FoundNothing;
  }
  serve::ReplayService service(web);
  serve::ServerOptions options;
  options.port = static_cast<std::uint16_t>(flags.port);
  options.threads = flags.threads;
  serve::HttpServer server(options, service);
  if (!flags.hosts.empty()) write_output(flags.hosts, hosts_text(web, server.port()));
  Output("").write(fmt::format("http://127.0.0.1:{}/\n", server.port()));
  if (!flags.quiet) {
    complain(fmt::format("{} of {} as a proxy and as virtual hosts",
                         human_amount(web.size(), "URLs"),
                         human_amount(web.hosts().size(), "hosts")));
  }
  server.run(interruption());
  return ExitCode::Done;
}

std::function<ExitCode()> declare_replay_command(FlagSet& app) {
  const auto flags = std::make_shared<ReplayFlags>();
  app.add_option("INPUT", flags->inputs, "WARC files, folders with them, or @FILE for a list")
      ->required();
  app.group("Selection");
  app.add_option("--at", flags->at,
                 "Serve what was recorded last up to the last second of DATE (default: ever)")
      ->type_name("DATE");
  app.add_option("--known", flags->known,
                 "Earlier WARC files, for the bodies that revisits in INPUT refer to")
      ->repeatable()
      ->type_name("INPUT");
  app.group("Address");
  app.add_option("--port", flags->port, "Port on 127.0.0.1; 0 means a free one (default 8932)")
      ->within(0, 65535)
      ->type_name("N");
  app.add_option(
         "--hosts", flags->hosts,
         "Write the hosts and where they are served to FILE, for --hosts of crawl and probe")
      ->type_name("FILE");
  app.add_option("--threads", flags->threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_flag("-q,--quiet", flags->quiet, "Print no notes")->group(kGeneralGroup);
  return [flags] { return run_replay(*flags); };
}

}  // namespace

Command replay_command() {
  return {
      "replay", "Serve the answers in WARC files as the web of a date",
      "Prints the address and answers until it is interrupted, only on this machine: as a proxy,\n"
      "and as virtual hosts. Recorded status, headers and body; 404 for what was not recorded.\n\n"
      "Examples:\n"
      "  webstrata replay examples/sample/2021.warc.gz --at 2021\n"
      "  webstrata replay crawl.warc.gz --hosts hosts.txt",
      declare_replay_command};
}

}  // namespace webstrata
