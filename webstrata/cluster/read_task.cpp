// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cluster/cluster_test.cpp.

#include "webstrata/cluster/read_task.h"

#include <algorithm>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/gather/run_gatherer.h"
#include "webstrata/archive/merge/generation_input.h"
#include "webstrata/archive/read/cached_generation.h"
#include "webstrata/intake/take_in.h"

namespace webstrata::cluster {
namespace {

constexpr std::size_t kKeysBufferBytes = std::size_t{1} << 18;
constexpr std::size_t kNamesCacheBytes = std::size_t{64} << 20;

// Calls `visit` with every uid that a page mentions and stores the result instead.
template <typename Visit>
void visit_uids(PageFacts& page, const Visit& visit) {
  for (Uid& target : page.targets) target = visit(target);
  for (TextUse& use : page.texts.uses) use.target = visit(use.target);
  for (SightingRecord& sighting : page.sightings) {
    if (sighting.redirect) sighting.redirect = visit(*sighting.redirect);
    if (sighting.refers_to) sighting.refers_to = visit(*sighting.refers_to);
  }
}

// Calls `take` with every page of the blocks.
template <typename Take>
void scan_pages(const GenerationReader& generation, Uid first, Uid end, const Take& take) {
  const auto input = open_generation(generation);
  input->skip_pages(first);
  PageFacts page;
  std::uint64_t uid = 0;
  while (input->next_page(uid) && uid < end) {
    input->read_page(page);
    drop_derived_rows(page);
    take(uid, page);
  }
}

void sort_and_join(std::vector<Uid>& uids) {
  std::sort(uids.begin(), uids.end());
  uids.erase(std::unique(uids.begin(), uids.end()), uids.end());
}

// All uids that the blocks are or mention, ascending.
std::vector<Uid> uids_of_slice(const GenerationReader& generation, Uid first, Uid end) {
  std::vector<Uid> uids;
  std::size_t limit = std::size_t{1} << 20;
  for (Uid uid = first; uid < end; ++uid) uids.push_back(uid);
  scan_pages(generation, first, end, [&](Uid, PageFacts& page) {
    visit_uids(page, [&](Uid mentioned) {
      uids.push_back(mentioned);
      return mentioned;
    });
    if (uids.size() < limit) return;
    sort_and_join(uids);
    limit = 2 * uids.size() + (std::size_t{1} << 20);
  });
  sort_and_join(uids);
  return uids;
}

}  // namespace

ReadResult read_runs(const ReadRequest& request) {
  std::optional<Tombstones> tombstones;
  if (!request.archive.empty()) {
    tombstones = load_tombstones(request.archive, Manifest::load(request.archive));
  }
  RunGatherer gatherer(request.options, covered_by(tombstones), request.memory_bytes,
                       request.folder);
  TakeInOptions options;
  options.crawl = request.crawl;
  options.parallel.work.threads = 1;
  ReadResult result;
  result.summaries = take_in(gatherer, request.inputs, options);
  judge(result.summaries);
  result.runs = gatherer.finish();
  result.left_out = gatherer.left_out();
  return result;
}

RunFiles read_slice(const std::filesystem::path& archive, const Slice& slice,
                    const std::filesystem::path& folder) {
  const GenerationLease lease = GenerationLease::take(archive);
  const GenerationReader generation(stratum_folder(lease.folder(), slice.stratum),
                                    lease.manifest().of_stratum(slice.stratum));
  ChunkCache cache(kNamesCacheBytes);
  const CachedGeneration names(generation, slice.stratum, cache);
  const Uid first = generation.first_node(slice.first_block);
  const Uid end = std::min(generation.first_node(slice.end_block), generation.node_count());
  const std::vector<Uid> uids = uids_of_slice(generation, first, end);
  const RunFiles files = run_files(folder, 0);
  RunWriter run(files);
  std::string key;
  for (const Uid uid : uids) {
    names.key(uid, key);
    run.add_key(key);
  }
  const auto rank = [&](Uid uid) {
    return static_cast<Uid>(std::lower_bound(uids.begin(), uids.end(), uid) - uids.begin());
  };
  scan_pages(generation, first, end, [&](Uid uid, PageFacts& page) {
    visit_uids(page, rank);
    run.add_page(rank(uid), page);
  });
  run.finish();
  return files;
}

RunKeys::RunKeys(const RunFiles& files) : run_(open_run(files, kKeysBufferBytes)) {}

bool RunKeys::next(BinaryColumn& keys) {
  keys = {};
  std::string key;
  while (keys.bytes.size() < kBatchBytes && run_->next_key(key)) keys.add(key);
  return keys.size() > 0;
}

}  // namespace webstrata::cluster
