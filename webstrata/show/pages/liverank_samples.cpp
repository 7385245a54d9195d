// SPDX-License-Identifier: Apache-2.0

// A figure of the papers is a selection of rows: some methods with one kind and size of sample, or
// one method with several sizes or kinds. Figures 5a and 10a (and Figure 2 of the French paper)
// vary the size of a sample of the pages of highest PageRank, as the papers do.
// Tested by tests/report/liverank_report_test.py.

#include "webstrata/show/pages/liverank_samples.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace webstrata {
namespace {

using Rows = std::vector<const CostRow*>;

constexpr double kUsualSize = 0.01;  // of `--compare all` where the size does not vary

// Methods side by side, with one kind and size of sample.
struct MethodsFigure {
  const char* title;
  std::vector<std::string_view> sampled;
  bool has_static_methods;
  SampleKind kind;
  const char* source;
};

const std::vector<MethodsFigure>& methods_figures() {
  static const std::vector<MethodsFigure> all = {
      {"Static and sample-based methods", {"pa", "pa-ratio"}, true, SampleKind::PageRank,
       "Figure 4 of the paper"},
      {"Static and sample-based methods", {"pa", "pa-ratio"}, true, SampleKind::Random,
       "Figure 7 of the paper"},
      {"Dynamic methods and pa-ratio", {"bfs", "ai", "pa-ratio"}, false, SampleKind::Random,
       "Figure 6a of the paper"},
      {"Dynamic methods and pa", {"bfs", "ai", "pa"}, false, SampleKind::PageRank,
       "Figure 11a of the paper"},
      {"Sites first and pa-ratio", {"asf", "pa-ratio"}, false, SampleKind::Random,
       "Figure 8 of the paper"},
  };
  return all;
}

std::string_view name_of(SampleKind kind) {
  switch (kind) {
    case SampleKind::Random: return "random pages";
    case SampleKind::InDegree: return "the pages with most links to them";
    case SampleKind::PageRank: return "the pages of highest PageRank";
    case SampleKind::Systematic: break;
  }
  return "every n/z-th page";
}

std::string size_text(double size) {
  return size < 1 ? fmt::format("{:g} % of the pages", 100 * size)
                  : fmt::format("{:g} pages", size);
}

Rows rows_that(const ComparisonTable& table,
               const std::function<bool(const Contestant&, const SampleOptions&)>& is_wanted) {
  Rows rows;
  for (const CostRow& row : table.rows) {
    const auto sample = sample_of(row.contestant);
    const bool is_plain = sample && sample->per_site == 0 && row.contestant.variant.empty();
    if (is_plain && is_wanted(row.contestant, *sample)) rows.push_back(&row);
  }
  return rows;
}

double size_of(const CostRow* row) { return sample_of(row->contestant)->size; }

std::vector<DrawnMethod> drawn(const Rows& rows, const ComparisonTable& table) {
  std::vector<DrawnMethod> methods;
  for (const CostRow* row : rows) methods.push_back(drawn_row(*row, table));
  return methods;
}

// The size that these rows have in common with the usual one, or else that of the first.
double common_size(const Rows& rows) {
  const bool has_usual =
      std::ranges::any_of(rows, [](const CostRow* row) { return size_of(row) == kUsualSize; });
  return has_usual || rows.empty() ? kUsualSize : size_of(rows.front());
}

// Methods side by side --------------------------------------------------------------------------

void add_methods(const LivePage& page, const MethodsFigure& figure, const ComparisonTable& table,
                 const std::string& chance, std::vector<report::Section>& sections) {
  Rows sampled = rows_that(table, [&](const Contestant& one, const SampleOptions& sample) {
    return sample.kind == figure.kind &&
           std::ranges::find(figure.sampled, one.method) != figure.sampled.end();
  });
  const double size = common_size(sampled);
  std::erase_if(sampled, [&](const CostRow* row) { return size_of(row) != size; });
  if (sampled.size() != figure.sampled.size()) return;
  Rows rows;
  for (const CostRow& row : table.rows) {
    const std::string& method = row.contestant.method;
    const bool is_static = method == "random" || method == "indegree" || method == "pagerank";
    if (figure.has_static_methods && is_static) rows.push_back(&row);
  }
  rows.insert(rows.end(), sampled.begin(), sampled.end());
  const std::string title = fmt::format(
      "{} ({} samples)", figure.title,
      figure.kind == SampleKind::PageRank ? std::string_view("PageRank") : to_string(figure.kind));
  const std::string sample =
      fmt::format("{} ({}). ", name_of(figure.kind), size_text(size));
  sections.push_back(cost_plot(
      drawn(rows, table), title,
      fmt::format("Methods with a sample begin with {}{}. {}", sample, figure.source, chance)));
  if (!figure.has_static_methods || figure.kind != SampleKind::PageRank) return;
  sections.push_back(hit_rate_plot(
      page, drawn(rows, table), "Living pages among those tested (PageRank samples)",
      fmt::format("Share of the pages tested that live (f(i)). Methods with a sample begin with "
                  "{}Figure 1 of the French paper. {}",
                  sample, chance)));
}

// Sizes and kinds of samples --------------------------------------------------------------------

void add_sizes(const LivePage& page, const ComparisonTable& table, std::string_view method,
               const char* source, const std::string& chance,
               std::vector<report::Section>& sections) {
  Rows rows = rows_that(table, [&](const Contestant& one, const SampleOptions& sample) {
    return one.method == method && sample.kind == SampleKind::PageRank;
  });
  if (rows.size() < 2) return;
  std::ranges::stable_sort(rows, {}, size_of);
  const std::vector<DrawnMethod> methods = drawn(rows, table);
  sections.push_back(cost_plot(
      methods, fmt::format("Cost by sample size ({})", method),
      fmt::format("Samples of several sizes z, each of {} ({} of the paper). {}",
                  name_of(SampleKind::PageRank), source, chance)));
  if (method != "pa-ratio") return;
  sections.push_back(hit_rate_plot(
      page, methods, "Living pages among those tested, by sample size (pa-ratio)",
      fmt::format("Share of the pages tested that live (f(i)), with samples of several sizes z, "
                  "each of {} (Figure 2 of the French paper). {}",
                  name_of(SampleKind::PageRank), chance)));
}

void add_kinds(const ComparisonTable& table, std::string_view method, const char* source,
               const std::string& chance, std::vector<report::Section>& sections) {
  const Rows rows = rows_that(table, [&](const Contestant& one, const SampleOptions& sample) {
    return one.method == method && sample.size == kUsualSize;
  });
  if (rows.size() < 2) return;
  sections.push_back(cost_plot(
      drawn(rows, table), fmt::format("Cost by kind of sample ({})", method),
      fmt::format("Samples of {}: random, with most links to them, of highest PageRank ({} of the "
                  "paper). {}",
                  size_text(kUsualSize), source, chance)));
}

}  // namespace

DrawnMethod drawn_row(const CostRow& row, const ComparisonTable& table) {
  const auto first = row.costs.begin() + static_cast<std::ptrdiff_t>(table.alphas.size());
  return {legend_of(row.contestant), {first, row.costs.end()}, row.found};
}

void add_sample_figures(const LivePage& page, const ComparisonTable& table,
                        const std::string& chance, std::vector<report::Section>& sections) {
  for (const MethodsFigure& figure : methods_figures()) {
    add_methods(page, figure, table, chance, sections);
  }
  add_sizes(page, table, "pa-ratio", "Figure 5a", chance, sections);
  add_kinds(table, "pa-ratio", "Figure 5b", chance, sections);
  add_kinds(table, "bfs", "Figures 6b and 11b", chance, sections);
  add_kinds(table, "ai", "Figures 6b and 11b", chance, sections);
  add_sizes(page, table, "pa", "Figure 10a", chance, sections);
  add_kinds(table, "pa", "Figure 10b", chance, sections);
}

}  // namespace webstrata
