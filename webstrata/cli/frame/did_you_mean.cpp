// SPDX-License-Identifier: Apache-2.0

// Optimal string alignment distance, row by row. Tested by tests/cli/did_you_mean_test.cpp.

#include "webstrata/cli/frame/did_you_mean.h"

#include <algorithm>
#include <numeric>

namespace webstrata {
namespace {

constexpr std::size_t kLettersPerEdit = 3;

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before_last(other.size() + 1);
  std::vector<std::size_t> last(other.size() + 1);
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const bool is_same = one[i - 1] == other[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (is_same ? 0 : 1)});
      const bool is_swap =
          i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[other.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / kLettersPerEdit) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  if (!best.empty()) return best;
  const auto longer = std::ranges::find_if(
      known, [word](const std::string& candidate) { return candidate.starts_with(word); });
  return longer != known.end() && word.size() >= kLettersPerEdit ? *longer : best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string found = nearest(word, known);
  return found.empty() ? "" : "; did you mean " + found + "?";
}

}  // namespace webstrata
