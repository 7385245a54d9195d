// SPDX-License-Identifier: Apache-2.0

// Parts are mapped when the layer is opened; only their headers and tables are read then. A
// block's checksum is verified on first use. Two threads may both do so: they get the same result,
// so the order of their writes does not matter.
// Tested by tests/archive/layer_file_test.cpp.

#include "webstrata/archive/disk/layer_reader.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "webstrata/archive/disk/layer_part.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

enum class Verdict : std::uint8_t { Unknown, Good, Bad };

struct Part {
  std::filesystem::path path;
  LayerFile file;
  MappedFile mapping;
  std::vector<BlockEntry> blocks;
};

[[noreturn]] void damaged(const std::filesystem::path& path, std::string_view what) {
  throw Error(ErrorKind::Corrupt,
              fmt::format("{}: {}; restore it from a copy or rebuild", path.string(), what));
}

Part open_part(const std::filesystem::path& folder, const PartHeader& expected,
               const LayerFile& file) {
  const auto path = folder / part_name(expected.layer, expected.part);
  if (file.name != path.filename()) damaged(path, "MANIFEST lists another file in its place");
  MappedFile mapping = MappedFile::open(path);
  if (mapping.bytes().size() != file.size) {
    damaged(path, fmt::format("has {} bytes instead of {}", mapping.bytes().size(), file.size));
  }
  PartTable table = read_part(mapping.bytes(), path.string());
  if (table.header != expected || table.checksum != file.checksum) {
    damaged(path, "is not the file that MANIFEST lists");
  }
  return {path, file, std::move(mapping), std::move(table.blocks)};
}

}  // namespace

struct LayerReader::State {
  struct Place {
    const Part& part;
    const BlockEntry& entry;
    [[nodiscard]] std::string_view bytes() const noexcept {
      return part.mapping.bytes().substr(entry.offset, entry.size);
    }
  };

  [[nodiscard]] Place find(std::uint64_t block) const noexcept {
    assert(block < block_count);
    const Part& part = parts[block / part_blocks];
    return {part, part.blocks[block % part_blocks]};
  }

  Layer layer = Layer::Names;
  std::uint32_t part_blocks = 1;
  std::uint64_t block_count = 0;
  std::vector<Part> parts;
  std::unique_ptr<std::atomic<Verdict>[]> verdicts;  // one per block
};

LayerReader LayerReader::open(const std::filesystem::path& folder, Layer layer,
                              std::uint32_t part_blocks, std::span<const LayerFile> files) {
  assert(part_blocks > 0);
  auto state = std::make_unique<State>();
  state->layer = layer;
  state->part_blocks = part_blocks;
  for (std::uint64_t number = 0; number < files.size(); ++number) {
    const PartHeader expected = {layer, part_blocks, number, number * part_blocks};
    const Part& part = state->parts.emplace_back(open_part(folder, expected, files[number]));
    if (number + 1 < files.size() && part.blocks.size() != part_blocks) {
      damaged(part.path, "has too few blocks for a part that others follow");
    }
    state->block_count += part.blocks.size();
  }
  state->verdicts = std::make_unique<std::atomic<Verdict>[]>(state->block_count);
  return LayerReader(std::move(state));
}

LayerReader::LayerReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
LayerReader::LayerReader(LayerReader&&) noexcept = default;
LayerReader& LayerReader::operator=(LayerReader&&) noexcept = default;
LayerReader::~LayerReader() = default;

Layer LayerReader::layer() const noexcept { return state_->layer; }

std::uint32_t LayerReader::part_blocks() const noexcept { return state_->part_blocks; }

std::uint64_t LayerReader::block_count() const noexcept { return state_->block_count; }

const BlockSummary& LayerReader::summary(std::uint64_t block) const {
  return state_->find(block).entry.summary;
}

std::string_view LayerReader::block(std::uint64_t block) const {
  const State::Place place = state_->find(block);
  std::atomic<Verdict>& verdict = state_->verdicts[block];
  Verdict found = verdict.load(std::memory_order_relaxed);
  if (found == Verdict::Unknown) {
    found = checksum64(place.bytes()) == place.entry.checksum ? Verdict::Good : Verdict::Bad;
    verdict.store(found, std::memory_order_relaxed);
  }
  if (found == Verdict::Bad) {
    damaged(place.part.path, fmt::format("checksum of block {} differs", block));
  }
  return place.bytes();
}

std::string LayerReader::describe(std::uint64_t block) const {
  return fmt::format("{}, block {}", state_->find(block).part.path.string(), block);
}

std::filesystem::path LayerReader::part_path(std::uint64_t block) const {
  return state_->find(block).part.path;
}

const LayerFile& LayerReader::part_file(std::uint64_t block) const {
  return state_->find(block).part.file;
}

void LayerReader::release(std::uint64_t block) const noexcept {
  static const auto page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::string_view bytes = state_->find(block).bytes();
  // Whole pages: a neighbour's bytes on them are loaded from the file again as well.
  const auto start = reinterpret_cast<std::uintptr_t>(bytes.data()) / page_bytes * page_bytes;
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size());
  if (!bytes.empty()) ::madvise(reinterpret_cast<void*>(start), end - start, MADV_DONTNEED);
}

}  // namespace webstrata
