// SPDX-License-Identifier: Apache-2.0

// The ledger keeps the settings as a record (crawl_settings.h) under a name of its own. Jobs that
// were begun before there were records have the words of the command line under "flags". These stay
// where they are, so that the program that wrote them keeps to the budget it knew.
// Tested by tests/jobs/crawl_job_test.cpp, tests/cli/crawl_test.py, tests/fetch/crawl_kill_test.py.

#include "webstrata/jobs/crawl_job.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/capture/wacz_writer.h"
#include "webstrata/capture/warc_index.h"
#include "webstrata/explore/estimators.h"
#include "webstrata/fetch/visit/forgotten.h"
#include "webstrata/fetch/wire/agent.h"
#include "webstrata/jobs/topic_columns.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr std::string_view kWordsSetting = "flags";
constexpr std::string_view kLogName = "crawl.log";
constexpr std::string_view kWaczName = "crawl.wacz";

[[noreturn]] void refuse_job(const std::string& message) {
  throw Error(ErrorKind::BadInput, message);
}

std::string host_of(const std::string& seed) {
  Url url;
  if (!parse_url(seed, url) || !url.is_web()) {
    refuse_job(fmt::format("{}: not a URL such as http://www.example.org/", seed));
  }
  return std::string(url.host());
}

std::vector<std::string> hosts_of(const std::vector<std::string>& seeds) {
  std::vector<std::string> hosts;
  for (const std::string& seed : seeds) hosts.push_back(host_of(seed));
  return hosts;
}

// A crawl without a scope of its own stays on the hosts of its seeds.
CrawlScope scope_of(const CrawlJobSettings& wanted, const std::vector<std::string>& seed_hosts) {
  CrawlScope scope;
  if (wanted.anywhere) return scope;
  for (const std::string& host : wanted.hosts) scope.add_host(host);
  for (const std::string& domain : wanted.domains) scope.add_domain(domain);
  for (const std::string& prefix : wanted.prefixes) scope.add_prefix(prefix);
  for (const std::string& surt : wanted.surts) scope.add_surt(surt);
  if (!scope.empty()) return scope;
  for (const std::string& host : seed_hosts) scope.add_host(host);
  if (scope.empty() && !wanted.frontier.empty()) {
    refuse_job(
        "a crawl without seeds must be limited: name hosts, domains, prefixes or SURTs, or allow "
        "it "
        "to go anywhere");
  }
  if (scope.empty()) {
    refuse_job(
        "the archive has forgotten the hosts of all seeds: limit the crawl to a host, domain, "
        "prefix "
        "or SURT, or allow it to go anywhere");
  }
  return scope;
}

PolitenessRules rules_of(const CrawlJobSettings& wanted) {
  PolitenessRules rules = politeness_of(wanted.fetch);
  rules.backoff_first_ms = wanted.backoff_ms;
  rules.failures_max = wanted.failures_max;
  return rules;
}

RequestLimits limits_of(const CrawlJobSettings& wanted) {
  RequestLimits limits;
  limits.total_ms_max = wanted.timeout_ms;
  limits.body_bytes_max = wanted.body_bytes_max;
  return limits;
}

std::shared_ptr<SharedPlan> plan_of(const CrawlJobSettings& wanted,
                                    const CrawlJob::PlanMaker& make_plan) {
  if (wanted.frontier.empty()) {
    if (wanted.crawl_id.empty() && wanted.frontier_token.empty() &&
        wanted.frontier_ca_file.empty()) {
      return {};
    }
    refuse_job("a crawl ID, a token or certificates of a frontier need a frontier");
  }
  if (wanted.order != "found") {
    refuse_job("the frontier decides the order: a crawl that takes part in one has no other");
  }
  if (wanted.with_sitemaps) {
    refuse_job("sitemaps are not read by a crawl that takes part in a frontier");
  }
  if (!make_plan) refuse_job("only the command line can take part in a frontier");
  return make_plan(wanted);
}

// The functions share the scorer, which lives as long as they do.
CrawlTopic topic_of(const CrawlJobSettings& wanted, const Archive* archive) {
  if (wanted.topics.size() > 1) refuse_job("a crawl follows one topic: name only one");
  const std::shared_ptr<TopicScorer> scorer = load_topics(wanted.topics, wanted.window);
  if (!scorer) return {};
  if (scorer->needs_frequencies()) {
    if (archive) learn_frequencies(*scorer, {}, {}, {}, archive);
    if (scorer->frequencies().empty() || scorer->frequencies().front().documents == 0) {
      refuse_job(
          fmt::format("{}: tf-idf needs pages that were counted before: give an archive that was "
                      "built with this topic, or use @weigh counts",
                      wanted.topics.front()));
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

CrawlSettings crawl_settings_of(const CrawlJobSettings& wanted, const std::filesystem::path& folder,
                                const std::vector<std::string>& seeds,
                                const std::vector<std::string>& seed_hosts, const Clock& clock,
                                const CrawlJob::PlanMaker& make_plan) {
  CrawlSettings settings;
  settings.seeds = seeds;
  settings.scope = scope_of(wanted, seed_hosts);
  settings.depth_max = wanted.depth_max;
  settings.kinds = wanted.kinds;
  settings.with_sitemaps = wanted.with_sitemaps;
  settings.traps.host_urls_max = wanted.host_urls_max;
  settings.traps.pattern_urls_max = wanted.pattern_urls_max;
  settings.traps.copies_max = wanted.copies_max;
  settings.tries_max = wanted.tries_max;
  settings.plan = plan_of(wanted, make_plan);
  settings.order.name = wanted.order;
  settings.order.seed = wanted.seed;
  if (wanted.budget.requests) settings.order.budget = *wanted.budget.requests;
  if (!is_file_prefix(wanted.file_prefix)) {
    refuse_job(
        fmt::format("prefix name {}: not a prefix for file names: use letters, digits, '.', '_' "
                    "and '-', and begin with a letter or digit",
                    wanted.file_prefix));
  }
  settings.files = {.folder = folder / "warc",
                    .prefix = wanted.file_prefix,
                    .agent = agent_of(wanted.fetch),
                    .indexes = folder / "indexes"};
  settings.log = folder / kLogName;
  settings.product = product_token(settings.files.agent);
  settings.limits = limits_of(wanted);
  if (!wanted.archive.empty()) {
    settings.archive = Archive::open(wanted.archive);
    settings.is_forgotten = forgotten_by_archive(wanted.archive, clock);
  }
  settings.topic = topic_of(wanted, settings.archive ? &*settings.archive : nullptr);
  return settings;
}

// ---- what a job remembers -----------------------------------------------------------------------

CrawlJobSettings recalled_settings(const Ledger& ledger) {
  if (const auto record = ledger.setting(kCrawlRecordSetting)) return read_crawl_record(*record);
  return read_crawl_words(ledger.setting(kWordsSetting).value_or(""));
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

}  // namespace

// Packs all files of the job, after they are complete. Returns where; empty if there are none.
static std::filesystem::path pack(const CrawlSettings& settings, Time now) {
  const std::filesystem::path folder = settings.files.folder.parent_path();
  WaczOptions options;
  for (const auto& entry : std::filesystem::directory_iterator(settings.files.folder)) {
    if (entry.path().filename().string().ends_with(".warc.gz")) {
      options.warcs.push_back(entry.path());
      options.indexes.push_back(settings.files.indexes / index_name_of(entry.path()));
    }
  }
  if (options.warcs.empty()) return {};
  std::ranges::sort(options.warcs);
  options.logs = {settings.log};
  options.title = folder.filename().string();
  options.created = now;
  write_wacz(folder / kWaczName, options);
  return folder / kWaczName;
}

struct CrawlJob::State {
  SystemClock clock;
  CrawlJobSettings wanted;
  Ledger ledger;
  CurlTransport web;
  CrawlSettings settings;

  State(const SystemClock& now, CrawlJobSettings how, Ledger job,
        const std::filesystem::path& folder, const std::vector<std::string>& seeds,
        const std::vector<std::string>& seed_hosts, const PlanMaker& make_plan)
      : clock(now),
        wanted(std::move(how)),
        ledger(std::move(job)),
        web(transport_of(wanted.fetch), clock),
        settings(crawl_settings_of(wanted, folder, seeds, seed_hosts, clock, make_plan)) {
    wanted.fetch.agent = settings.files.agent;
    ledger.set_rules(rules_of(wanted), wanted.budget);
    ledger.set_setting(kCrawlRecordSetting, record_of(wanted));
    remember_hosts(seed_hosts, ledger);
  }
};

CrawlJob::CrawlJob(std::unique_ptr<State> state) : state_(std::move(state)) {}
CrawlJob::CrawlJob(CrawlJob&&) noexcept = default;
CrawlJob::~CrawlJob() = default;

CrawlJob CrawlJob::begin(const std::filesystem::path& folder, const std::vector<std::string>& seeds,
                         const CrawlJobSettings& settings, const PlanMaker& make_plan) {
  if (seeds.empty() && settings.frontier.empty()) refuse_job("a crawl needs at least one seed");
  const std::vector<std::string> seed_hosts = hosts_of(seeds);
  const SystemClock clock;
  // Settings that are wrong are reported before there is a folder.
  crawl_settings_of(settings, folder, seeds, seed_hosts, clock, make_plan);
  transport_of(settings.fetch);
  if (settings.order != "found") estimator_entry(settings.order);
  Ledger ledger = Ledger::create(folder, clock.now(), clock.machine_start());
  return CrawlJob(std::make_unique<State>(clock, settings, std::move(ledger), folder, seeds,
                                          seed_hosts, make_plan));
}

CrawlJob CrawlJob::resume(const std::filesystem::path& folder,
                          const std::function<void(CrawlJobSettings&)>& change,
                          const PlanMaker& make_plan) {
  const SystemClock clock;
  Ledger ledger = Ledger::open(folder, clock.now(), clock.machine_start());
  CrawlJobSettings settings = recalled_settings(ledger);
  if (change) change(settings);
  const std::vector<std::string> seed_hosts = recalled_hosts(ledger);
  return CrawlJob(std::make_unique<State>(clock, std::move(settings), std::move(ledger), folder,
                                          std::vector<std::string>(), seed_hosts, make_plan));
}

const CrawlJobSettings& CrawlJob::settings() const noexcept { return state_->wanted; }

CrawlResult CrawlJob::run(const CancelToken* cancel,
                          const std::function<void(const CrawlNews&)>& tell) {
  CrawlResult result =
      crawl(state_->web, state_->clock, state_->ledger, state_->settings, cancel, tell);
  if (state_->wanted.with_wacz) {
    result.wacz = pack(state_->settings, seconds_of(state_->clock.now()));
  }
  return result;
}

}  // namespace webstrata
