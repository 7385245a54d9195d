// SPDX-License-Identifier: Apache-2.0

// The third step: the pages of each run get uids, go to the blocks they belong to, and blocks are
// written; their links go to the blocks of the targets, where they are inverted.
//
// A block is written as a part of one block, in a folder of the task's own; join_blocks() then
// makes the parts that the archive has. So tasks may be as small as a block, whatever the size of a
// part, and hold no more than a chunk in memory.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/disk/options.h"
#include "webstrata/archive/disk/scratch_folder.h"
#include "webstrata/archive/gather/run.h"
#include "webstrata/archive/gather/translation.h"
#include "webstrata/archive/merge/in_facts.h"
#include "webstrata/archive/merge/page_writer.h"
#include "webstrata/cluster/columns.h"

namespace webstrata::cluster {

// Gives the pages of a run their uids.
class RunTranslation {
 public:
  // `pages` is the run's file of pages; `scratch` an existing folder.
  RunTranslation(const std::filesystem::path& pages, const std::filesystem::path& scratch,
                 std::size_t memory_bytes);
  // A packet of pairs (key_task.h) of this run, range after range; `before` is the number of keys
  // in the previous ranges.
  void add(std::string_view pairs, std::uint64_t before);
  // Replaces both by the next pages and their uids, ascending; false at the end.
  bool next(std::vector<std::int64_t>& uids, BinaryColumn& pages);

 private:
  std::unique_ptr<FactInput> run_;
  Translation translation_;
  bool is_finished_ = false;
};

// In-link facts on their way to the block of their targets.
struct InFactPacket {
  std::uint64_t target_block = 0;
  std::string bytes;
};

struct BlockRequest {
  std::filesystem::path folder;  // of the task's own; it exists
  ArchiveOptions options;
  std::uint64_t block = 0;
  std::uint64_t node_count = 0;  // of the archive
};

using LayerFiles = std::map<Layer, std::vector<LayerFile>>;

LayerFiles write_names(const BlockRequest& request, const std::vector<std::string_view>& packets);

class PageBlock {
 public:
  explicit PageBlock(const BlockRequest& request);
  PageBlock(const PageBlock&) = delete;
  PageBlock& operator=(const PageBlock&) = delete;
  ~PageBlock();
  // Ascending by uid; facts about one uid may come in several pieces.
  void add(Uid uid, std::string_view page);
  // Returns the packets that are full. Those of one target block must be kept in order.
  std::vector<InFactPacket> take_full();
  LayerFiles finish();  // take_full() then returns the rest

 private:
  void write_page();
  void give_all();

  ArchiveOptions options_;
  EncodePool pool_;
  PageWriter writer_;
  InFactFinder finder_;
  Uid uid_ = 0;
  PageFacts page_;
  PageFacts more_;
  std::vector<InFact> facts_;
  struct Open {
    std::string bytes;
    Uid source = 0;
    Uid target = 0;
  };
  std::map<std::uint64_t, Open> open_;
  std::size_t open_bytes_ = 0;
  std::vector<InFactPacket> full_;
};

class InBlock {
 public:
  InBlock(const BlockRequest& request, const std::filesystem::path& scratch,
          std::size_t memory_bytes);
  InBlock(const InBlock&) = delete;
  InBlock& operator=(const InBlock&) = delete;
  // Packets of this block in the order of their sources.
  void add(std::string_view packet);
  LayerFiles finish();

 private:
  BlockRequest request_;
  ScratchFolder scratch_;
  InFactSorter sorter_;
};

// Joins blocks, each the path of a part of one block, into part number `part` of the layer.
LayerFile join_blocks(const std::filesystem::path& folder, Layer layer,
                      const ArchiveOptions& options, std::uint64_t part,
                      const std::vector<std::filesystem::path>& blocks);

}  // namespace webstrata::cluster
