// SPDX-License-Identifier: Apache-2.0

// webstrata serve: archives over HTTP, for programs and people. Everything that the flags name is
// opened before the address is printed, so that a mistake ends the program instead of a request.
// Tested by tests/serve/server_test.py.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/limit_error.h"
#include "webstrata/base/report.h"
#include "webstrata/base/time.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/serve/ask/archives.h"
#include "webstrata/serve/ask/settings.h"
#include "webstrata/serve/guard.h"
#include "webstrata/serve/replay/recorded_web.h"
#include "webstrata/serve/runs/runs.h"
#include "webstrata/serve/service.h"
#include "webstrata/serve/wire/http_server.h"
#include "webstrata/words/amounts.h"
#include "webstrata/words/dated_archive.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

struct ServeFlags {
  std::vector<std::string> archives;
  std::vector<std::string> runs;
  std::vector<std::string> recorded;
  std::string listen = "127.0.0.1";
  int port = 8931;
  std::string base_path = "/";
  std::string token;
  bool open_reading = false;
  bool writable = false;
  std::string upload = "64M";
  std::vector<std::string> origins;
  std::vector<std::string> hosts;
  std::vector<std::string> trusted_proxies;
  std::string replay;
  std::string access_log;
  std::string timeout = "30s";
  std::string cache = "64M";
  unsigned connections = 5000;
  unsigned threads = 0;
  bool quiet = false;
};

// Appends whole lines, so that several processes and a rotation of logs can share a file.
class LogFile {
 public:
  explicit LogFile(const std::string& path)
      : descriptor_(
            ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640)) {
    if (descriptor_ < 0) throw Error(ErrorKind::Io, fmt::format("{}: {}", path, reason_of(errno)));
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() { ::close(descriptor_); }

  void write(std::string_view line) const {
    [[maybe_unused]] const auto ignored = ::write(descriptor_, line.data(), line.size());
  }

 private:
  int descriptor_;
};

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

serve::Settings settings_of(const ServeFlags& flags) {
  serve::Settings settings;
  settings.base_path = serve::parse_base_path(flags.base_path);
  if (!flags.token.empty()) settings.token = serve::read_token(flags.token);
  if (flags.writable && flags.token.empty()) {
    refuse("--writable needs --token FILE: only those who know the token may change archives");
  }
  if (flags.open_reading && flags.token.empty()) {
    refuse("--open-reading needs --token FILE: without it, everything is open anyway");
  }
  settings.reading_needs_token = !flags.open_reading;
  settings.is_writable = flags.writable;
  settings.upload_bytes_max = parse_bytes_word("--upload", flags.upload);
  settings.origins = flags.origins;
  settings.trusted_proxies = flags.trusted_proxies;
  settings.hosts = flags.hosts;
  // A proxy passes on names of its own; so do others in a network that this address is open to.
  if (!flags.trusted_proxies.empty() || !is_loopback(flags.listen)) settings.hosts = {"*"};
  if (!flags.replay.empty()) serve::check_replay(flags.replay);
  settings.replay = flags.replay;
  settings.answers_bytes_max = parse_bytes_word("--cache", flags.cache);
  return settings;
}

serve::ServerOptions server_options_of(const ServeFlags& flags) {
  serve::ServerOptions options;
  options.address = flags.listen;
  options.port = static_cast<std::uint16_t>(flags.port);
  options.threads = flags.threads;
  options.connections_max = flags.connections;
  options.run_ms = parse_duration_word("--timeout", flags.timeout);
  return options;
}

std::string address_of_server(const ServeFlags& flags, const serve::Settings& settings,
                              std::uint16_t port) {
  const bool is_ipv6 = flags.listen.find(':') != std::string::npos;
  return fmt::format("http://{}:{}{}", is_ipv6 ? "[" + flags.listen + "]" : flags.listen, port,
                     settings.base_path);
}

serve::RecordedWeb recorded_web(const std::vector<std::string>& inputs) {
  Report report;
  return serve::RecordedWeb::read(expand_inputs(inputs), kAllTime.last, report, {},
                                  &interruption());
}

ExitCode run_server(const ServeFlags& flags) {
  const serve::Settings settings = settings_of(flags);
  std::vector<serve::ArchivePlace> places;
  for (const std::string& word : flags.archives) {
    undated_archive(word, "serve answers for all times of an archive");
    places.push_back(serve::parse_archive_place(word));
  }
  serve::Archives archives(places);
  serve::Runs runs(flags.runs);
  const auto log = flags.access_log.empty() ? nullptr : std::make_unique<LogFile>(flags.access_log);
  serve::Logs logs;
  if (log) logs.access = [&log](std::string_view line) { log->write(line); };
  logs.trouble = [](std::string_view line) { complain(line, Tone::Error); };
  std::optional<serve::RecordedWeb> recorded;
  if (!flags.recorded.empty()) recorded = recorded_web(flags.recorded);
  serve::Service service(archives, runs, settings, logs, recorded ? &*recorded : nullptr);
  serve::HttpServer server(server_options_of(flags), service);
  Output("").write(address_of_server(flags, settings, server.port()) + "\n");
  const bool is_open =
      !is_loopback(flags.listen) && (settings.token.empty() || !settings.reading_needs_token);
  if (is_open && !flags.quiet) {
    complain(settings.token.empty()
                 ? "other machines can read these archives; --token FILE restricts that"
                 : "other machines can read these archives without the token (--open-reading)");
  }
  server.run(interruption());
  return ExitCode::Done;
}

std::function<ExitCode()> declare_serve_command(FlagSet& app) {
  const auto flags = std::make_shared<ServeFlags>();
  app.add_option("ARCHIVE", flags->archives,
                 "Folders of archives; NAME=FOLDER chooses the name in addresses")
      ->required();
  app.add_option("--runs", flags->runs,
                 "Crawl or probe job, campaign, seeds (--json), or a folder of them, to show too")
      ->repeatable()
      ->type_name("PLACE");
  app.add_option("--warc", flags->recorded,
                 "WARC files, or folders with them, to replay captures from")
      ->repeatable()
      ->type_name("INPUT");
  app.group("Address");
  app.add_option("--port", flags->port, "Port; 0 means a free one (default 8931)")
      ->within(0, 65535)
      ->type_name("N");
  app.add_option("--listen", flags->listen,
                 "IP address to listen on; 0.0.0.0 means all (default 127.0.0.1)")
      ->type_name("ADDRESS");
  app.add_option("--base-path", flags->base_path,
                 "Path that all addresses begin with, as a proxy passes it on (default /)")
      ->type_name("PATH");
  app.add_option("--trusted-proxy", flags->trusted_proxies,
                 "Address of a proxy whose X-Forwarded headers are believed")
      ->repeatable()
      ->type_name("ADDRESS");
  app.add_option("--host", flags->hosts,
                 "Further name by which clients may call the server (default: loopback names)")
      ->repeatable()
      ->type_name("NAME");
  app.group("Access");
  app.add_option("--token", flags->token,
                 "File with a token that every request must carry (default: none)")
      ->type_name("FILE");
  app.add_flag("--open-reading", flags->open_reading,
               "Ask for the token only when an archive is to be changed");
  app.add_flag("--writable", flags->writable,
               "Let clients with the token import captures, forget and compact");
  app.add_option("--upload", flags->upload, "Largest body of a request to do so (default 64M)")
      ->type_name("BYTES");
  app.add_option("--cors", flags->origins,
                 "Origin whose scripts may read answers; * means all (default: none)")
      ->repeatable()
      ->type_name("ORIGIN");
  app.add_option("--replay", flags->replay,
                 fmt::format("Address of mementos, such as {}", serve::kReplayExample))
      ->type_name("TEMPLATE");
  app.group("Limits");
  app.add_option("--timeout", flags->timeout, "Time to compute an answer (default 30s)")
      ->type_name("DURATION");
  app.add_option("--cache", flags->cache,
                 "Memory per archive for answers that are asked for again (default 64M; 0: none)")
      ->type_name("BYTES");
  app.add_option("--connections", flags->connections, "Connections at once (default 5000)")
      ->positive()
      ->type_name("N");
  app.group("Output");
  app.add_option("--access-log", flags->access_log,
                 "Append a line per request to FILE, in the combined format")
      ->type_name("FILE");
  app.add_option("--threads", flags->threads, "Number of threads (default: one per core)")
      ->group(kGeneralGroup)
      ->type_name("N");
  app.add_flag("-q,--quiet", flags->quiet, "Print no notes")->group(kGeneralGroup);
  return [flags] { return run_server(*flags); };
}

}  // namespace

Command serve_command() {
  return {"serve", "Serve archives over HTTP: an API for programs, CDX and Memento",
          "Prints the address and answers until it is interrupted. Only reads, unless --writable is "
          "given.\nA new generation of an archive is served as soon as it is there.\n\n"
          "Examples:\n"
          "  webstrata serve lib.ws\n"
          "  webstrata serve lib.ws old=2019.ws --port 8080\n"
          "  webstrata serve lib.ws --runs jobs/ --runs week=campaign.tsv\n"
          "  webstrata serve lib.ws --listen 0.0.0.0 --token token.txt\n"
          "  webstrata serve lib.ws --writable --token token.txt --open-reading",
          declare_serve_command};
}

}  // namespace webstrata
