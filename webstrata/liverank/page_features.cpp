// SPDX-License-Identifier: Apache-2.0

// Values come from links, from the URL and from the history, as far as the graph has columns. Each
// feature is cut at its distinct octiles, with a further bin for pages without a value, so that the
// learner needs no scales. A feature that has the same bin for all pages is left out.
// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/page_features.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

namespace webstrata {
namespace {

constexpr double kYearSeconds = 365.25 * 86400;

using Value = std::optional<double>;
struct Feature {
  std::string name;
  std::function<Value(Node)> value;
};

void add_links(const Population& pages, std::vector<Feature>& features) {
  const Snapshot& graph = pages.graph;
  features.push_back(
      {"links to it", [&](Node page) { return static_cast<double>(graph.in_degree(page)); }});
  features.push_back(
      {"links from it", [&](Node page) { return static_cast<double>(graph.out_degree(page)); }});
  features.push_back({"PageRank", [&](Node page) { return pages.pagerank[page]; }});
  features.push_back({"dangling links", [&](Node page) { return pages.dangling[page]; }});
}

void add_url(const Population& pages, std::vector<Feature>& features) {
  if (!pages.graph.has_names()) return;
  const auto count_in_name = [&pages](auto counts) {
    return [&pages, counts](Node page) -> Value {
      return static_cast<double>(std::ranges::count_if(pages.graph.name(page), counts));
    };
  };
  features.push_back({"depth of its url", count_in_name([](char c) { return c == '/'; })});
  features.push_back(
      {"digits in its url", count_in_name([](char c) { return c >= '0' && c <= '9'; })});
  features.push_back({"length of its url", count_in_name([](char) { return true; })});
  for (const UrlLevel& level : pages.levels) {
    features.push_back({fmt::format("pages of its {}", level.name), [&level](Node page) -> Value {
                          return static_cast<double>(level.sizes[level.group_of[page]]);
                        }});
  }
}

// Ages count back from the latest capture of all.
Time latest_capture(const NodeColumns& columns, Node page_count) {
  Time latest = 0;
  for (Node page = 0; page < page_count; ++page) {
    latest = std::max(latest, columns.last_capture[page].value_or(latest));
  }
  return latest;
}

void add_history(const Population& pages, std::vector<Feature>& features) {
  const NodeColumns& columns = pages.graph.node_columns();
  const Time now = latest_capture(columns, pages.size());
  const auto years_since = [now](const Column<Time>& times) {
    return [now, &times](Node page) -> Value {
      const auto time = times[page];
      return time ? Value(static_cast<double>(now - *time) / kYearSeconds) : std::nullopt;
    };
  };
  features.push_back({"age", years_since(columns.first_capture)});
  features.push_back({"time since its last capture", years_since(columns.last_capture)});
  features.push_back({"captures", [&columns](Node page) -> Value {
                        const auto captures = columns.captures[page];
                        return captures ? Value(*captures) : std::nullopt;
                      }});
  // Half a change and a year are added, so that a page seen twice in a week has no extreme rate.
  features.push_back({"changes a year", [&columns](Node page) -> Value {
                        const auto changes = columns.changes_seen[page];
                        const auto span = columns.span[page];
                        if (!changes || !span) return std::nullopt;
                        return (*changes + 0.5) / (static_cast<double>(*span) / kYearSeconds + 1);
                      }});
  features.push_back({"length of its text", [&columns](Node page) -> Value {
                        const auto length = columns.length[page];
                        return length ? Value(static_cast<double>(*length)) : std::nullopt;
                      }});
}

// The borders between bins: distinct quantiles of the known values.
std::vector<double> borders(std::vector<double> known, std::size_t bins) {
  std::ranges::sort(known);
  std::vector<double> found;
  for (std::size_t i = 1; i < bins && !known.empty(); ++i) {
    const double border = known[i * (known.size() - 1) / bins];
    if (border > known.front() && (found.empty() || border > found.back())) found.push_back(border);
  }
  return found;
}

struct Binned {
  std::vector<std::uint8_t> bins;
  std::uint8_t count = 1;
};

Binned binned(const Feature& feature, Node page_count, std::size_t bins) {
  std::vector<Value> values(page_count);
  std::vector<double> known;
  for (Node page = 0; page < page_count; ++page) {
    values[page] = feature.value(page);
    if (values[page]) known.push_back(*values[page]);
  }
  if (known.empty()) return {};
  const bool is_complete = known.size() == page_count;
  const auto cuts = borders(std::move(known), bins);
  Binned result;
  result.count = static_cast<std::uint8_t>(cuts.size() + (is_complete ? 1 : 2));
  for (const Value& value : values) {
    const auto bin = value ? std::ranges::upper_bound(cuts, *value) - cuts.begin()
                           : static_cast<std::ptrdiff_t>(cuts.size() + 1);
    result.bins.push_back(static_cast<std::uint8_t>(bin));
  }
  return result;
}

}  // namespace

PageFeatures::PageFeatures(const Population& pages, std::size_t bins) {
  std::vector<Feature> features;
  add_links(pages, features);
  add_url(pages, features);
  add_history(pages, features);
  std::vector<Binned> kept;
  for (const Feature& feature : features) {
    Binned result = binned(feature, pages.size(), bins);
    if (result.count < 2) continue;
    names_.push_back(feature.name);
    bin_counts_.push_back(result.count);
    kept.push_back(std::move(result));
  }
  bins_.resize(names_.size() * pages.size());
  for (std::size_t feature = 0; feature < kept.size(); ++feature) {
    for (Node page = 0; page < pages.size(); ++page) {
      bins_[page * names_.size() + feature] = kept[feature].bins[page];
    }
  }
}

}  // namespace webstrata
