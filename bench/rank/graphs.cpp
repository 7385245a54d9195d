// SPDX-License-Identifier: Apache-2.0
#include "bench/rank/graphs.h"

#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/graph/bvgraph.h"

namespace webstrata {
namespace {

constexpr int kScale = 20;
constexpr std::uint64_t kNodes = std::uint64_t{1} << kScale;
constexpr std::uint64_t kLinksDrawn = 8 * kNodes;  // each of them both ways

// Graph500: quarters of the matrix with probabilities .57, .19, .19, .05.
std::pair<Node, Node> draw_link(Random& random) {
  Node source = 0, target = 0;
  for (int bit = 0; bit < kScale; ++bit) {
    const double place = random.unit();
    source = source << 1 | (place >= 0.76 ? 1u : 0u);
    target = target << 1 | ((place >= 0.57 && place < 0.76) || place >= 0.95 ? 1u : 0u);
  }
  return {source, target};
}

Snapshot kronecker() {
  Random random(kKroneckerSeed);
  std::vector<Node> shuffled(kNodes);
  std::iota(shuffled.begin(), shuffled.end(), Node{0});
  for (std::uint64_t i = kNodes; i > 1; --i) {
    std::swap(shuffled[i - 1], shuffled[random.below(i)]);
  }
  std::vector<std::pair<Node, Node>> links;
  links.reserve(2 * kLinksDrawn);
  for (std::uint64_t i = 0; i < kLinksDrawn; ++i) {
    const auto [source, target] = draw_link(random);
    links.emplace_back(shuffled[source], shuffled[target]);
    links.emplace_back(shuffled[target], shuffled[source]);
  }
  return Snapshot::from_links(kNodes, std::move(links));
}

Snapshot debweb(const BenchFolders& folders) {
  const std::string archive = folders.scratch + "/debweb.ws";
  if (!std::filesystem::exists(archive)) {
    std::filesystem::create_directories(folders.scratch);
    const std::string command =
        fmt::format("'{}/build/release/webstrata' build --quiet '{}' '{}'/data/debweb/*.jsonl.zst",
                    folders.source, archive, folders.shared);
    if (std::system(command.c_str()) != 0) throw Error(ErrorKind::Io, command + " failed");
  }
  return snapshot_of(Archive::open(archive));
}

}  // namespace

Snapshot bench_graph(const std::string& name, const BenchFolders& folders) {
  if (name == "cnr-2000") return load_bvgraph(folders.shared + "/data/law/cnr-2000/cnr-2000");
  if (name == "debweb") return debweb(folders);
  if (name == "kron20") return kronecker();
  throw Error(ErrorKind::BadInput, name + ": no such graph");
}

}  // namespace webstrata
