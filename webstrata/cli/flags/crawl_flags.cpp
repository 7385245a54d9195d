// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/crawl_test.py.

#include "webstrata/cli/flags/crawl_flags.h"

namespace webstrata {
namespace {

// Names without dashes are places; the others say what this run prints, and no job remembers them.
bool is_of_one_run(const std::string& name) {
  return name == "--help" || name == "--resume" || name == "--json" || name == "--quiet" ||
         name == "--ledger" || !name.starts_with("--");
}

void declare_patience(FlagSet& app, CrawlFlags& flags) {
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
}

void declare_budget(FlagSet& app, CrawlFlags& flags) {
  app.add_option("--budget", flags.requests,
                 "Requests in all, those for robots.txt and those that fail included")
      ->type_name("N");
  app.add_option("--bytes", flags.bytes, "Bytes in all")->type_name("BYTES");
  app.add_option("--time", flags.time, "How long the job runs, all its runs together")
      ->type_name("TIME");
  app.add_option("--host-budget", flags.host_requests, "Requests to one host")->type_name("N");
  app.add_option("--rate", flags.rate, "At most K requests in any period: 300/15m, 10/s")
      ->type_name("K/TIME");
}

void declare_scope(FlagSet& app, CrawlFlags& flags) {
  app.add_option("--host", flags.hosts, "Stay on this host (again for more); default: the seeds'")
      ->type_name("HOST");
  app.add_option("--domain", flags.domains, "Stay in this domain and below")->type_name("DOMAIN");
  app.add_option("--prefix", flags.prefixes, "Stay below this URL")->type_name("URL");
  app.add_option("--surt", flags.surts, "Stay below this SURT: http://(org,example,www,)/docs")
      ->type_name("SURT");
  app.add_flag("--anywhere", flags.anywhere, "Follow links to any host");
  app.add_option("--depth", flags.depth, "At most so many links from a seed")->type_name("N");
  app.add_option("--links", flags.links,
                 "Kinds of links to follow: graph (default), all, or navigation,embed,...")
      ->type_name("KINDS");
  app.add_flag("--sitemaps", flags.sitemaps,
               "Also ask for the sitemaps that robots.txt names, and for the pages in them");
}

void declare_order(FlagSet& app, CrawlFlags& flags) {
  app.add_option("--by", flags.order,
                 "Who is asked first: found (default), or an estimator of `webstrata explore`")
      ->type_name("ORDER");
  app.add_option("--seed", flags.seed, "For all that is random; default: 1")->type_name("S");
  declare_topics(app, flags.topic, "What pages are worth: how much they are about this topic");
}

void declare_traps(FlagSet& app, CrawlFlags& flags) {
  app.add_option("--host-urls", flags.host_urls, "Let no more urls of a host in; default: 1000000")
      ->type_name("N");
  app.add_option("--pattern-urls", flags.pattern_urls,
                 "Let no more urls in that differ in numbers alone; default: 20000")
      ->type_name("N");
  app.add_option("--copies", flags.copies,
                 "Follow the links of no more pages of a host that are the same; default: 20")
      ->type_name("N");
  app.add_option("--tries", flags.tries, "Of a page whose server fails; default: 3")
      ->type_name("N");
}

}  // namespace

void declare_crawl(FlagSet& app, CrawlFlags& flags) {
  app.add_option("JOB", flags.job, "The job's folder: its ledger and its WARC files")->required();
  app.add_option("SEED", flags.seeds, "URLs to begin with, or @FILE with one a line");
  declare_fetch(app, flags.fetch);
  declare_patience(app, flags);
  declare_budget(app, flags);
  declare_scope(app, flags);
  declare_order(app, flags);
  declare_traps(app, flags);
  app.add_option("--archive", flags.archive,
                 "What this archive has already becomes a revisit; what it forgot is never asked")
      ->type_name("ARCHIVE");
  app.add_option("--prefix-name", flags.prefix,
                 "How the names of the WARC files begin: letters, digits, '.', '_', '-' (default "
                 "WEBSTRATA)")
      ->type_name("NAME");
  app.add_flag("--resume", flags.resume, "Go on with the job; flags given now replace its own");
  app.add_flag("--ledger", flags.ledger,
               "Print the job's ledger as JSON lines, and do nothing else");
  app.add_flag("--json", flags.json, "Print how it ended as a JSON object");
  app.add_flag("-q,--quiet", flags.quiet, "No status and no notes");
}

void change_settings(CrawlJobSettings& settings, const GivenFlags& given) {
  for (const auto& [name, values] : given) {
    if (!is_of_one_run(name)) set_crawl_setting(settings, name.substr(2), {name, values});
  }
}

}  // namespace webstrata
