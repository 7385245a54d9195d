// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/explore_test.py.

#include "webstrata/jobs/crawl_beginnings.h"

#include <string_view>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/seeds/seed_methods.h"

namespace webstrata {
namespace {

// Seeds of a method unless the user says how many.
constexpr std::uint64_t kSeedsOfMethod = 10;

CrawlBeginnings pages_of_file(const std::string& file, const Snapshot& graph) {
  CrawlBeginnings found{{{}}, 0};
  std::vector<Node>& seeds = found.sets.front();
  LineReader lines(file);
  while (const auto text = lines.next()) {
    const std::string_view line = trim(*text);
    if (line.empty() || line.front() == '#') continue;
    const auto node = graph.find(trim(line.substr(0, line.find('\t'))));
    node ? seeds.push_back(*node) : void(++found.unknown);
  }
  if (seeds.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: none of the {} pages in it is in the graph", file, found.unknown));
  }
  return found;
}

std::vector<Node> chosen_by(const std::string& method, const Snapshot& graph,
                            const SeedSetOptions& sets, const WorkOptions& work) {
  const std::uint64_t count = sets.size == 0 ? kSeedsOfMethod : sets.size;
  const SeedsResult chosen =
      choose_seeds(graph, method, {.count = count, .seed = sets.seed, .work = work});
  std::vector<Node> nodes;
  for (const SeedCandidate& seed : chosen.seeds) nodes.push_back(seed.node);
  return nodes;
}

}  // namespace

CrawlBeginnings crawl_beginnings(const BeginningWords& words, const SimulatedWeb& web,
                                 const WorkOptions& work) {
  if (!words.file.empty()) return pages_of_file(words.file, web.graph());
  if (!words.method.empty()) {
    return {{chosen_by(words.method, web.graph(), words.sets, work)}, 0};
  }
  return {draw_seed_sets(web.node_scores(), words.sets), 0};
}

}  // namespace webstrata
