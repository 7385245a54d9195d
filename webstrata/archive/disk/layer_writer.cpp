// SPDX-License-Identifier: Apache-2.0

// Blocks are written as they arrive; only the table of the current part stays in memory.
//
// As long as a part consists only of copies of the same blocks of another generation, they are
// counted instead of written. If the part ends that way, and the other one ends there too, it
// becomes a hard link; if another block follows, the counted ones are written first.
// Tested by tests/archive/layer_file_test.cpp.

#include "webstrata/archive/disk/layer_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/disk/layer_part.h"
#include "webstrata/archive/disk/layer_reader.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/limit_error.h"

namespace webstrata {
namespace {

// A part being written.
class PartFile {
 public:
  PartFile(std::filesystem::path path, const PartHeader& header)
      : path_(std::move(path)), header_(encode_part_header(header)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("create");
    write(header_);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void add(std::string_view bytes, const BlockSummary& summary) {
    blocks_.push_back({size_, bytes.size(), checksum64(bytes), summary});
    write(bytes);
  }

  LayerFile finish() {
    const PartEnd end = encode_part_end(header_, blocks_);
    write(end.bytes);
    if (::fsync(descriptor_) != 0) fail("fsync");
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("close");
    return {path_.filename().string(), size_, end.checksum};
  }

 private:
  void write(std::string_view bytes) {
    write_all(descriptor_, bytes, path_.string());
    size_ += bytes.size();
  }

  [[noreturn]] void fail(std::string_view doing) const {
    const auto kind = errno == ENOENT ? ErrorKind::NotFound : ErrorKind::Io;
    throw Error(kind, fmt::format("{}: cannot {}: {}", path_.string(), doing, reason_of(errno)));
  }

  std::filesystem::path path_;
  std::string header_;
  std::vector<BlockEntry> blocks_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace

struct LayerWriter::State {
  [[nodiscard]] std::uint64_t part_start() const noexcept {
    return next_block / part_blocks * part_blocks;
  }

  // Begins the file of the part that starts at block `start` with what was only counted.
  void open_part(std::uint64_t start) {
    const PartHeader header = {layer, part_blocks, start / part_blocks, start};
    part = std::make_unique<PartFile>(folder / part_name(layer, header.part), header);
    for (std::uint64_t block = start; block < start + counted; ++block) {
      part->add(source->block(block), source->summary(block));
      source->release(block);
    }
    forget_counted();
  }

  void forget_counted() noexcept {
    counted = 0;
    source = nullptr;
  }

  [[nodiscard]] bool may_count(const LayerReader& from, std::uint64_t block) const noexcept {
    return !part && block == next_block && from.layer() == layer &&
           from.part_blocks() == part_blocks && (counted == 0 || source == &from);
  }

  void add(std::string_view bytes, const BlockSummary& summary) {
    if (!part) open_part(part_start());
    part->add(bytes, summary);
    step();
  }

  void step() {
    ++next_block;
    if (next_block % part_blocks == 0) end_part(next_block - part_blocks);
  }

  // Closes the part that began at block `start`, if it has any block.
  void end_part(std::uint64_t start) {
    if (counted > 0 && !link_part(start)) open_part(start);
    if (part) files.push_back(part->finish());
    part.reset();
  }

  // False if the other generation's part continues, or hard links are not possible; then it is
  // copied.
  bool link_part(std::uint64_t start) {
    const std::uint64_t end = std::min(start + part_blocks, source->block_count());
    if (start + counted != end) return false;
    const LayerFile& file = source->part_file(start);
    if (::link(source->part_path(start).c_str(), (folder / file.name).c_str()) != 0) return false;
    files.push_back(file);
    forget_counted();
    return true;
  }

  std::filesystem::path folder;
  Layer layer = Layer::Names;
  std::uint32_t part_blocks = 1;
  std::uint64_t next_block = 0;
  std::unique_ptr<PartFile> part;       // none while nothing of the part is written
  const LayerReader* source = nullptr;  // of the counted blocks
  std::uint64_t counted = 0;            // blocks at the start of the part, not written so far
  std::vector<LayerFile> files;
};

LayerWriter::LayerWriter(std::filesystem::path folder, Layer layer, std::uint32_t part_blocks,
                         std::uint64_t first_block)
    : state_(std::make_unique<State>()) {
  assert(part_blocks > 0 && first_block % part_blocks == 0);
  state_->folder = std::move(folder);
  state_->layer = layer;
  state_->part_blocks = part_blocks;
  state_->next_block = first_block;
}

LayerWriter::LayerWriter(LayerWriter&&) noexcept = default;
LayerWriter::~LayerWriter() = default;

void LayerWriter::add_block(std::string_view bytes, const BlockSummary& summary) {
  state_->add(bytes, summary);
}

void LayerWriter::copy_block(const LayerReader& from, std::uint64_t block) {
  if (!state_->may_count(from, block)) {
    state_->add(from.block(block), from.summary(block));
    from.release(block);
    return;
  }
  state_->source = &from;
  ++state_->counted;
  state_->step();
}

std::vector<LayerFile> LayerWriter::finish() {
  state_->end_part(state_->part_start());
  return std::move(state_->files);
}

}  // namespace webstrata
