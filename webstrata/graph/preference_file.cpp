// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/rank_test.py.

#include "webstrata/graph/preference_file.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/line_reader.h"

namespace webstrata {
namespace {

double weight_of(std::string_view text, const LineReader& lines) {
  double weight = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  const bool is_number = error == std::errc() && rest == text.data() + text.size();
  if (is_number && std::isfinite(weight) && weight >= 0) return weight;
  lines.refuse(fmt::format("weight {}: not a number from 0", text));
}

}  // namespace

std::vector<double> read_preference(const Snapshot& graph, const std::string& path) {
  std::vector<double> values(graph.node_count());
  double sum = 0;
  LineReader lines(path);
  while (const auto line = lines.next()) {
    if (line->empty()) continue;
    const std::size_t tab = line->find('\t');
    const std::string_view name = line->substr(0, tab);
    const auto node = graph.find(name);
    if (!node) lines.refuse(fmt::format("{} is not a node of the graph", name));
    const double weight =
        tab == std::string_view::npos ? 1 : weight_of(line->substr(tab + 1), lines);
    values[*node] += weight;
    sum += weight;
  }
  if (!(sum > 0 && std::isfinite(sum))) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: no weight above 0; name at least one node", path));
  }
  for (double& value : values) value /= sum;
  return values;
}

}  // namespace webstrata
