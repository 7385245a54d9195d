// SPDX-License-Identifier: Apache-2.0

// An update loses no name, and both generations have theirs in order: one pass over both gives the
// translation that a merge on one machine already has.
// Tested by tests/cluster/cluster_test.cpp.

#include "webstrata/cluster/carry_task.h"

#include <fmt/format.h>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/gather/translation.h"
#include "webstrata/archive/merge/score_carry.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/base/error.h"

namespace webstrata::cluster {
namespace {

Translation translation_between(const StackReader& before, const GenerationReader& after,
                                const std::filesystem::path& spill, std::size_t memory_bytes) {
  Translation translation(spill, memory_bytes);
  KeyList old_keys;
  KeyScanner new_keys(after);
  std::string_view new_key;
  Uid uid = 0;
  bool has_new = new_keys.next(new_key);
  for (std::uint64_t block = 0; block < before.block_count(); ++block) {
    read_keys(before, block, old_keys);
    for (std::size_t i = 0; i < old_keys.size(); ++i) {
      for (; has_new && new_key < old_keys[i]; ++uid) has_new = new_keys.next(new_key);
      if (!has_new || new_key != old_keys[i]) {
        throw Error(ErrorKind::Corrupt,
                    fmt::format("{}: node {} of the generation before has no name in the new one",
                                after.folder().string(), translation.size()));
      }
      translation.add(uid);
    }
  }
  translation.finish();
  return translation;
}

ColumnFiles named(const ColumnFiles& columns, const std::vector<std::string>& names) {
  ColumnFiles some;
  for (const std::string& name : names) {
    const auto found = columns.find(name);
    if (found == columns.end()) {
      throw Error(ErrorKind::NotFound, fmt::format("no scores named '{}' are saved", name));
    }
    some.insert(*found);
  }
  return some;
}

}  // namespace

CarriedColumns carry_columns(const CarryRequest& request) {
  const GenerationLease lease = GenerationLease::take(request.archive);
  const StackReader before(lease.folder(), lease.manifest());
  const GenerationReader after(request.after_folder, request.after);
  const std::filesystem::path spill = request.folder / "translation";
  const Translation translation = translation_between(before, after, spill, request.memory_bytes);
  CarriedLinkScores links =
      carry_link_scores(lease.folder(), named(lease.manifest().link_scores, request.link_scores),
                        translation, after.node_count(), nullptr, request.folder);
  CarriedColumns carried;
  carried.link_scores = std::move(links.files);
  carried.scores = carry_scores(lease.folder(), named(lease.manifest().scores, request.scores),
                                translation, after.node_count(), links.lapsed, request.folder);
  std::filesystem::remove(spill);
  return carried;
}

}  // namespace webstrata::cluster
