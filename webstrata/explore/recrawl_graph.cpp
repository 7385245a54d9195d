// Tested by tests/explore/recrawl_graph_test.cpp.

#include "webstrata/explore/recrawl_graph.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "webstrata/base/error.h"
#include "webstrata/explore/explorer.h"

namespace webstrata {
namespace {

constexpr double kDaySeconds = 86400;

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

// What the estimator expects of pages never captured, the best first.
std::vector<std::pair<double, Node>> expected_scores(const SimulatedWeb& web,
                                                     const CapturedPages& known,
                                                     std::string_view estimator,
                                                     const EstimatorOptions& options) {
  Explorer explorer(estimator, {.estimator = options, .groups = web.groups()});
  explorer.begin({known.nodes.data(), 1});
  std::vector<KnownLink> buffer;
  for (const Node node : known.nodes) {
    const CrawledPage page = web.crawl(node, buffer);
    explorer.crawled(node, page.score, page.links);
  }
  std::vector<std::pair<double, Node>> expected;
  for (const Node node : explorer.known().frontier()) {
    expected.emplace_back(std::max(0.0, explorer.estimator().score(node)), node);
  }
  std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) {
    return std::tuple(-a.first, a.second) < std::tuple(-b.first, b.second);
  });
  return expected;
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
  for (Node node = 0; node < count; ++node) {
    if (columns.first_capture[node]) captured.nodes.push_back(node);
  }
  std::sort(captured.nodes.begin(), captured.nodes.end(), [&](Node a, Node b) {
    return std::tuple(*columns.first_capture[a], a) < std::tuple(*columns.first_capture[b], b);
  });
  std::vector<std::size_t> unknown;
  double sum = 0;
  for (const Node node : captured.nodes) {
    const auto rate = rate_of(columns, node);
    if (!rate) unknown.push_back(captured.pages.size());
    sum += rate.value_or(0);
    captured.pages.push_back({node_scores[node], rate.value_or(0)});
  }
  const std::size_t seen = captured.pages.size() - unknown.size();
  captured.mean_rate = seen == 0 ? 0 : sum / static_cast<double>(seen);
  captured.without_rate = unknown.size();
  for (const std::size_t i : unknown) captured.pages[i].rate = captured.mean_rate;
  return captured;
}

RecrawlFetches plan_recrawl(const SimulatedWeb& web, std::string_view estimator,
                            const EstimatorOptions& options, std::uint64_t budget, double days) {
  RecrawlFetches result{.fetches = {}, .known = captured_pages(web.graph(), web.node_scores())};
  if (result.known.nodes.empty()) {
    throw Error(ErrorKind::BadInput, "no page of the graph was captured: nothing to go on from");
  }
  const auto frontier = expected_scores(web, result.known, estimator, options);
  std::vector<double> expected;
  for (const auto& [score, node] : frontier) expected.push_back(score);
  const FetchPlan plan = share_budget(result.known.pages, expected, budget, days);
  for (std::size_t i = 0; i < plan.new_pages; ++i) {
    result.fetches.push_back({frontier[i].second, 1, frontier[i].first, 0, true});
  }
  for (std::size_t i = 0; i < plan.visits.size(); ++i) {
    if (plan.visits[i] <= 0) continue;
    const RecrawlPage& page = result.known.pages[i];
    const double visits = plan.visits[i] / days;
    const double worth = page.weight * visits / (visits + page.rate);
    result.fetches.push_back({result.known.nodes[i], plan.visits[i], worth, page.rate, false});
    result.known_fetches += plan.visits[i];
  }
  std::stable_sort(result.fetches.begin(), result.fetches.end(),
                   [](const RecrawlFetch& a, const RecrawlFetch& b) {
                     return a.worth * b.fetches > b.worth * a.fetches;
                   });
  result.frontier = frontier.size();
  result.price = plan.price;
  result.new_fetches = static_cast<double>(plan.new_pages);
  return result;
}

}  // namespace webstrata
