#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "bench/explore/topics.h"
#include "webstrata/explore/seed_sets.h"
#include "webstrata/explore/study.h"

namespace webstrata {
namespace {

int run(int argc, char** argv) {
  CLI::App app{"explore"};
  std::filesystem::path shared = std::filesystem::path(WEBSTRATA_SOURCE_DIR) / "../shared";
  std::string data = "schools-wiki";
  std::vector<std::string> topics = {"bridge", "music",   "france",     "war",
                                     "chess",  "volcano", "parliament", "football"};
  std::vector<std::string> only;
  std::string ties = "first";
  SeedSetOptions sets{.sets = 10};
  std::uint64_t budget_max = 1500;
  bool brief = false;
  app.add_option("--shared", shared);
  app.add_option("--data", data);
  app.add_option("--topics", topics)->delimiter(',');
  app.add_option("--only", only)->delimiter(',');
  app.add_option("--sets", sets.sets);
  app.add_option("--seed", sets.seed);
  app.add_option("--ties", ties);
  app.add_option("--budget", budget_max);
  app.add_flag("--brief", brief);
  unsigned threads = 1;
  app.add_option("--threads", threads);
  CLI11_PARSE(app, argc, argv);
  if (only.empty())
    for (const auto& e : estimators())
      if (e.name != "oracle" && e.name != "nr-full") only.emplace_back(e.name);
  const TopicPages pages(data, shared);
  const double shares[] = {.05, .2, .5, 1};
  std::vector<Contender> all = contenders(only);
  for (auto& c : all) {
    if (c.label.ends_with("+t"))
      c.estimator = c.label.substr(0, c.label.size() - 2), c.options.ties = TieRule::NodeSum;
    else if (c.label.ends_with("+r"))
      c.estimator = c.label.substr(0, c.label.size() - 2), c.options.ties = TieRule::Random;
    else if (c.label.ends_with("-V0"))
      c.estimator = c.label.substr(0, c.label.size() - 3), c.options.without_seeds = true;
    else
      c.options.ties = ties == "nh-n"     ? TieRule::NodeSum
                       : ties == "random" ? TieRule::Random
                                          : TieRule::First;
  }
  std::vector<std::vector<double>> sum(all.size(), std::vector<double>(8));
  std::vector<double> hind(8), secs(all.size());
  for (const auto& topic : topics) {
    const SimulatedWeb web = pages.web(topic);
    const auto nz = std::ranges::count_if(web.node_scores(), [](double x) { return x > 0; });
    StudyOptions o{.budget = std::min<std::uint64_t>(budget_max, nz)};
    o.work.threads = threads;
    const auto seed_sets = draw_seed_sets(web.node_scores(), sets);
    const Study s = run_study(web, seed_sets, all, o);
    if (!brief) fmt::print("# {} nonzero {} budget {} seeds {}\n", topic, nz, o.budget, s.set_size);
    double best[8] = {};
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::string line;
      for (int k = 0; k < 8; ++k) {
        const double r = s.mean_relative(s.rows[i], k < 4 ? CrawlValue::Sum : CrawlValue::Count,
                                         s.point_at(shares[k % 4]));
        line += fmt::format(" {:.3f}", r);
        sum[i][k] += r / topics.size();
        if (estimator_entry(all[i].estimator).is_of_paper && !all[i].label.ends_with("+t"))
          best[k] = std::max(best[k], r);
      }
      double sec = 0;
      for (auto& c : s.rows[i].crawls) sec += c.seconds / s.rows[i].crawls.size();
      secs[i] += sec / topics.size();
      if (!brief || all.size() == 1)
        fmt::print("{:<12}{}  {:.3f}s {}\n", all[i].label, line, sec, topic);
    }
    for (int k = 0; k < 8; ++k) hind[k] += best[k] / topics.size();
    if (!brief) {
      fmt::print("{:<12}", "hindsight");
      for (double b : best) fmt::print(" {:.3f}", b);
      fmt::print("\n");
    }
    std::fflush(stdout);
  }
  fmt::print("# mean\n");
  for (std::size_t i = 0; i < all.size(); ++i) {
    fmt::print("{:<12}", all[i].label);
    for (double x : sum[i]) fmt::print(" {:.3f}", x);
    fmt::print(" {:.3f}s\n", secs[i]);
  }
  fmt::print("{:<12}", "hindsight");
  for (double b : hind) fmt::print(" {:.3f}", b);
  fmt::print("\n");
  return 0;
}

}  // namespace
}  // namespace webstrata
int main(int argc, char** argv) try {
  return webstrata::run(argc, argv);
} catch (const std::exception& e) {
  fmt::print(stderr, "explore_bench: {}\n", e.what());
  return 2;
}
