// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "bench/explore/sections.h"
#include "bench/explore/topics.h"
#include "webstrata/explore/seed_sets.h"
#include "webstrata/explore/study.h"

namespace webstrata {
namespace {

constexpr double kShares[] = {0.05, 0.2, 0.5, 1};
constexpr std::size_t kMarks = 8;  // sum at the shares, then count

// The paper's as it is, with every tie rule and without the seeds in the training: the best of
// all of them in hindsight is better than any choice made in advance.
std::vector<Contender> field(const ExploreBench& bench) {
  std::vector<Contender> all;
  for (const EstimatorEntry& entry : estimators()) {
    const std::string name(entry.name);
    if (!bench.only.empty() && std::ranges::count(bench.only, name) == 0) continue;
    if (name == "oracle" || name == "nr-full") continue;
    all.push_back({.label = name, .estimator = name});
    if (name.starts_with("lnh") || name.starts_with("hybrid")) {
      all.push_back({.label = name + " without seeds",
                     .estimator = name,
                     .options = {.without_seeds = true}});
    }
    if (name.starts_with("nh")) {
      all.push_back({.label = name + " ties random",
                     .estimator = name,
                     .options = {.ties = TieBreak::Random}});
    }
    if (name == "nh-ne-sum" || name == "nh-e-sum" || name == "nh-n-max") {
      all.push_back({.label = name + " ties nh-n",
                     .estimator = name,
                     .options = {.ties = TieBreak::NodeSum}});
    }
  }
  return all;
}

// Tie rules that look at scores are ours, not the paper's.
bool is_of_paper(const Contender& contender) {
  return estimator_entry(contender.estimator).is_of_paper &&
         contender.options.ties != TieBreak::NodeSum;
}

struct TopicResult {
  std::string topic;
  bool is_saturated = false;  // every third page or more has half of what can be found
  std::vector<std::vector<double>> shares;               // by contender and mark
  std::vector<std::vector<std::vector<double>>> of_set;  // by contender, mark and seed set
};

TopicResult run_topic(const TopicPages& pages, const std::string& topic,
                      const std::vector<Contender>& all, const ExploreBench& bench) {
  const SimulatedWeb web = pages.web(topic);
  const auto scored = static_cast<std::uint64_t>(
      std::ranges::count_if(web.node_scores(), [](double score) { return score > 0; }));
  StudyOptions options{.budget = std::min(bench.budget_max, scored), .seed = bench.seed};
  options.work.threads = bench.threads;
  const auto sets = draw_seed_sets(web.node_scores(), {.sets = bench.sets, .seed = bench.seed});
  const Study study = run_study(web, sets, all, options);
  TopicResult result{topic, 3 * scored > web.graph().node_count(), {}, {}};
  if (!bench.is_brief) {
    fmt::print("\n{}: {} of {} pages score, budget {}, {} sets of {} seeds\n", topic, scored,
               web.graph().node_count(), options.budget, sets.size(), study.set_size);
  }
  for (const StudyRow& row : study.rows) {
    auto& shares = result.shares.emplace_back(kMarks);
    auto& of_set = result.of_set.emplace_back(kMarks);
    double seconds = 0;
    for (const CrawlCurve& crawl : row.crawls) seconds += crawl.seconds;
    for (std::size_t mark = 0; mark < kMarks; ++mark) {
      const CrawlValue value = mark < 4 ? CrawlValue::Sum : CrawlValue::Count;
      const std::size_t point = study.point_at(kShares[mark % 4]);
      shares[mark] = study.mean_relative(row, value, point);
      for (std::size_t set = 0; set < sets.size(); ++set) {
        of_set[mark].push_back(study.relative(row, value, set, point));
      }
    }
    if (bench.is_brief) continue;
    fmt::print("{:<26}", row.contender.label);
    for (const double share : shares) fmt::print("{:>7.3f}", share);
    fmt::print("{:>9.3f} s\n", seconds / static_cast<double>(sets.size()));
  }
  std::fflush(stdout);
  return result;
}

// The contender of the paper with the highest share.
std::size_t best_of_paper(const TopicResult& result, const std::vector<Contender>& all,
                          std::size_t mark) {
  std::size_t best = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_of_paper(all[i])) continue;
    if (best == all.size() || result.shares[i][mark] > result.shares[best][mark]) best = i;
  }
  return best;
}

void print_marks(std::string_view label, const std::vector<double>& values) {
  fmt::print("{:<26}", label);
  for (const double value : values) fmt::print("{:>7.3f}", value);
  fmt::print("\n");
}

std::vector<double> mean_shares(const std::vector<TopicResult>& results, std::size_t contender) {
  std::vector<double> means(kMarks);
  for (const TopicResult& result : results) {
    for (std::size_t mark = 0; mark < kMarks; ++mark) {
      means[mark] += result.shares[contender][mark] / static_cast<double>(results.size());
    }
  }
  return means;
}

// extra compared with the best in hindsight of each topic, seed set by seed set.
void print_verdict(const std::vector<TopicResult>& results, const std::vector<Contender>& all) {
  const auto extra =
      static_cast<std::size_t>(std::ranges::find(all, "extra", &Contender::label) - all.begin());
  if (extra == all.size() || best_of_paper(results[0], all, 0) == all.size()) return;
  const auto links = static_cast<std::size_t>(
      std::ranges::find(all, "nh-ne-sum", &Contender::label) - all.begin());
  std::vector<double> hindsight(kMarks);
  fmt::print("\nextra less the paper's best of each topic in hindsight\n");
  for (std::size_t mark = 0; mark < kMarks; ++mark) {
    std::vector<double> own;
    std::vector<double> best;
    std::size_t wins = 0;
    double open_gain = 0;
    std::size_t open_topics = 0;
    for (const TopicResult& result : results) {
      const std::size_t rival = best_of_paper(result, all, mark);
      const auto& a = result.of_set[extra][mark];
      const auto& b = result.of_set[rival][mark];
      own.insert(own.end(), a.begin(), a.end());
      best.insert(best.end(), b.begin(), b.end());
      const double gain = result.shares[extra][mark] - result.shares[rival][mark];
      hindsight[mark] += result.shares[rival][mark] / static_cast<double>(results.size());
      wins += gain >= 0 ? 1 : 0;
      if (result.is_saturated) continue;
      open_gain += gain;
      ++open_topics;
    }
    const PairedDifference difference = paired_bootstrap(own, best);
    fmt::print(
        "  {:<6}{:>4.0f} %  {:+.3f} [{:+.3f}, {:+.3f}], at or above on {} of {} topics; "
        "{:+.3f} on {} topics that are not saturated\n",
        mark < 4 ? "sum" : "count", 100 * kShares[mark % 4], difference.mean, difference.low,
        difference.high, wins, results.size(),
        open_topics > 0 ? open_gain / static_cast<double>(open_topics) : 0, open_topics);
    if (mark % 4 != 0 || links == all.size()) continue;
    std::vector<double> start;
    for (const TopicResult& result : results) {
      const auto& b = result.of_set[links][mark];
      start.insert(start.end(), b.begin(), b.end());
    }
    const PairedDifference early = paired_bootstrap(own, start);
    fmt::print("             against nh-ne-sum {:+.3f} [{:+.3f}, {:+.3f}]\n", early.mean, early.low,
               early.high);
  }
  print_marks("hindsight", hindsight);
}

void run_group(const TopicGroup& group, const ExploreBench& bench) {
  const TopicPages pages(group.data, bench.shared);
  const std::vector<Contender> all = field(bench);
  std::vector<TopicResult> results;
  fmt::print("\n== {}, {}: sum at 5, 20, 50, 100 % of the budget, then count\n", group.data,
             group.note);
  for (const std::string& topic : group.topics) {
    results.push_back(run_topic(pages, topic, all, bench));
  }
  fmt::print("\nmean of {} topics\n", results.size());
  for (std::size_t i = 0; i < all.size(); ++i) print_marks(all[i].label, mean_shares(results, i));
  print_verdict(results, all);
  std::fflush(stdout);
}

}  // namespace

void measure_quality(const ExploreBench& bench) {
  if (!bench.topics.empty()) {
    for (const std::string& data : bench.data)
      run_group({data, "as asked", false, bench.topics}, bench);
    return;
  }
  for (const TopicGroup& group : topic_groups()) {
    if (bench.data.empty() || std::ranges::count(bench.data, group.data) > 0) {
      run_group(group, bench);
    }
  }
}

}  // namespace webstrata
