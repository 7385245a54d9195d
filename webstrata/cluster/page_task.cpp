// SPDX-License-Identifier: Apache-2.0

// The steps use the same writers as a merge on one machine, with parts of one block and a single
// encoding thread per task. In-link facts are packed by the block of their target as differences,
// in packets of at most 1 MB, so that neither a hub nor a page with many links needs much memory.
// join_blocks() copies finished blocks without decoding them.
// Tested by tests/cluster/cluster_test.cpp.

#include "webstrata/cluster/page_task.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/disk/layer_part.h"
#include "webstrata/archive/disk/layer_writer.h"
#include "webstrata/archive/gather/page_bytes.h"
#include "webstrata/archive/merge/in_layers.h"
#include "webstrata/archive/merge/input_merge.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/cluster/key_task.h"

namespace webstrata::cluster {
namespace {

constexpr std::size_t kRunBufferBytes = std::size_t{1} << 18;
constexpr std::size_t kPacketBytes = std::size_t{1} << 20;
constexpr std::size_t kOpenBytes = std::size_t{64} << 20;  // of all open packets

ArchiveOptions of_one_block(ArchiveOptions options) {
  options.part_blocks = 1;
  return options;
}

std::uint64_t end_of(const BlockRequest& request) {
  return std::min(request.node_count, (request.block + 1) << request.options.block_bits);
}

}  // namespace

RunTranslation::RunTranslation(const std::filesystem::path& pages,
                               const std::filesystem::path& scratch, std::size_t memory_bytes)
    // Only the pages are read; the list of keys next to them is empty.
    : run_(open_run({"/dev/null", pages, true}, kRunBufferBytes)),
      translation_(scratch / "translation", memory_bytes) {}

void RunTranslation::add(std::string_view pairs, std::uint64_t before) {
  ByteReader reader(pairs, "a packet of numbers");
  std::uint64_t number = 0;
  std::uint64_t index = 0;
  while (!reader.at_end()) {
    number += reader.varint();
    index += reader.varint();
    if (number != translation_.size()) {
      throw Error(ErrorKind::Corrupt, fmt::format("key {} of a run came where {} was due", number,
                                                  translation_.size()));
    }
    translation_.add(before + index);
  }
}

bool RunTranslation::next(std::vector<std::int64_t>& uids, BinaryColumn& pages) {
  if (!is_finished_) translation_.finish();
  is_finished_ = true;
  uids.clear();
  pages = {};
  PageFacts page;
  std::string bytes;
  std::uint64_t number = 0;
  while (pages.bytes.size() < kBatchBytes && run_->next_page(number)) {
    run_->read_page(page);
    translate(page, translation_);
    bytes.clear();
    append_page(bytes, page);
    uids.push_back(static_cast<std::int64_t>(translation_[number]));
    pages.add(bytes);
  }
  return !uids.empty();
}

LayerFiles write_names(const BlockRequest& request, const std::vector<std::string_view>& packets) {
  EncodePool pool(1);
  NamesWriter writer(request.folder, of_one_block(request.options), pool, request.block);
  KeyList keys;
  for (const std::string_view packet : packets) {
    keys.clear();
    read_names(packet, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) writer.add(keys[i]);
  }
  if (writer.size() != end_of(request)) {
    throw Error(ErrorKind::Corrupt, fmt::format("block {} of names has {} keys where {} were due",
                                                request.block, writer.size(), end_of(request)));
  }
  return writer.finish();
}

PageBlock::PageBlock(const BlockRequest& request)
    : options_(of_one_block(request.options)),
      pool_(1),
      writer_(request.folder, options_, end_of(request), pool_, request.block),
      finder_(options_.range_seconds) {}

PageBlock::~PageBlock() = default;

void PageBlock::add(Uid uid, std::string_view page) {
  if (!page_.empty() && uid != uid_) write_page();
  uid_ = uid;
  ByteReader reader(page, "a page");
  read_page(reader, more_);
  append(page_, more_);
}

void PageBlock::write_page() {
  normalise(page_);
  derive_rows(page_);
  writer_.write(uid_, page_);
  finder_.find(uid_, page_, facts_);
  for (const InFact& fact : facts_) {
    Open& open = open_[fact.target >> options_.block_bits];
    const std::size_t before = open.bytes.size();
    const bool is_same = open.source == fact.source && !open.bytes.empty();
    append_varint(open.bytes, fact.source - open.source);
    append_varint(open.bytes, is_same ? fact.target - open.target : fact.target);
    append_signed(open.bytes, fact.range);
    open.source = fact.source;
    open.target = fact.target;
    open_bytes_ += open.bytes.size() - before;
    if (open.bytes.size() < kPacketBytes) continue;
    open_bytes_ -= open.bytes.size();
    full_.push_back({fact.target >> options_.block_bits, std::move(open.bytes)});
    open = {};
  }
  if (open_bytes_ >= kOpenBytes) give_all();
  page_.clear();
}

void PageBlock::give_all() {
  for (auto& [block, open] : open_) {
    if (!open.bytes.empty()) full_.push_back({block, std::move(open.bytes)});
  }
  open_.clear();
  open_bytes_ = 0;
}

std::vector<InFactPacket> PageBlock::take_full() { return std::exchange(full_, {}); }

LayerFiles PageBlock::finish() {
  if (!page_.empty()) write_page();
  give_all();
  return writer_.finish();
}

InBlock::InBlock(const BlockRequest& request, const std::filesystem::path& scratch,
                 std::size_t memory_bytes)
    : request_(request), scratch_(scratch), sorter_(scratch_.path(), memory_bytes) {
  request_.options = of_one_block(request.options);
}

void InBlock::add(std::string_view packet) {
  ByteReader reader(packet, "a packet of links");
  InFact fact;
  for (bool is_first = true; !reader.at_end(); is_first = false) {
    const std::uint64_t step = reader.varint();
    const bool is_same = step == 0 && !is_first;
    fact.source += step;
    fact.target = is_same ? fact.target + reader.varint() : reader.varint();
    fact.range = read_signed(reader);
    sorter_.add(fact);
  }
}

LayerFiles InBlock::finish() {
  sorter_.finish();
  InLayersRequest layers;
  layers.folder = request_.folder;
  layers.options = &request_.options;
  layers.first_block = request_.block;
  layers.node_count = end_of(request_);
  layers.changes = &sorter_;
  EncodePool pool(1);
  return write_in_layers(layers, pool);
}

LayerFile join_blocks(const std::filesystem::path& folder, Layer layer,
                      const ArchiveOptions& options, std::uint64_t part,
                      const std::vector<std::filesystem::path>& blocks) {
  const std::uint64_t first = part * options.part_blocks;
  LayerWriter writer(folder, layer, options.part_blocks, first);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const MappedFile file = MappedFile::open(blocks[i]);
    const PartTable table = read_part(file.bytes(), blocks[i].string());
    const PartHeader due = {layer, 1, first + i, first + i};
    if (table.header != due || table.blocks.size() != 1) {
      throw Error(ErrorKind::Corrupt, fmt::format("{}: is another block than {} of {}",
                                                  blocks[i].string(), first + i, to_string(layer)));
    }
    const BlockEntry& block = table.blocks.front();
    writer.add_block(file.bytes().substr(block.offset, block.size), block.summary);
  }
  return writer.finish().at(0);
}

}  // namespace webstrata::cluster
