// SPDX-License-Identifier: Apache-2.0

// Work that lasts for days and sends requests: probes, crawls, LiveRank campaigns.
// Tested by tests/python/jobs_test.py.

#include "python/core/jobs_module.h"
#include "python/core/long_work.h"
#include "webstrata/fetch/ledger/ledger_export.h"
#include "webstrata/jobs/campaign.h"
#include "webstrata/jobs/crawl_job.h"
#include "webstrata/jobs/probe_settings.h"
#include "webstrata/show/crawl_forms.h"
#include "webstrata/words/lists.h"

namespace webstrata {
namespace {

// ---- probes -------------------------------------------------------------------------------------

struct ProbesFound {
  std::vector<Probed> pages;
  std::vector<std::filesystem::path> files;
  std::uint64_t requests = 0;
};

ProbesFound ask(const std::vector<std::string>& urls, const ProbeJobOptions& options,
                const std::string& archive, const ProgressCallback& progress) {
  ProbesFound found;
  ProbeJob job(options,
               archive.empty() ? nullptr : std::make_shared<const Archive>(Archive::open(archive)));
  job.probe(urls, [&](const Probed& probed) {
    found.pages.push_back(probed);
    if (progress) progress({"probing", found.pages.size(), urls.size(), "pages"});
  });
  found.files = job.finish();
  job.forget_files();
  found.requests = job.requests();
  return found;
}

nb::tuple row_of(const Probed& probed) {
  const Judgement& judgement = probed.judgement;
  nb::list evidence;
  for (const std::string& fact : judgement.evidence) evidence.append(text_of(fact));
  return nb::make_tuple(
      text_of(probed.url), std::string(to_string(judgement.outcome)),
      judgement.status != 0 ? nb::cast(judgement.status) : nb::none(),
      judgement.target.empty() ? nb::none() : text_of(judgement.target),
      judgement.failure == Failure::None ? nb::none() : text_of(to_string(judgement.failure)),
      evidence, seconds_of(judgement.time),
      probed.again_at ? nb::cast(seconds_of(*probed.again_at)) : nb::none());
}

nb::tuple probe(const std::vector<std::string>& urls, const std::string& archive,
                const NamedWords& words, nb::object progress) {
  LongWork work(std::move(progress));
  const ProbeJobOptions options = probe_options_of(words, work);
  const std::vector<std::string> wanted = expand_urls(urls);
  const ProbesFound found =
      work.run([&] { return ask(wanted, options, archive, work.progress()); });
  nb::list rows;
  for (const Probed& one : found.pages) rows.append(row_of(one));
  return nb::make_tuple(rows, found.requests, names_of(found.files));
}

// ---- crawls -------------------------------------------------------------------------------------

nb::dict dict_of(const CrawlResult& result) {
  const CrawlNews& news = result.news;
  nb::dict found;
  found["end"] = std::string(to_string(result.end));
  found["reason"] = result.reason;
  found["requests"] = news.requests;
  found["bytes"] = news.bytes;
  found["bytes_reserved"] = news.bytes_reserved;
  found["lost"] = news.lost;
  found["pages"] = news.pages;
  found["harvest"] = news.harvest;
  found["waiting"] = news.waiting;
  found["outside"] = news.outside;
  found["hosts"] = news.hosts;
  found["robots_capped"] = news.robots_capped;
  found["origins_refused"] = news.origins_refused;
  found["moved_aside"] = names_of(result.moved_aside);
  return found;
}

// Without seeds the job in the folder is resumed.
CrawlResult crawl_in(const std::string& folder,
                     const std::optional<std::vector<std::string>>& seeds, const NamedWords& words,
                     LongWork& work) {
  const auto change = [&](CrawlJobSettings& settings) {
    set_all(settings, words, set_crawl_setting);
  };
  const auto begin = [&] {
    CrawlJobSettings settings;
    change(settings);
    return CrawlJob::begin(folder, expand_urls(*seeds), settings);
  };
  CrawlJob job = seeds ? begin() : CrawlJob::resume(folder, change);
  const std::uint64_t budget = job.settings().budget.requests.value_or(0);
  const ProgressCallback progress = work.progress();
  return job.run(work.cancel(), [&](const CrawlNews& news) {
    if (progress) progress({"crawling", news.requests, budget, "requests"});
  });
}

nb::dict crawl_job(const std::string& folder, const std::optional<std::vector<std::string>>& seeds,
                   const NamedWords& words, nb::object progress) {
  LongWork work(std::move(progress));
  return dict_of(work.run([&] { return crawl_in(folder, seeds, words, work); }));
}

std::vector<std::string> ledger_lines(const std::string& folder) {
  std::vector<std::string> lines;
  export_ledger(folder, [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

// ---- campaigns ----------------------------------------------------------------------------------

nb::dict dict_of(const CampaignPlan& plan) {
  nb::dict found;
  found["urls"] = plan.urls;
  found["pages"] = plan.page_count;
  found["decided"] = plan.decided;
  found["live"] = plan.live;
  found["settled"] = plan.known.settled;
  found["forgotten"] = plan.forgotten;
  found["unknown_urls"] = plan.known.unknown_urls;
  return found;
}

nb::dict plan(const std::string& file, const Snapshot& graph, const CampaignWords& words,
              std::optional<std::uint64_t> tests, const std::vector<std::string>& archives,
              unsigned threads, nb::object progress) {
  LongWork work(std::move(progress));
  return dict_of(work.run([&] {
    LiveState state = begun_state(file, words);
    HandOver hand_over;
    for (const std::string& archive : archives) hand_over.ask(archive);
    CampaignPlan next = plan_campaign(state, graph, words, tests, hand_over, work.options(threads));
    write_live_state(file, state);
    return next;
  }));
}

std::uint64_t learn_answers(const std::string& file,
                            const std::vector<std::pair<std::string, std::string>>& answers) {
  LiveState state = read_live_state(file);
  std::vector<LiveAnswer> taken;
  for (const auto& [url, word] : answers) taken.push_back({url, word});
  learn(state, taken);
  write_live_state(file, state);
  return taken.size();
}

std::uint64_t learn_file(const std::string& file, const std::string& results) {
  LiveState state = read_live_state(file);
  const std::uint64_t taken = learn(state, results);
  write_live_state(file, state);
  return taken;
}

CampaignWords campaign_words(std::string by, std::uint64_t seed, std::string target,
                             std::string same, std::string scope, bool undirected,
                             std::string sample, std::string sample_size, bool no_neighbours,
                             std::string ties, double round, std::string site,
                             std::string unsampled, std::string active_within,
                             std::uint32_t dead_host, std::optional<std::uint64_t> budget,
                             double damping, std::uint32_t per_site, std::uint32_t dead_domain) {
  MethodWords method{std::move(by),
                     seed,
                     std::move(sample),
                     std::move(sample_size),
                     no_neighbours,
                     per_site,
                     std::move(ties),
                     round,
                     std::move(site),
                     std::move(unsampled),
                     std::move(target),
                     std::move(scope),
                     undirected,
                     damping};
  return {std::move(method), std::move(same), std::move(active_within), dead_host, dead_domain,
          budget};
}

void bind_campaigns(nb::module_& module) {
  nb::class_<CampaignWords>(module, "CampaignWords");
  module.def("campaign_words", campaign_words, "by"_a, "seed"_a, "target"_a, "same"_a, "scope"_a,
             "undirected"_a, "sample"_a, "sample_size"_a, "no_neighbours"_a, "ties"_a, "round"_a,
             "site"_a, "unsampled"_a, "active_within"_a, "dead_host"_a, "budget"_a.none(),
             "damping"_a, "per_site"_a = 0, "dead_domain"_a = 0);
  module.def("campaign_plan", plan, "file"_a, "graph"_a, "words"_a, "tests"_a.none(), "archives"_a,
             "threads"_a, "progress"_a = nb::none());
  module.def("campaign_learn", learn_answers, "file"_a, "answers"_a,
             nb::call_guard<nb::gil_scoped_release>());
  module.def("campaign_learn_file", learn_file, "file"_a, "results"_a,
             nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

void bind_jobs(nb::module_& module) {
  module.def("probe", probe, "urls"_a, "archive"_a, "words"_a, "progress"_a = nb::none());
  module.def("crawl_job", crawl_job, "folder"_a, "seeds"_a.none(), "words"_a,
             "progress"_a = nb::none());
  module.def("ledger_lines", ledger_lines, "folder"_a, nb::call_guard<nb::gil_scoped_release>());
  bind_campaigns(module);
}

}  // namespace webstrata
