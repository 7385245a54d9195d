// SPDX-License-Identifier: Apache-2.0

// webstrata crawl: a crawl within its budget, written to WARC.
// Tested by tests/cli/crawl_test.py.

#include <memory>
#include <string>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/cli/flags/crawl_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/fetch/ledger/ledger_export.h"
#include "webstrata/frontier/client/frontier_plan.h"
#include "webstrata/jobs/crawl_job.h"
#include "webstrata/serve/guard.h"
#include "webstrata/show/crawl_forms.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

ExitCode print_ledger(const CrawlFlags& flags) {
  Lines lines("", WhenClosed::Stop);
  export_ledger(flags.job, [&](std::string_view line) { lines.add(line); });
  lines.commit();
  return ExitCode::Done;
}

std::shared_ptr<SharedPlan> connect(const CrawlJobSettings& settings) {
  frontier::ClientSettings client;
  client.address = settings.frontier;
  client.crawl = settings.crawl_id;
  if (!settings.frontier_token.empty()) client.token = serve::read_token(settings.frontier_token);
  if (!settings.frontier_ca_file.empty()) client.roots = read_file(settings.frontier_ca_file);
  return frontier::frontier_plan(frontier::connect_frontier(client));
}

CrawlJob job_of(const CrawlFlags& flags, const GivenFlags& given) {
  const auto change = [&](CrawlJobSettings& settings) { change_settings(settings, given); };
  if (flags.resume) return CrawlJob::resume(flags.job, change, connect);
  const auto seeds = expand_urls(flags.seeds);
  CrawlJobSettings settings;
  change(settings);
  return CrawlJob::begin(flags.job, seeds, settings, connect);
}

void show_result(const CrawlResult& result, const CrawlFlags& flags) {
  if (flags.json) {
    Lines lines;
    lines.add(as_json(result, flags.job));
    lines.commit();
  }
  if (flags.quiet) return;
  for (const std::string& line : as_lines(result, flags.job)) say(line);
}

ExitCode run(const CrawlFlags& flags, const GivenFlags& given) {
  if (flags.ledger) return print_ledger(flags);
  const bool has_urls = !flags.seeds.empty() || (!flags.resume && !flags.frontier.empty());
  if (flags.resume == has_urls) {
    throw Error(ErrorKind::BadInput,
                flags.resume
                    ? "--resume continues the job with its own seeds: name no others"
                    : "name one or more seeds or a --frontier, or use --resume to continue a job");
  }
  CrawlJob job = job_of(flags, given);
  const SystemClock clock;
  ProgressLine line(!flags.quiet);
  CrawlStatus status;
  const bool has_topic = !job.settings().topics.empty();
  const CrawlResult result = job.run(&interruption(), [&](const CrawlNews& news) {
    line.show_text(status.text(news, clock.now(), has_topic));
  });
  line.clear();
  show_result(result, flags);
  return result.news.pages == 0 ? ExitCode::FoundNothing : ExitCode::Done;
}

std::function<ExitCode()> declare_crawl_command(FlagSet& app) {
  const auto flags = std::make_shared<CrawlFlags>();
  declare_crawl(app, *flags);
  // A job that is resumed has its own settings: only words of the command line change them.
  return [flags, &app] {
    return run(*flags, flags->resume ? app.given() : app.given_or_configured());
  };
}

constexpr std::string_view kDescription =
    "Crawls politely: obeys robots.txt, sends one request to a host at a time, waits after each\n"
    "answer, and backs off when a server is overloaded. Every request is in the job's ledger "
    "before\n"
    "it is sent, and every answer is in a WARC file before the ledger marks it as done: a killed "
    "job\n"
    "continues with --resume. Ctrl-C lets requests in flight finish.\n"
    "\n"
    "Examples:\n"
    "  webstrata crawl job http://www.example.org/ --agent 'me/1.0 (+https://me.example)' --budget "
    "500\n"
    "  webstrata crawl job --resume --budget 1000\n"
    "  webstrata crawl job --frontier 127.0.0.1:7071 --anywhere --agent 'me/1.0 "
    "(+https://me.example)'\n"
    "  webstrata crawl job --ledger | grep '\"dropped\"'\n"
    "  webstrata update lib.ws job/warc/*.warc.gz";

}  // namespace

Command crawl_command() {
  return {"crawl", "Crawl politely within a budget, and write WARC", kDescription,
          declare_crawl_command};
}

}  // namespace webstrata
