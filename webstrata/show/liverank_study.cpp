// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/liverank_test.py, tests/report/liverank_report_test.py.

#include "webstrata/show/liverank_study.h"

#include <utility>
#include <vector>

#include "webstrata/base/error.h"

namespace webstrata {

ComparisonTable compare_contestants(const Population& pages, const Truth& truth,
                                    const std::vector<Contestant>& contestants,
                                    ComparisonOptions options, bool with_curves) {
  if (truth.live == 0) {
    throw Error(ErrorKind::BadInput, "the truth has no live pages: nothing to compare");
  }
  ComparisonTable table{pages.size(),       truth.live,    options.alphas,
                        options.first_seed, options.seeds, {}};
  if (with_curves) {
    const std::vector<double> more = curve_alphas();
    options.alphas.insert(options.alphas.end(), more.begin(), more.end());
    options.tests = curve_tests(pages.size());
  }
  // The progress counts methods, not the tests of each run.
  const ProgressCallback progress = std::exchange(options.work.progress, {});
  for (const Contestant& contestant : contestants) {
    if (progress) progress({"comparing", table.rows.size(), contestants.size(), "methods"});
    table.rows.push_back(measure(pages, truth, contestant, options));
  }
  return table;
}

}  // namespace webstrata
