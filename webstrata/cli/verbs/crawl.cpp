// webstrata crawl: a crawl within its budget, written to WARC.
// Tested by tests/cli/crawl_test.py.

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/base/error.h"
#include "webstrata/base/human.h"
#include "webstrata/base/json.h"
#include "webstrata/cli/flags/fetch_flags.h"
#include "webstrata/cli/flags/topic_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/lines.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/explore/estimators.h"
#include "webstrata/fetch/crawl/crawl.h"
#include "webstrata/fetch/ledger/ledger_export.h"
#include "webstrata/fetch/visit/forgotten.h"
#include "webstrata/fetch/wire/agent.h"
#include "webstrata/fetch/wire/curl_transport.h"
#include "webstrata/jobs/topic_columns.h"
#include "webstrata/words/amounts.h"
#include "webstrata/words/kinds.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

struct CrawlFlags {
  std::string job;
  std::vector<std::string> seeds;
  FetchFlags fetch;
  std::string backoff = "10s";
  unsigned give_up = 5;
  std::string timeout = "60s";
  std::string body_max = "16M";

  std::optional<std::uint64_t> requests;
  std::string bytes;
  std::string time;
  std::optional<std::uint64_t> host_requests;
  std::string rate;

  std::vector<std::string> hosts;
  std::vector<std::string> domains;
  std::vector<std::string> prefixes;
  std::vector<std::string> surts;
  bool anywhere = false;
  std::optional<std::uint32_t> depth;
  std::string links = "graph";
  bool sitemaps = false;

  CrawlOrderOptions order;
  TopicFlags topic;
  TrapRules traps;
  unsigned tries = 3;
  std::string archive;
  std::string prefix = "WEBSTRATA";

  bool resume = false;
  bool ledger = false;
  bool json = false;
  bool quiet = false;
};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::BadInput, message); }

// ---- what the flags mean ------------------------------------------------------------------------

Budget budget_of(const CrawlFlags& flags) {
  Budget budget;
  budget.requests = flags.requests;
  if (!flags.bytes.empty()) budget.bytes = parse_bytes_word("--bytes", flags.bytes);
  if (!flags.time.empty()) budget.time_ms = parse_duration_word("--time", flags.time);
  budget.host_requests = flags.host_requests;
  if (!flags.rate.empty()) budget.rate = parse_rate_word("--rate", flags.rate);
  return budget;
}

std::string host_of(const std::string& seed) {
  Url url;
  if (!parse_url(seed, url) || !url.is_web()) {
    refuse(fmt::format("{}: not a URL such as http://www.example.org/", seed));
  }
  return std::string(url.host());
}

std::vector<std::string> hosts_of(const std::vector<std::string>& seeds) {
  std::vector<std::string> hosts;
  for (const std::string& seed : seeds) hosts.push_back(host_of(seed));
  return hosts;
}

// Without a word about it a crawl stays on the hosts of its seeds.
CrawlScope scope_of(const CrawlFlags& flags, const std::vector<std::string>& seed_hosts) {
  CrawlScope scope;
  if (flags.anywhere) return scope;
  for (const std::string& host : flags.hosts) scope.add_host(host);
  for (const std::string& domain : flags.domains) scope.add_domain(domain);
  for (const std::string& prefix : flags.prefixes) scope.add_prefix(prefix);
  for (const std::string& surt : flags.surts) scope.add_surt(surt);
  if (!scope.empty()) return scope;
  for (const std::string& host : seed_hosts) scope.add_host(host);
  if (scope.empty()) {
    refuse(
        "the archive forgot the hosts of all seeds: say where the crawl may go with --host, "
        "--domain, --prefix, --surt or --anywhere");
  }
  return scope;
}

PolitenessRules rules_of(const CrawlFlags& flags) {
  PolitenessRules rules = politeness_of(flags.fetch);
  rules.backoff_first_ms = parse_duration_word("--backoff", flags.backoff);
  rules.failures_max = flags.give_up;
  return rules;
}

RequestLimits limits_of(const CrawlFlags& flags) {
  RequestLimits limits;
  limits.total_ms_max = parse_duration_word("--timeout", flags.timeout);
  limits.body_bytes_max = parse_bytes_word("--max-body", flags.body_max);
  return limits;
}

// The functions share the scorer, which lives as long as they do.
CrawlTopic topic_of(const TopicFlags& flags, const Archive* archive) {
  if (flags.files.size() > 1) refuse("a crawl follows one topic: name one --topic");
  const std::shared_ptr<TopicScorer> scorer = load_topics(flags);
  if (!scorer) return {};
  if (scorer->needs_frequencies()) {
    if (archive) learn_frequencies(*scorer, {}, {}, {}, archive);
    if (scorer->frequencies().empty() || scorer->frequencies().front().documents == 0) {
      refuse(
          fmt::format("{}: tf-idf needs pages that were counted before: an --archive that was "
                      "built with this --topic, or @weigh counts",
                      flags.files.front()));
    }
  }
  const auto scoring = std::make_shared<TopicScoring>(*scorer);
  CrawlTopic topic;
  topic.wanting = [scorer](ReadOptions options) { return scorer->wanting(std::move(options)); };
  topic.score = [scorer, scoring](const Capture& capture, std::vector<double>& links) {
    if (!scoring->score(capture)) return 0.0;
    const TopicScores& scores = scoring->scores().front();
    for (const TopicLinkScore& link : scores.links) links[link.link] = link.score;
    return scores.page;
  };
  return topic;
}

CrawlSettings settings_of(const CrawlFlags& flags, const std::vector<std::string>& seeds,
                          const std::vector<std::string>& seed_hosts, const Clock& clock) {
  CrawlSettings settings;
  settings.seeds = seeds;
  settings.scope = scope_of(flags, seed_hosts);
  settings.depth_max = flags.depth;
  settings.kinds = parse_kinds_word("--links", flags.links);
  settings.with_sitemaps = flags.sitemaps;
  settings.traps = flags.traps;
  settings.tries_max = flags.tries;
  settings.order = flags.order;
  if (flags.requests) settings.order.budget = *flags.requests;
  if (!is_file_prefix(flags.prefix)) {
    refuse(
        fmt::format("--prefix-name {}: not the beginning of a file name: use letters, digits, "
                    "'.', '_' and '-', and begin with a letter or digit",
                    flags.prefix));
  }
  settings.files = {.folder = std::filesystem::path(flags.job) / "warc",
                    .prefix = flags.prefix,
                    .agent = agent_of(flags.fetch)};
  settings.product = product_token(settings.files.agent);
  settings.limits = limits_of(flags);
  if (!flags.archive.empty()) {
    settings.archive = Archive::open(flags.archive);
    settings.is_forgotten = forgotten_by_archive(flags.archive, clock);
  }
  settings.topic = topic_of(flags.topic, settings.archive ? &*settings.archive : nullptr);
  return settings;
}

// ---- a job remembers its flags ------------------------------------------------------------------

bool is_of_one_run(const std::string& name) {
  return name == "--help" || name == "--resume" || name == "--json" || name == "--quiet" ||
         name == "--ledger" || name.empty() || name.front() != '-';
}

GivenFlags lasting_flags(GivenFlags given) {
  std::erase_if(given, [](const auto& flag) { return is_of_one_run(flag.first); });
  return given;
}

// A line for each value: the flag, a tab, the value.
std::string written(const GivenFlags& given) {
  std::string text;
  for (const auto& [name, values] : given) {
    for (const std::string& value : values) text += fmt::format("{}\t{}\n", name, value);
  }
  return text;
}

GivenFlags read_flags(std::string_view text) {
  GivenFlags given;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    given[std::string(line.substr(0, tab))].emplace_back(
        line.substr(std::min(tab + 1, line.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return given;
}

void declare_all(FlagSet& app, CrawlFlags& flags);

// The flags of the job's first run, with those given now in their place.
void recall(CrawlFlags& flags, const GivenFlags& now, const Ledger& ledger) {
  GivenFlags all = read_flags(ledger.setting("flags").value_or(""));
  for (const auto& [name, values] : now) all[name] = values;
  std::vector<std::string> words;
  for (const auto& [name, values] : all) {
    for (const std::string& value : values) words.push_back(fmt::format("{}={}", name, value));
  }
  words.push_back(flags.job);
  CrawlFlags recalled;
  parse_words([&](FlagSet& app) { declare_all(app, recalled); }, std::move(words));
  recalled.job = flags.job;
  recalled.seeds = flags.seeds;
  recalled.resume = flags.resume;
  recalled.json = flags.json;
  recalled.quiet = flags.quiet;
  flags = std::move(recalled);
}

std::vector<std::string> recalled_hosts(const Ledger& ledger) {
  std::vector<std::string> hosts;
  if (const auto lines = ledger.setting(kSeedHosts)) {
    for (std::string_view rest = *lines; !rest.empty();) {
      const std::string_view host = rest.substr(0, rest.find('\n'));
      hosts.emplace_back(host);
      rest.remove_prefix(std::min(host.size() + 1, rest.size()));
    }
    return hosts;
  }
  ledger.each_url([&](UrlNumber, const LedgerUrl& url) {
    if (url.from == kNoUrl && !url.url.empty()) hosts.push_back(host_of(url.url));
    return true;
  });
  return hosts;
}

void remember_hosts(const std::vector<std::string>& hosts, Ledger& ledger) {
  std::string lines;
  for (const std::string& host : std::set<std::string>(hosts.begin(), hosts.end())) {
    lines += fmt::format("{}\n", host);
  }
  ledger.set_setting(kSeedHosts, lines);
}

// ---- what is told -------------------------------------------------------------------------------

std::string status_text(const CrawlNews& news, double requests_per_second, bool has_topic) {
  std::string text =
      fmt::format("{} requests, {:.1f}/s", human_number(news.requests), requests_per_second);
  std::string left;
  const auto add_left = [&](const std::string& part) {
    left += fmt::format("{}{}", left.empty() ? "" : ", ", part);
  };
  if (news.requests_left) add_left(human_number(*news.requests_left) + " requests");
  if (news.bytes_left) add_left(human_amount(*news.bytes_left, "B"));
  if (news.time_left_ms) add_left(duration_text(*news.time_left_ms / 1000 * 1000));
  if (!left.empty()) text += fmt::format(" | left: {}", left);
  text += fmt::format(" | {} pages, {}", human_number(news.pages), human_amount(news.bytes, "B"));
  if (has_topic) text += fmt::format(" | harvest {:.1f}", news.harvest);
  text += fmt::format(" | {} urls wait on {} hosts, {} under way", human_number(news.waiting),
                      human_number(news.hosts_waiting), news.in_flight);
  if (news.is_draining) text += " | coming to an end";
  return text;
}

std::string as_json(const CrawlResult& result, const std::string& job) {
  std::string text;
  JsonWriter json(text);
  const CrawlNews& news = result.news;
  json.begin_object().field("job", job);
  json.field("end", result.end == CrawlEnd::NothingLeft ? "nothing-left"
                    : result.end == CrawlEnd::Spent     ? "spent"
                                                        : "stopped");
  json.field("reason", result.reason).field("requests", news.requests).field("bytes", news.bytes);
  json.field("bytes_reserved", news.bytes_reserved).field("lost", news.lost);
  json.field("pages", news.pages).field("harvest", news.harvest).field("waiting", news.waiting);
  json.field("outside", news.outside);
  json.field("hosts", news.hosts)
      .field("robots_capped", news.robots_capped)
      .field("moved_aside", result.moved_aside.size())
      .end_object();
  return text;
}

void tell(const CrawlResult& result, const CrawlFlags& flags) {
  if (flags.json) {
    Lines lines;
    lines.add(as_json(result, flags.job));
    lines.commit();
  }
  if (flags.quiet) return;
  const CrawlNews& news = result.news;
  say(fmt::format("{}: {} pages of {} hosts with {} requests, {}; {} urls wait", result.reason,
                  human_number(news.pages), human_number(news.hosts), human_number(news.requests),
                  human_amount(news.bytes, "B"), human_number(news.waiting)));
  if (news.lost > 0) {
    say(fmt::format("lost with runs that were killed: {} answers, which cost at most {}",
                    human_number(news.lost), human_amount(news.bytes_reserved, "B")));
  }
  if (news.robots_capped > 0) {
    say(fmt::format("not asked, because the rules of robots.txt are too much work: {} urls",
                    human_number(news.robots_capped)));
  }
  if (!result.moved_aside.empty()) {
    say(fmt::format("moved to {}, because no request counts them: {} files or ends of files",
                    result.moved_aside.front().parent_path().string(), result.moved_aside.size()));
  }
  if (news.outside > 0) {
    say(fmt::format("outside the scope of this run: {} urls that wait",
                    human_number(news.outside)));
  }
  if (news.waiting > news.outside) {
    say(fmt::format("to go on: webstrata crawl {} --resume{}", flags.job,
                    result.end == CrawlEnd::Spent ? " with a larger budget" : ""));
  }
}

ExitCode print_ledger(const CrawlFlags& flags) {
  Lines lines;
  export_ledger(flags.job, [&](std::string_view line) { lines.add(line); });
  lines.commit();
  return ExitCode::Done;
}

// Requests in the last ten seconds.
class RateMeter {
 public:
  double rate(Moment now, std::uint64_t requests) {
    if (marks_.empty() || now - marks_.back().first >= 500) marks_.emplace_back(now, requests);
    while (marks_.size() > 20) marks_.erase(marks_.begin());
    const Moment span = now - marks_.front().first;
    if (span <= 0) return 0;
    return static_cast<double>(requests - marks_.front().second) * 1000 / static_cast<double>(span);
  }

 private:
  std::vector<std::pair<Moment, std::uint64_t>> marks_;
};

// ---- the run ------------------------------------------------------------------------------------

Ledger open_ledger(const CrawlFlags& flags, const SystemClock& clock) {
  const Moment now = clock.now();
  const MachineStart& machine = clock.machine_start();
  return flags.resume ? Ledger::open(flags.job, now, machine)
                      : Ledger::create(flags.job, now, machine);
}

ExitCode run(CrawlFlags flags, const GivenFlags& given) {
  if (flags.ledger) return print_ledger(flags);
  if (flags.resume == !flags.seeds.empty()) {
    refuse(flags.resume ? "--resume goes on with the job's own seeds: name none"
                        : "name one or more seeds, or --resume to go on with a job");
  }
  const SystemClock clock;
  std::vector<std::string> seeds;
  std::vector<std::string> seed_hosts;
  if (!flags.resume) {
    seeds = expand_urls(flags.seeds);
    seed_hosts = hosts_of(seeds);
    settings_of(flags, seeds, seed_hosts,
                clock);  // what is wrong with the flags is told before there is a folder
    rules_of(flags);
    budget_of(flags);
    transport_of(flags.fetch);
    if (flags.order.name != "found") estimator_entry(flags.order.name);
  }
  Ledger ledger = open_ledger(flags, clock);
  if (flags.resume) {
    recall(flags, given, ledger);
    seed_hosts = recalled_hosts(ledger);
  }
  CurlTransport web(transport_of(flags.fetch), clock);
  const CrawlSettings settings = settings_of(flags, seeds, seed_hosts, clock);
  ledger.set_rules(rules_of(flags), budget_of(flags));
  GivenFlags all = read_flags(ledger.setting("flags").value_or(""));
  for (const auto& [name, values] : given) all[name] = values;
  all["--agent"] = {settings.files.agent};
  ledger.set_setting("flags", written(all));
  remember_hosts(seed_hosts, ledger);

  ProgressLine line(!flags.quiet);
  RateMeter meter;
  const CrawlResult result =
      crawl(web, clock, ledger, settings, &interruption(), [&](const CrawlNews& news) {
        line.show_text(status_text(news, meter.rate(clock.now(), news.requests),
                                   static_cast<bool>(settings.topic.score)));
      });
  line.clear();
  tell(result, flags);
  return result.news.pages == 0 ? ExitCode::FoundNothing : ExitCode::Done;
}

// ---- flags --------------------------------------------------------------------------------------

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
  app.add_option("--by", flags.order.name,
                 "Who is asked first: found (default), or an estimator of `webstrata explore`")
      ->type_name("ORDER");
  app.add_option("--seed", flags.order.seed, "For all that is random; default: 1")->type_name("S");
  declare_topics(app, flags.topic, "What pages are worth: how much they are about this topic");
}

void declare_traps(FlagSet& app, CrawlFlags& flags) {
  app.add_option("--host-urls", flags.traps.host_urls_max,
                 "Let no more urls of a host in; default: 1000000")
      ->type_name("N");
  app.add_option("--pattern-urls", flags.traps.pattern_urls_max,
                 "Let no more urls in that differ in numbers alone; default: 20000")
      ->type_name("N");
  app.add_option("--copies", flags.traps.copies_max,
                 "Follow the links of no more pages of a host that are the same; default: 20")
      ->type_name("N");
  app.add_option("--tries", flags.tries, "Of a page whose server fails; default: 3")
      ->type_name("N");
}

void declare_all(FlagSet& app, CrawlFlags& flags) {
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

std::function<ExitCode()> declare(FlagSet& app) {
  const auto flags = std::make_shared<CrawlFlags>();
  declare_all(app, *flags);
  return [flags, &app] { return run(*flags, lasting_flags(app.given())); };
}

constexpr std::string_view kDescription =
    "Asks politely: robots.txt, one request to a host at a time, a delay behind each answer, "
    "back-off\n"
    "when a server asks for less. Every request is in the job's ledger before it leaves, every "
    "answer\n"
    "in a WARC file before the ledger calls it done: kill it at any time and go on with --resume.\n"
    "Ctrl-C lets what is under way come home.\n"
    "\n"
    "Examples:\n"
    "  webstrata crawl job http://www.example.org/ --agent 'me/1.0 (+https://me.example)' --budget "
    "500\n"
    "  webstrata crawl job --resume --budget 1000\n"
    "  webstrata crawl job --ledger | grep '\"dropped\"'\n"
    "  webstrata update lib.ws job/warc/*.warc.gz";

}  // namespace

Command crawl_command() {
  return {"crawl", "Crawl politely within a budget, and write WARC", kDescription, declare};
}

}  // namespace webstrata
