// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/crawl_test.py.

#include "webstrata/cli/flags/crawl_flags.h"

namespace webstrata {
namespace {

// Names without dashes are places; the others say what this run prints, and no job remembers them.
bool is_of_one_run(const std::string& name) {
  return name == "--help" || name == "--color" || name == "--config" || name == "--no-config" ||
         name == "--resume" || name == "--json" || name == "--quiet" || name == "--ledger" ||
         !name.starts_with("--");
}

void declare_patience(FlagSet& app, CrawlFlags& flags) {
  app.group("Politeness");
  app.add_option(
         "--backoff", flags.backoff,
         "How long to leave a host alone after it answers 429, 502, 503 or 504, or not at all; "
         "doubles each time (default 10s)")
      ->type_name("TIME");
  app.add_option("--give-up", flags.give_up,
                 "Give an origin up after N such failures in a row (default 5)")
      ->within(1, 1000)
      ->type_name("N");
  app.add_option("--timeout", flags.timeout, "Maximum time for one answer (default 60s)")
      ->type_name("TIME");
  app.add_option("--max-body", flags.body_max,
                 "Maximum size of the body of one answer; the rest is not read (default 16M)")
      ->type_name("BYTES");
}

void declare_budget(FlagSet& app, CrawlFlags& flags) {
  app.group("Budget");
  app.add_option("--budget", flags.requests,
                 "Maximum number of requests, including robots.txt and failures")
      ->type_name("N");
  app.add_option("--bytes", flags.bytes, "Maximum number of bytes received")->type_name("BYTES");
  app.add_option("--time", flags.time, "Maximum time that the job runs, over all its runs")
      ->type_name("TIME");
  app.add_option("--host-budget", flags.host_requests, "Maximum number of requests to one host")
      ->type_name("N");
  app.add_option("--rate", flags.rate,
                 "At most K requests in any period of this length, such as 300/15m or 10/s")
      ->type_name("K/TIME");
}

void declare_scope(FlagSet& app, CrawlFlags& flags) {
  app.group("Scope");
  app.add_option("--host", flags.hosts,
                 "Stay on this host; repeatable (default: the hosts of the seeds)")
      ->type_name("HOST");
  app.add_option("--domain", flags.domains, "Stay in this domain and its subdomains")
      ->type_name("DOMAIN");
  app.add_option("--prefix", flags.prefixes, "Stay on URLs with this prefix")->type_name("URL");
  app.add_option("--surt", flags.surts,
                 "Stay on URLs with this SURT prefix, such as http://(org,example,www,)/docs")
      ->type_name("SURT");
  app.add_flag("--anywhere", flags.anywhere, "Follow links to any host");
  app.add_option("--depth", flags.depth, "Maximum number of links from a seed")->type_name("N");
  app.add_option(
         "--links", flags.links,
         "Kinds of links to follow: graph, all, or a list such as navigation,embed (default graph)")
      ->type_name("KINDS");
  app.add_flag("--sitemaps", flags.sitemaps,
               "Also request the sitemaps that robots.txt names, and the pages that they list");
}

void declare_order(FlagSet& app, CrawlFlags& flags) {
  app.group("Order");
  app.add_option("--by", flags.order,
                 "Order of requests: found, or an estimator of `webstrata explore` (default found)")
      ->type_name("ORDER");
  app.add_option("--seed", flags.seed, "Random seed (default 1)")->type_name("S");
  declare_topics(app, flags.topic, "Prefer pages that are relevant to this topic");
}

void declare_frontier(FlagSet& app, CrawlFlags& flags) {
  app.group("Frontier");
  app.add_option("--frontier", flags.frontier,
                 "Take URLs from this URL Frontier service and report to it, so that several "
                 "crawlers share one plan; seeds are put there, and may be left out")
      ->type_name("HOST:PORT");
  app.add_option("--crawl-id", flags.crawl_id, "Crawl of the service (default: its default)")
      ->type_name("NAME");
  app.add_option("--frontier-token", flags.frontier_token, "File with the token of the service")
      ->type_name("FILE");
  app.add_option("--frontier-ca-file", flags.frontier_ca_file,
                 "Use TLS with a service that these certificates (PEM) vouch for")
      ->type_name("FILE");
}

void declare_traps(FlagSet& app, CrawlFlags& flags) {
  app.group("Traps and failures");
  app.add_option("--host-urls", flags.host_urls,
                 "Maximum number of URLs of a host (default 1000000)")
      ->type_name("N");
  app.add_option("--pattern-urls", flags.pattern_urls,
                 "Maximum number of URLs that differ only in numbers and values (default 20000)")
      ->type_name("N");
  app.add_option(
         "--copies", flags.copies,
         "Follow the links of at most N pages of an origin with the same content (default 20)")
      ->type_name("N");
  app.add_option("--tries", flags.tries,
                 "Maximum number of tries for a page whose server fails (default 3)")
      ->type_name("N");
}

}  // namespace

void declare_crawl(FlagSet& app, CrawlFlags& flags) {
  app.add_option("JOB", flags.job, "Folder of the job, with its ledger and WARC files")->required();
  app.add_option("SEED", flags.seeds, "URLs to start from, or @FILE with one per line");
  declare_fetch(app, flags.fetch);
  declare_patience(app, flags);
  declare_budget(app, flags);
  declare_scope(app, flags);
  declare_order(app, flags);
  declare_frontier(app, flags);
  declare_traps(app, flags);
  app.group("Job");
  app.add_option("--archive", flags.archive,
                 "Content that this archive has becomes a revisit; what it has forgotten is never "
                 "requested")
      ->type_name("ARCHIVE");
  app.add_option(
         "--prefix-name", flags.prefix,
         "Prefix of the names of WARC files: letters, digits, '.', '_', '-' (default WEBSTRATA)")
      ->type_name("NAME");
  app.add_flag("--wacz", flags.wacz,
               "Pack the WARC files, their index and the log into JOB/crawl.wacz when a run ends");
  app.add_flag("--resume", flags.resume, "Continue the job; flags given now replace its own")
      ->never_configured();
  app.add_flag("--ledger", flags.ledger, "Print the ledger of the job as JSON lines and exit")
      ->never_configured();
  app.group("Output");
  app.add_flag("--json", flags.json, "Print the result as one JSON object");
  app.add_flag("-q,--quiet", flags.quiet, "Print no status line and no summary")
      ->group(kGeneralGroup);
}

void change_settings(CrawlJobSettings& settings, const GivenFlags& given) {
  for (const auto& [name, values] : given) {
    if (!is_of_one_run(name)) set_crawl_setting(settings, name.substr(2), {name, values});
  }
}

}  // namespace webstrata
