// SPDX-License-Identifier: Apache-2.0

// Values of pages, PageRank or a column, are replaced by their quantiles, so that they fill half of
// a score whatever their scale. Means over directories and hosts are differences of sums over all
// nodes before: in an archive both are ranges of nodes. Tested by
// tests/frontier/archive_order_test.cpp.

#include "webstrata/frontier/order/archive_order.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "webstrata/archive/ask/scores.h"
#include "webstrata/base/error.h"
#include "webstrata/facts/outcome.h"
#include "webstrata/fetch/visit/forgotten.h"
#include "webstrata/frontier/order/live_shares.h"
#include "webstrata/liverank/posterior.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"
#include "webstrata/words/graph_word.h"

namespace webstrata::frontier {
namespace {

constexpr std::size_t kSourcesMax = 64;    // pages with a link whose mean is taken
constexpr std::size_t kRelativesMax = 32;  // URLs that are scored again after an outcome
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// In (0, 1): the share of values that are smaller, with half of those that are equal.
std::vector<double> quantiles(const std::vector<double>& values) {
  std::vector<double> sorted;
  for (const double value : values) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> out(values.size(), kMissing);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), values[i]);
    const auto rank = static_cast<double>((first - sorted.begin()) + (last - sorted.begin())) / 2;
    out[i] = rank / static_cast<double>(sorted.size());
  }
  return out;
}

std::uint32_t half(double share) {
  return static_cast<std::uint32_t>(std::lround(std::clamp(share, 0.0, 1.0) * 65'535));
}

GraphSource source_of(const ArchiveOrderOptions& options) {
  GraphSource source = graph_of(options.archive);
  if (!source.archive) refuse(options.archive + ": an archive is needed, not a graph file");
  return source;
}

std::vector<double> column_of(const Archive& archive, const Snapshot& graph,
                              const std::string& name) {
  const std::vector<double> by_uid = load_scores(archive, name);
  std::vector<double> values(graph.node_count(), kMissing);
  for (Node node = 0; node < graph.node_count(); ++node) {
    const auto uid = graph.uid(node);
    if (uid) values[node] = by_uid[*uid];
  }
  return values;
}

std::vector<double> pagerank_of(const Population& pages, std::size_t node_count) {
  std::vector<double> values(node_count, kMissing);
  for (Node page = 0; page < pages.size(); ++page)
    values[pages.origin[page]] = pages.pagerank[page];
  return values;
}

}  // namespace

std::optional<bool> lives(const Metadata& metadata) {
  constexpr std::array<std::string_view, 4> kStatusNames = {"fetch.statusCode", "statusCode",
                                                            "http.status", "status"};
  for (const auto& [name, values] : metadata) {
    if (values.empty()) continue;
    std::optional<Outcome> outcome;
    if (name == "outcome") outcome = parse_outcome(values.front());
    int status = 0;
    const std::string& text = values.front();
    const bool is_status =
        std::find(kStatusNames.begin(), kStatusNames.end(), name) != kStatusNames.end();
    if (is_status &&
        std::from_chars(text.data(), text.data() + text.size(), status).ec == std::errc{}) {
      outcome = outcome_of_status(status, true);
    }
    if (!outcome) continue;
    if (*outcome == Outcome::Alive) return true;
    if (*outcome == Outcome::Gone || *outcome == Outcome::SoftGone || *outcome == Outcome::Moved) {
      return false;
    }
  }
  return std::nullopt;
}

struct ArchiveOrder::State {
  explicit State(const ArchiveOrderOptions& options)
      : source(source_of(options)),
        graph(load(source, {})),
        pages(population_of(graph, {.scope = Scope::All})),
        posterior(pages),
        is_column(!options.column.empty()),
        values(quantiles(is_column ? column_of(*source.archive, graph, options.column)
                                   : pagerank_of(pages, graph.node_count()))),
        forgotten(forgotten_by_archive(source.archive->path(), clock)) {
    sums.resize(values.size() + 1);
    counts.resize(values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool has_value = !std::isnan(values[i]);
      sums[i + 1] = sums[i] + (has_value ? values[i] : 0);
      counts[i + 1] = counts[i] + (has_value ? 1 : 0);
    }
  }

  // The first node whose uid is not smaller.
  [[nodiscard]] Node first_from(Uid uid) const {
    Node first = 0;
    for (Node count = graph.node_count(); count > 0;) {
      const Node step = count / 2;
      if (*graph.uid(first + step) < uid) {
        first += step + 1;
        count -= step + 1;
      } else {
        count = step;
      }
    }
    return first;
  }

  [[nodiscard]] std::optional<double> mean_of(const KeyRange& keys) const {
    const UidRange uids = source.archive->range(keys);
    if (uids.empty()) return std::nullopt;
    const Node first = first_from(uids.first);
    const Node end = first_from(uids.end);
    const auto count = counts[end] - counts[first];
    if (count == 0) return std::nullopt;
    return (sums[end] - sums[first]) / static_cast<double>(count);
  }

  [[nodiscard]] std::optional<double> mean_of_sources(Node node) const {
    double sum = 0;
    std::size_t count = 0;
    const auto sources = graph.predecessors(node);
    for (const Node other : sources.first(std::min(sources.size(), kSourcesMax))) {
      if (std::isnan(values[other])) continue;
      sum += values[other];
      ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
  }

  [[nodiscard]] double value_of(std::optional<Node> node, const Url& of) const {
    if (node && !std::isnan(values[*node])) return values[*node];
    std::optional<double> mean;
    if (node) mean = mean_of_sources(*node);
    if (!mean) mean = mean_of(directory_keys(of));
    if (!mean) mean = mean_of(host_keys(of.host()));
    return mean.value_or(0);
  }

  [[nodiscard]] std::optional<Node> page_of(std::optional<Node> node) const {
    return node ? pages.page_of(*node) : std::nullopt;
  }

  GraphSource source;
  Snapshot graph;
  Population pages;
  Posterior posterior;
  LiveShares shares;
  bool is_column;
  std::vector<double> values;  // quantiles, for each node; not a number: missing
  std::vector<double> sums;    // of the values of all nodes before
  std::vector<std::uint32_t> counts;
  SystemClock clock;
  ForgottenUrl forgotten;
  Url url;
};

ArchiveOrder::ArchiveOrder(const ArchiveOrderOptions& options)
    : state_(std::make_unique<State>(options)) {}
ArchiveOrder::~ArchiveOrder() = default;

std::uint32_t ArchiveOrder::score(std::string_view text) {
  State& state = *state_;
  if (!parse_url(text, state.url)) return 0;
  const auto node = state.graph.find(state.url.href());
  const auto page = state.page_of(node);
  const double live = page ? state.posterior.probability(*page) : state.shares.probability(text);
  const double value = state.value_of(node, state.url);
  return state.is_column ? half(value) << 16 | half(live) : half(live) << 16 | half(value);
}

bool ArchiveOrder::is_forgotten(std::string_view text) {
  return parse_url(text, state_->url) && state_->forgotten(state_->url);
}

std::optional<bool> ArchiveOrder::outcome_of(const Metadata& metadata) { return lives(metadata); }

void ArchiveOrder::learn(std::string_view text, bool is_live, std::vector<std::string>& changed) {
  State& state = *state_;
  state.shares.learn(text, is_live);
  if (!parse_url(text, state.url)) return;
  const auto page = state.page_of(state.graph.find(state.url.href()));
  if (!page) return;
  state.posterior.learn(*page, is_live);
  const auto targets = state.pages.graph.successors(*page);
  for (const Node target : targets.first(std::min(targets.size(), kRelativesMax))) {
    changed.push_back(state.pages.graph.name(target));
  }
}

}  // namespace webstrata::frontier
