// SPDX-License-Identifier: Apache-2.0

// Tested by tests/explore/recrawl_plan_test.cpp.

#include "webstrata/explore/recrawl_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <unordered_set>

#include "webstrata/base/error.h"
#include "webstrata/explore/explorer.h"

namespace webstrata {
namespace {

constexpr double kDaySeconds = 86400;
// For new pages where no change was ever seen: some rate, so that the order is by expected score.
constexpr double kRateOfNobody = 0.01;

// Empty if no second look could see a change.
std::optional<double> rate_of(const NodeColumns& columns, Node node) {
  const auto changes = columns.changes_seen[node];
  const auto span = columns.span[node];
  if (!changes || !span || *span <= 0) return std::nullopt;
  const std::uint32_t captures = columns.captures[node].value_or(0);
  const std::uint64_t looks = std::max({captures > 0 ? captures - 1 : 0, *changes, 1U});
  const double days = static_cast<double>(*span) / kDaySeconds;
  return change_rate(looks, *changes, days / static_cast<double>(looks));
}

// In the order of their first captures.
std::vector<Node> captured_nodes(const NodeColumns& columns, std::size_t count) {
  std::vector<Node> nodes;
  for (Node node = 0; node < count; ++node) {
    if (columns.first_capture[node]) nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end(), [&](Node a, Node b) {
    return std::tuple(*columns.first_capture[a], a) < std::tuple(*columns.first_capture[b], b);
  });
  return nodes;
}

// Pages without an estimate get the mean of the others.
void fill_rates(const NodeColumns& columns, CapturedPages& captured) {
  std::vector<std::size_t> unknown;
  double sum = 0;
  for (std::size_t i = 0; i < captured.nodes.size(); ++i) {
    const auto rate = rate_of(columns, captured.nodes[i]);
    if (!rate) unknown.push_back(i);
    captured.pages[i].rate = rate.value_or(0);
    sum += captured.pages[i].rate;
  }
  const std::size_t told = captured.nodes.size() - unknown.size();
  captured.mean_rate = told == 0 ? 0 : sum / static_cast<double>(told);
  captured.without_rate = unknown.size();
  for (const std::size_t i : unknown) captured.pages[i].rate = captured.mean_rate;
}

// Which nodes are on a host of which some page was captured. Without names, all are.
class CapturedHosts {
 public:
  CapturedHosts(const SimulatedWeb& web, std::span<const Node> captured)
      : levels_(web.groups()), groups_(levels_.count) {
    for (const Node node : captured) hosts_.insert(host_of(node));
  }
  bool have(Node node) {
    return levels_.count == 0 || host_of(node) == kNoGroup || hosts_.contains(host_of(node));
  }

 private:
  Group host_of(Node node) {
    if (levels_.count == 0) return kNoGroup;
    levels_.of(node, groups_);
    return groups_.front();
  }

  GroupLevels levels_;
  std::vector<Group> groups_;
  std::unordered_set<Group> hosts_;
};

// Pages never captured, with the score that the estimator expects.
std::vector<PlannedPage> new_pages(const SimulatedWeb& web, const CapturedPages& captured,
                                   std::string_view estimator, const EstimatorOptions& options) {
  Explorer explorer(estimator, {.estimator = options, .groups = web.groups()});
  explorer.begin({captured.nodes.data(), 1});
  std::vector<KnownLink> buffer;
  for (const Node node : captured.nodes) {
    const CrawledPage page = web.crawl(node, buffer);
    explorer.crawled(node, page.score, page.links);
  }
  const double rate = captured.mean_rate > 0 ? captured.mean_rate : kRateOfNobody;
  std::vector<PlannedPage> pages;
  for (const Node node : explorer.known().frontier()) {
    const double expected = std::max(0.0, explorer.estimator().score(node));
    pages.push_back({node, true, {expected, rate}, 0, expected / rate});
  }
  return pages;
}

PlannedPage known_page(const CapturedPages& captured, std::size_t i) {
  const RecrawlPage& page = captured.pages[i];
  // Where the rate is 0, the limit of the quotient.
  const double gain = page.rate > 0 ? visit_worth(page, captured.days_since[i]) / page.rate
                                    : page.weight * captured.days_since[i];
  return {captured.nodes[i], false, page, 0, gain};
}

}  // namespace

CapturedPages captured_pages(const Snapshot& graph, std::span<const double> node_scores) {
  const NodeColumns& columns = graph.node_columns();
  const std::size_t count = graph.node_count();
  if (columns.first_capture.size() != count || columns.changes_seen.size() != count) {
    throw Error(ErrorKind::BadInput,
                "nothing says when pages were captured and what had changed: give an archive");
  }
  CapturedPages captured;
  captured.nodes = captured_nodes(columns, count);
  Time now = 0;
  for (const Node node : captured.nodes) {
    captured.pages.push_back({node_scores[node], 0});
    now = std::max(now, *columns.last_capture[node]);
  }
  for (const Node node : captured.nodes) {
    captured.days_since.push_back(static_cast<double>(now - *columns.last_capture[node]) /
                                  kDaySeconds);
  }
  fill_rates(columns, captured);
  return captured;
}

RecrawlPlan plan_recrawl(const SimulatedWeb& web, std::string_view estimator,
                         const RecrawlOptions& options) {
  if (!(options.days > 0) || !std::isfinite(options.days)) {
    throw Error(ErrorKind::BadInput, "a budget must be for some time: give more than 0 days");
  }
  RecrawlPlan plan{.pages = {}, .captured = captured_pages(web.graph(), web.node_scores())};
  if (plan.captured.nodes.empty()) {
    throw Error(ErrorKind::BadInput, "no page of the graph was captured: nothing to plan from");
  }
  plan.pages = new_pages(web, plan.captured, estimator, options.estimator);
  if (!options.off_site) {
    CapturedHosts hosts(web, plan.captured.nodes);
    plan.off_site = std::erase_if(
        plan.pages, [&hosts](const PlannedPage& page) { return !hosts.have(page.node); });
  }
  plan.linked = plan.pages.size();
  for (std::size_t i = 0; i < plan.captured.nodes.size(); ++i) {
    plan.pages.push_back(known_page(plan.captured, i));
  }
  std::vector<RecrawlPage> all;
  for (const PlannedPage& page : plan.pages) all.push_back(page.page);
  const auto visits =
      allocate(options.policy, all, static_cast<double>(options.budget) / options.days);
  for (std::size_t i = 0; i < visits.size(); ++i) {
    plan.pages[i].visits = visits[i] * options.days;
    (plan.pages[i].is_new ? plan.new_visits : plan.known_visits) += plan.pages[i].visits;
  }
  std::erase_if(plan.pages, [](const PlannedPage& page) { return page.visits <= 0; });
  std::sort(plan.pages.begin(), plan.pages.end(), [](const PlannedPage& a, const PlannedPage& b) {
    return std::tuple(-a.gain, a.node) < std::tuple(-b.gain, b.node);
  });
  return plan;
}

}  // namespace webstrata
