// SPDX-License-Identifier: Apache-2.0

// Populations, samples, truths and runs with their stop rules.

#include "webstrata/liverank/run.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/liverank/small_population.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/liverank/comparison.h"
#include "webstrata/liverank/host_evidence.h"
#include "webstrata/liverank/statuses.h"

namespace webstrata {
namespace {

TEST(Population, IsThePagesThatWereCaptured) {
  NodeColumns columns;
  columns.captures = Column<std::uint32_t>(std::vector<std::uint32_t>{1, 0, 2, 1});
  const Snapshot graph =
      with_names(
          Snapshot::from_links(4, {{0, 1}, {0, 2}, {2, 2}, {2, 3}, {3, 1}}),
          {"http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"})
          .with_node_columns(columns);
  const Population pages = population_of(graph);
  EXPECT_EQ(pages.origin, (std::vector<Node>{0, 2, 3}));
  EXPECT_TRUE(same_links(pages.graph, Snapshot::from_links(3, {{0, 1}, {1, 2}})));
  EXPECT_EQ(pages.graph.name(1), "http://c.example/");
  EXPECT_EQ(pages.graph.find("http://d.example/"), Node{2});
  EXPECT_FALSE(pages.graph.find("http://b.example/"));
  EXPECT_EQ(pages.graph.node_columns().captures[1], 2U);
  EXPECT_EQ(pages.dangling[0], 0.5);
  EXPECT_EQ(pages.dangling[2], 1.0);
  const Population all = population_of(graph, {.scope = Scope::All, .undirected = true});
  EXPECT_EQ(all.size(), 4U);
  EXPECT_EQ(all.graph.out_degree(1), 2U);
  EXPECT_THROW(population_of(Snapshot()), Error);
}

TEST(UrlLevels, GroupByHostDirectoryAndName) {
  const Population pages =
      population_of(with_names(Snapshot::from_links(4, {}),
                               {"http://a.example/x/y/lib-1.html", "http://a.example/x/lib-2.html",
                                "http://b.example/lib-22.pdf", "not a url"}));
  const auto groups = [&](UrlLevelKind kind) {
    return pages.levels[static_cast<std::size_t>(kind)].group_of;
  };
  using Groups = std::vector<std::uint32_t>;
  EXPECT_EQ(groups(UrlLevelKind::Host), (Groups{0, 0, 1, 2}));
  EXPECT_EQ(groups(UrlLevelKind::Directory1), (Groups{0, 0, 1, 2}));
  EXPECT_EQ(groups(UrlLevelKind::Directory), (Groups{0, 1, 2, 3}));
  EXPECT_EQ(groups(UrlLevelKind::NameInHost), (Groups{0, 0, 1, 2}));
  EXPECT_EQ(groups(UrlLevelKind::FirstWord), (Groups{0, 0, 0, 1}));
  EXPECT_EQ(groups(UrlLevelKind::Extension), (Groups{0, 0, 1, 2}));
}

TEST(Sampling, TakesNumbersSharesAndSharesOfTheBudget) {
  EXPECT_EQ(sample_size({.size = 30}, 100), 30U);
  EXPECT_EQ(sample_size({.size = 0.25}, 100), 25U);
  EXPECT_EQ(sample_size({.size = 0.4, .of_budget = 50}, 100), 20U);
  EXPECT_EQ(sample_size({.size = 0.001, .size_min = 20}, 100), 20U);
  EXPECT_EQ(sample_size({.size = 1000}, 100), 100U);
  EXPECT_THROW(sample_size({.size = -1}, 100), Error);
}

TEST(Sampling, DrawsByKind) {
  const Population pages = population_of(made_web(5, 20, 3));
  const auto by_degree = sampled(pages, {.kind = SampleKind::InDegree, .size = 10}, 1);
  for (std::size_t i = 1; i < by_degree.size(); ++i) {
    EXPECT_GE(pages.graph.in_degree(by_degree[i - 1]), pages.graph.in_degree(by_degree[i]));
  }
  const auto systematic = sampled(pages, {.kind = SampleKind::Systematic, .size = 5}, 1);
  std::set<Node> hosts;
  for (const Node page : systematic) hosts.insert(page / 20);
  EXPECT_EQ(hosts.size(), 5U);  // one of each twenty
  const auto random = sampled(pages, {.size = 100}, 1);
  EXPECT_EQ(std::set<Node>(random.begin(), random.end()).size(), 100U);
  EXPECT_NE(random, sampled(pages, {.size = 100}, 2));
}

// Three pages of each host; of a host with fewer all of them. A limit leaves the smallest sites
// out, as in the comparison of the LiveRank paper with active sites first.
TEST(Sampling, TakesAFixedNumberOfPagesPerSite) {
  std::vector<std::string> names;
  const std::vector<Node> sizes = {2, 10, 5};
  for (Node host = 0; host < sizes.size(); ++host) {
    for (Node i = 0; i < sizes[host]; ++i) {
      names.push_back("http://h" + std::to_string(host) + ".example/" + std::to_string(i));
    }
  }
  const Population pages = population_of(with_names(Snapshot::from_links(17, {{0, 1}}), names));
  const auto counts = [&](const SampleOptions& options, std::uint64_t seed) {
    std::vector<Node> found(3);
    const auto sample = sampled(pages, options, seed);
    EXPECT_EQ(std::set<Node>(sample.begin(), sample.end()).size(), sample.size());
    for (const Node page : sample) ++found[page < 2 ? 0 : page < 12 ? 1 : 2];
    return found;
  };
  SampleOptions options{.size = kAllPages, .per_site = 3, .site_directories = 0};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(counts(options, seed), (std::vector<Node>{2, 3, 3}));
  }
  options.size = 5;
  EXPECT_EQ(counts(options, 1), (std::vector<Node>{0, 3, 2}));
  EXPECT_NE(sampled(pages, options, 1), sampled(pages, options, 2));
  EXPECT_EQ(uniform_tests("asf", pages, {.sample = options}).count, 0U);
}

TEST(Sampling, SpreadsOutWithoutNeighbours) {
  const Population pages = population_of(Snapshot::from_links(5, {{1, 0}, {2, 0}, {3, 0}, {4, 3}}));
  const auto sample =
      sampled(pages, {.kind = SampleKind::InDegree, .size = 3, .no_neighbours = true}, 1);
  EXPECT_EQ(sample[0], 0U);
  EXPECT_EQ(sample[1], 4U);  // 3 has a link to 0
}

// Pages 0 and 1 of every four are linked: no two of them, whatever the start of the sample.
TEST(Sampling, SpreadsSystematicSamplesOutToo) {
  LinkPairs links;
  for (Node page = 0; page < 40; page += 4) links.emplace_back(page, page + 1);
  const Population pages = population_of(Snapshot::from_links(40, links));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SampleOptions options{.kind = SampleKind::Systematic, .size = 20, .no_neighbours = true};
    const auto sample = sampled(pages, options, seed);
    const std::set<Node> chosen(sample.begin(), sample.end());
    EXPECT_EQ(chosen.size(), 20U);
    for (const auto& [source, target] : links) {
      EXPECT_FALSE(chosen.contains(source) && chosen.contains(target)) << seed;
    }
  }
}

// All cases of a newer graph: present, moved, gone, the same or not.
class ANewerGraph : public testing::Test {
 protected:
  static Snapshot graph(const std::vector<std::string>& names, LinkPairs links,
                        std::vector<Outcome> outcomes, std::vector<std::uint64_t> texts) {
    NodeColumns columns;
    columns.outcome = Column<Outcome>(std::move(outcomes));
    columns.text_digest = Column<std::uint64_t>(std::move(texts));
    return with_names(Snapshot::from_links(names.size(), std::move(links)), names)
        .with_node_columns(std::move(columns));
  }
  const std::vector<std::string> urls = {"http://a.example/", "http://b.example/",
                                         "http://c.example/", "http://d.example/"};
  const Snapshot old = graph(urls, {{0, 1}, {0, 2}, {1, 0}, {3, 0}},
                             std::vector<Outcome>(4, Outcome::Alive), {1, 2, 3, 4});
  const Snapshot newer =
      graph({urls[1], urls[0], urls[3], "http://e.example/"}, {{1, 0}, {1, 3}, {0, 1}},
            {Outcome::Alive, Outcome::Alive, Outcome::Moved, Outcome::Alive}, {2, 1, 4, 5});
  const Population pages = population_of(old);

  [[nodiscard]] std::vector<Verdict> verdicts(const TruthOptions& options) const {
    std::vector<Verdict> found;
    for (const Finding& finding : truth_of(pages, old, newer, options).findings) {
      found.push_back(finding.verdict);
    }
    return found;
  }
};

constexpr Verdict kLive = Verdict::Live;
constexpr Verdict kDead = Verdict::Dead;

TEST_F(ANewerGraph, TellsWhatIsThereAndWhatIsTheSame) {
  using Verdicts = std::vector<Verdict>;
  EXPECT_EQ(verdicts({}), (Verdicts{kLive, kLive, kDead, kDead}));
  EXPECT_EQ(verdicts({.target = Target::Moved}), (Verdicts{kLive, kLive, kDead, kLive}));
  EXPECT_EQ(verdicts({.target = Target::Unchanged}), (Verdicts{kLive, kLive, kDead, kDead}));
  EXPECT_EQ(verdicts({.target = Target::Unchanged, .same = Sameness::TextAndLinks}),
            (Verdicts{kDead, kLive, kDead, kDead}));  // a links to e instead of c
  EXPECT_EQ(verdicts({.target = Target::Changed, .same = Sameness::Links}),
            (Verdicts{kLive, kDead, kDead, kDead}));
  // There are no digests of payloads.
  EXPECT_THROW(verdicts({.target = Target::Unchanged, .same = Sameness::Payload}), Error);
  EXPECT_THROW(verdicts({.target = Target::Active}), Error);
  const Truth truth = truth_of(pages, old, newer);
  EXPECT_EQ(truth.live, 2U);
  EXPECT_EQ(truth.outcomes[static_cast<std::size_t>(Outcome::Moved)], 1U);
  EXPECT_EQ(truth.outcomes[static_cast<std::size_t>(Outcome::Gone)], 1U);
}

TEST_F(ANewerGraph, MayBeAListInstead) {
  TruthList list(pages, {});
  list.add({"http://a.example/", Outcome::Alive, {}});
  list.add({"http://a.example/", Outcome::Alive, {}});
  list.add({"http://a.example/", Outcome::Gone, {}});
  list.add({"http://nobody.example/", Outcome::Alive, {}});
  list.add({"http://b.example/", Outcome::Blocked, {}});
  const Truth truth = list.finish(Outcome::Gone);
  EXPECT_EQ(truth.live, 1U);
  EXPECT_EQ(truth.repeated, 1U);
  EXPECT_EQ(truth.contradicting, 1U);
  EXPECT_EQ(truth.unknown_urls, 1U);
  EXPECT_EQ(truth.findings[1].verdict, Verdict::Undecided);
  EXPECT_EQ(truth.findings[2].verdict, Verdict::Dead);
  EXPECT_THROW((void)TruthList(pages, {.target = Target::Changed}).finish(Outcome::Gone), Error);
  // An empty list would mean that every page is gone.
  EXPECT_THROW((void)TruthList(pages, {}).finish(Outcome::Gone), Error);
  EXPECT_THROW((void)TruthList(pages, {}).finish(Outcome::Unknown), Error);
  EXPECT_THROW((void)truth_of(pages, old, Snapshot::from_links(0, {})), Error);
}

TEST_F(ANewerGraph, CountsTheTargetsOfTestedPagesOnce) {
  TruthList list(pages, {});
  for (const Node page : {0, 1, 2}) {
    list.add({.url = pages.graph.name(page),
              .outcome = Outcome::Moved,
              .moved_to = page == 2 ? "http://other.example/" : "http://new.example/"});
  }
  const Truth truth = list.finish(Outcome::Gone);
  EXPECT_EQ(truth.redirect_targets(), 2U);
  EXPECT_EQ(truth.redirect_targets_of({}), 0U);
  EXPECT_EQ(truth.redirect_targets_of(std::vector<Node>{0, 1, 3}), 1U);
  EXPECT_EQ(truth.redirect_targets_of(std::vector<Node>{2, 1}), 2U);
}

// The classes of activity: no longer exists, never active, active long ago, active recently.
TEST_F(ANewerGraph, OrAListOfTimesOfActivity) {
  TruthList list(pages, {.target = Target::Active, .active_within = 100});
  list.add({urls[0], Outcome::Alive, 1000});
  list.add({urls[1], Outcome::Alive, 899});
  list.add({urls[2], Outcome::Alive, {}});
  list.add({urls[3], Outcome::Gone, {}});
  const Truth truth = list.finish(Outcome::Unknown);
  EXPECT_EQ(truth.live, 1U);
  EXPECT_EQ(truth.without_activity, 1U);
  EXPECT_EQ(truth.findings[1].verdict, Verdict::Dead);
}

// Present pages compared with the old ones: by word, or by digest.
TEST_F(ANewerGraph, OrAListOfWhatIsTheSame) {
  TruthList list(pages, {.target = Target::Unchanged});
  TruthLine same{urls[0], Outcome::Alive};
  same.is_same = true;
  TruthLine changed{urls[1], Outcome::Alive};
  changed.is_same = false;
  list.add(same);
  list.add(changed);
  list.add({urls[2], Outcome::Gone});
  list.add({urls[3], Outcome::Alive});  // exists, but was not compared
  const Truth truth = list.finish(Outcome::Unknown);
  EXPECT_EQ(truth.findings[0].verdict, Verdict::Live);
  EXPECT_EQ(truth.findings[1].verdict, Verdict::Dead);
  EXPECT_EQ(truth.findings[2].verdict, Verdict::Dead);
  EXPECT_EQ(truth.findings[3].verdict, Verdict::Undecided);
}

// The columns keep a checksum of the digest as it is written.
TEST(AnswerJudge, ComparesDigests) {
  NodeColumns columns;
  columns.digest = Column<std::uint64_t>(2);
  columns.digest.set(0, checksum64("sha1:AAAABBBB"));
  const Population pages = population_of(Snapshot::from_links(2, {}).with_node_columns(columns));
  const AnswerJudge judge(pages, {.target = Target::Changed});
  TruthLine line{{}, Outcome::Alive};
  line.digest = "sha1:AAAABBBB";
  EXPECT_EQ(judge.judge(0, line, 0).verdict, Verdict::Dead);
  EXPECT_EQ(judge.judge(1, line, 0).verdict, Verdict::Undecided);  // nothing to compare with
  line.digest = "sha1:CCCCDDDD";
  EXPECT_EQ(judge.judge(0, line, 0).verdict, Verdict::Live);
}

TEST(AnswerJudge, CountsAPageWithoutHostAsDead) {
  const Population pages = population_of(Snapshot::from_links(1, {}));
  TruthLine line{{}, Outcome::Unreachable};
  EXPECT_EQ(AnswerJudge(pages, {}).judge(0, line, 0).verdict, Verdict::Undecided);
  line.no_host = true;
  const Finding finding = AnswerJudge(pages, {}).judge(0, line, 0);
  EXPECT_EQ(finding.verdict, Verdict::Dead);
  EXPECT_TRUE(finding.no_host);
}

// As in the papers' table of uk-2002; rows that are not parts sum up to all.
TEST(Statuses, AreCountedAsThePapersCount) {
  OutcomeCounts outcomes = {};
  const auto set = [&](Outcome outcome, std::uint64_t count) {
    outcomes[static_cast<std::size_t>(outcome)] = count;
  };
  set(Outcome::Gone, 6467219);
  set(Outcome::Unreachable, 4470845 + 100);
  set(Outcome::Moved, 3455923);
  set(Outcome::Alive, 1164998);
  set(Outcome::SoftGone, 2365201 - 1164998);
  set(Outcome::Unknown, 1761298 - 100);
  std::uint64_t sum = 0;
  std::map<std::string_view, std::uint64_t> rows;
  for (const StatusRow& row : status_rows(outcomes, 4470845, 20414)) {
    rows[row.name] = row.count;
    if (!row.is_part) sum += row.count;
  }
  EXPECT_EQ(rows["404, 410"], 6467219U);
  EXPECT_EQ(rows["host not found"], 4470845U);
  EXPECT_EQ(rows["redirect targets"], 20414U);
  EXPECT_EQ(rows["200"], 2365201U);
  EXPECT_EQ(rows["true 200"], 1164998U);
  EXPECT_EQ(rows["other"], 1761298U);
  EXPECT_EQ(sum, 18520486U);
}

// One answer without an address is enough for a host, whatever the number of tests.
TEST(Run, LeavesHostsWithoutAnAddressAtOnce) {
  const Population pages = population_of(made_web(10, 20, 2));
  Truth truth = truth_from(std::vector<int>(pages.size(), 1));
  for (Node page = 0; page < 20; ++page) {
    truth.findings[page] = {page, Outcome::Unreachable, Verdict::Dead, true};
  }
  RunOptions options{.dead_host_tests = 5};
  options.hosts = &pages.levels[0];
  const LiveRun run = run_on("random", pages, truth, {}, options);
  EXPECT_EQ(run.settled, 19U);
  EXPECT_EQ(run.no_host, 1U);
  EXPECT_EQ(run.found, 180U);
}

TEST(Oracle, AsksWholeBatchesAndCountsEachTest) {
  std::vector<std::size_t> sizes;
  Oracle oracle = Oracle::of_batches([&](std::span<const Node> pages) {
    sizes.push_back(pages.size());
    std::vector<Finding> findings;
    for (const Node page : pages) findings.push_back({page, Outcome::Alive, Verdict::Live});
    return findings;
  });
  oracle.test(std::vector<Node>{1, 2, 3});
  oracle.test(std::vector<Node>{4});
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 1}));
  EXPECT_EQ(oracle.tests(), 4U);
  Oracle silent = Oracle::of_batches([](std::span<const Node>) { return std::vector<Finding>(); });
  EXPECT_THROW(silent.test(std::vector<Node>{1}), Error);
}

TEST(Run, StopsAtAShareOfWhatIsEstimated) {
  const Population pages = population_of(made_web(20, 50, 2));
  const Truth truth = truth_from(std::vector<int>(pages.size(), 1));
  const LiveRun run = run_on("random", pages, truth, {}, {.alpha = 0.5, .sample_tests = 100});
  EXPECT_EQ(run.ended, RunEnd::Alpha);
  EXPECT_NEAR(static_cast<double>(run.tests), 500, 20);
  ASSERT_TRUE(run.estimate);
  EXPECT_EQ(run.estimate->value, 1000);
}

// Dead hosts are skipped, so the first answers are no longer a uniform sample; its pages still are.
TEST(Run, CountsSettledPagesOfTheSampleAsDead) {
  const Population pages = population_of(made_web(100, 20, 2));
  std::vector<int> live(pages.size());
  for (Node page = 0; page < pages.size(); ++page) live[page] = page / 20 % 2 == 0 ? 1 : 0;
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RunOptions options{.alpha = 0.9, .dead_host_tests = 1};
    options.hosts = &pages.levels[0];
    const PlannerOptions planner{.seed = seed, .sample = SampleOptions{.size = 400}};
    sample_for_estimate(options, "pa", pages, planner);
    const LiveRun run = run_on("pa", pages, truth_from(live), planner, options);
    EXPECT_EQ(run.ended, RunEnd::Alpha);
    EXPECT_GT(run.settled, 0U);
    sum += run.estimate->value;
  }
  EXPECT_NEAR(sum / 10, 1000, 40);  // four standard errors of a mean of ten
}

// Methods whose first tests say nothing about all pages get a sample beside them.
TEST(Run, StopsAtAShareWhateverTheMethodBeginsWith) {
  const Population pages = population_of(made_web(50, 40, 3));
  std::vector<int> live(pages.size());
  for (Node page = 0; page < pages.size(); ++page) live[page] = page % 3 == 0 ? 1 : 0;
  const Truth truth = truth_from(live);
  const PlannerOptions by_degree{.sample = SampleOptions{.kind = SampleKind::InDegree, .size = 50}};
  const PlannerOptions spread{.sample = SampleOptions{.size = 50, .no_neighbours = true}};
  using Case = std::pair<const char*, PlannerOptions>;
  for (const auto& [method, planner] : {Case{"pagerank", {}}, {"pa", by_degree}, {"pa", spread}}) {
    RunOptions options{.alpha = 0.5};
    sample_for_estimate(options, method, pages, planner);
    EXPECT_EQ(options.first.size(), kEstimateTests) << method;
    const LiveRun run = run_on(method, pages, truth, planner, options);
    EXPECT_EQ(run.ended, RunEnd::Alpha) << method;
    EXPECT_LT(run.tests, pages.size()) << method;
    EXPECT_NEAR(run.estimate->value, static_cast<double>(truth.live), 150) << method;
    const std::set<Node> tested(run.order.begin(), run.order.end());
    EXPECT_EQ(tested.size(), run.order.size()) << method;
  }
  RunOptions whole;
  sample_for_estimate(whole, "pagerank", pages, {});
  EXPECT_TRUE(whole.first.empty());  // no estimate is needed
}

// What is known for certain narrows the interval.
TEST(Run, SharpensTheEstimateWithEveryTest) {
  const Population pages = population_of(made_web(20, 20, 2));
  std::vector<int> live(pages.size());
  for (Node page = 0; page < pages.size(); page += 2) live[page] = 1;
  const PlannerOptions planner{.sample = SampleOptions{.size = 20}};
  double width = static_cast<double>(pages.size());
  for (const std::uint64_t budget : {20U, 200U, 399U}) {
    RunOptions options{.budget = budget};
    sample_for_estimate(options, "pa", pages, planner);
    const LiveRun run = run_on("pa", pages, truth_from(live), planner, options);
    EXPECT_LE(run.estimate->low, 200);
    EXPECT_GE(run.estimate->high, 200);
    EXPECT_LE(run.estimate->high - run.estimate->low, width);
    width = run.estimate->high - run.estimate->low;
  }
  EXPECT_LE(width, 1);
}

TEST(Run, StopsWhenTestsBringTooLittle) {
  const Population pages = population_of(Snapshot::from_links(2000, {}));
  std::vector<int> live(2000);
  std::fill(live.begin(), live.begin() + 500, 1);
  const LiveRun run = run_on("pagerank", pages, truth_from(live), {}, {.price = 0.2});
  EXPECT_EQ(run.ended, RunEnd::Price);
  EXPECT_EQ(run.found, 500U);
  EXPECT_NEAR(static_cast<double>(run.tests), 660, 40);
}

// Host evidence: two dead pages decide a host; its live pages are missed.
TEST(Run, LeavesDeadHostsWithoutTests) {
  const Population pages = population_of(made_web(10, 20, 2));
  std::vector<int> live(pages.size());
  std::fill(live.begin(), live.begin() + 100, 1);
  const Truth truth = truth_from(live);
  RunOptions options{.dead_host_tests = 2};
  options.hosts = &pages.levels[0];
  options.batch = 1;
  const LiveRun run = run_on("random", pages, truth, {}, options);
  EXPECT_EQ(run.tests, 100U + 5 * 2);
  EXPECT_EQ(run.settled, 5U * 18);
  EXPECT_EQ(run.found, 100U);
}

// Two servers of one host: the dead pages of one port say nothing about the other.
TEST(Run, LeavesDeadOriginsAndNoOthersOfTheirHost) {
  std::vector<std::string> names;
  for (int i = 0; i < 10; ++i) {
    names.push_back("http://a.example:81/" + std::to_string(i));
    names.push_back("http://a.example:82/" + std::to_string(i));
  }
  std::ranges::sort(names);
  const Population pages = population_of(with_names(Snapshot::from_links(20, {}), names));
  std::vector<int> live(20);
  for (Node page = 0; page < 20; ++page)
    live[page] = pages.graph.name(page).find(":82/") != std::string::npos;
  RunOptions options{.dead_host_tests = 2};
  options.hosts = &pages.levels[0];
  options.origins = &pages.origins;
  options.batch = 1;
  const LiveRun run = run_on("random", pages, truth_from(live), {}, options);
  EXPECT_EQ(run.found, 10U);
  EXPECT_EQ(run.tests, 12U);
  EXPECT_EQ(run.settled, 8U);
}

// a.example and b.a.example belong to one registered domain, c.example is another one: three dead
// answers settle the domain, whichever hosts they came from; one live answer saves it.
TEST(Run, AfterSomeDeadAnswersARegisteredDomainIsDead) {
  std::vector<std::string> names;
  for (const std::string host : {"b.a.example", "www.a.example", "www.c.example"}) {
    for (int i = 0; i < 4; ++i) names.push_back("http://" + host + "/" + std::to_string(i));
  }
  const Population pages = population_of(with_names(Snapshot::from_links(12, {{0, 1}}), names));
  const UrlLevel domains = url_domains(pages.graph);
  EXPECT_EQ(domains.sizes, (std::vector<std::uint32_t>{8, 4}));
  HostEvidence evidence(pages.levels.front(), pages.origins, 0, &domains, 3);
  const auto page = [&](const char* url) { return *pages.graph.find(url); };
  const auto dead = [&](const char* url) {
    evidence.add({page(url), Outcome::Gone, Verdict::Dead});
  };
  dead("http://www.a.example/0");
  dead("http://b.a.example/0");
  dead("http://www.c.example/0");
  EXPECT_FALSE(evidence.is_dead(page("http://b.a.example/1")));
  dead("http://b.a.example/2");
  EXPECT_TRUE(evidence.is_dead(page("http://b.a.example/1")));
  EXPECT_TRUE(evidence.is_dead(page("http://www.a.example/3")));
  EXPECT_FALSE(evidence.is_dead(page("http://www.c.example/1")));
  evidence.add({page("http://www.c.example/1"), Outcome::Alive, Verdict::Live});
  dead("http://www.c.example/2");
  dead("http://www.c.example/3");
  EXPECT_FALSE(evidence.is_dead(page("http://www.c.example/0")));
}

TEST(Run, RefusesWhatMakesNoSense) {
  const Population pages = population_of(made_web(2, 2, 2));
  const Truth truth = truth_from({1, 1, 1, 1});
  EXPECT_THROW(run_on("random", pages, truth, {}, {.alpha = 0}), Error);
  EXPECT_THROW(run_on("random", pages, truth, {}, {.alpha = 1.5}), Error);
  EXPECT_THROW(run_on("random", pages, truth, {}, {.price = -1}), Error);
}

TEST(Comparison, HindsightIsTheBestOfThePapersRows) {
  CostRow a;
  a.contestant.label = "a";
  a.contestant.is_of_papers = true;
  a.costs = {1.5, 1.1};
  a.area = 1.3;
  CostRow b = a;
  b.contestant.label = "b";
  b.costs = {1.2, 1.4};
  b.area = 1.25;
  CostRow ours = a;
  ours.contestant.is_of_papers = false;
  ours.costs = {1, 1};
  const Hindsight best = hindsight_of({a, b, ours});
  EXPECT_EQ(best.costs, (std::vector<double>{1.2, 1.1}));
  EXPECT_EQ(best.by, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(best.best_fixed, "b");
}

// Ours are left out of the envelope; what does not depend on the seed is run once.
TEST(Comparison, KnowsWhoseMethodsTheyAreAndWhichAreRandom) {
  std::set<std::string> ours;
  std::set<std::string> fixed;
  for (const Contestant& one : default_contestants()) {
    if (!one.is_of_papers) ours.insert(one.label);
    if (!one.is_random) fixed.insert(one.label);
  }
  EXPECT_EQ(ours, (std::set<std::string>{"auto", "lore", "pb"}));
  EXPECT_EQ(fixed, (std::set<std::string>{"indegree", "pagerank"}));
  fixed.clear();
  for (const Contestant& one : all_contestants()) {
    if (!one.is_random) fixed.insert(one.method);
    const bool is_ours = ours.contains(one.method) || one.variant == "mean";
    EXPECT_EQ(one.is_of_papers, !is_ours) << one.label;
  }
  // With a sample by PageRank or in-degree these follow from the answers; asf draws within sites.
  EXPECT_EQ(fixed, (std::set<std::string>{"indegree", "pagerank", "pa", "pa-ratio", "bfs", "ai"}));
}

TEST(Comparison, MeasuresOverSeeds) {
  const Population pages = population_of(made_web(5, 20, 3));
  std::vector<int> live(pages.size());
  std::fill(live.begin(), live.begin() + 50, 1);
  const Truth truth = truth_from(live);
  const CostRow row = measure(pages, truth, named_contestants("random").front(), {.seeds = 8});
  EXPECT_EQ(row.runs.size(), 8U);
  EXPECT_NEAR(row.costs[4], 2, 0.2);
  EXPECT_GE(row.worst[4], row.costs[4]);
}

}  // namespace
}  // namespace webstrata
