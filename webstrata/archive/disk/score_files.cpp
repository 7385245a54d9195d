// SPDX-License-Identifier: Apache-2.0

// A column of node scores is one double per node. A column of link scores has one row per source:
// differences of uids and times as varints, and the number of a score that occurred before in place
// of its eight bytes (for the first 65,536 different scores). Readers compare the checksum of the
// whole file before they decode anything.
// Tested by tests/archive/scores_test.cpp and tests/archive/score_columns_test.cpp.

#include "webstrata/archive/disk/score_files.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNodeMagic = "wsSCORES";
constexpr std::string_view kLinkMagic = "wsLSCORE";
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
constexpr std::size_t kNumberedMax = std::size_t{1} << 16;

// Differences are taken modulo 2^64, so that any two times and uids have one.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1) ^ (~(difference >> 63) + 1);
}
constexpr std::uint64_t unzigzag(std::uint64_t code) { return (code >> 1) ^ (~(code & 1) + 1); }

std::uint64_t bits_of(double score) {
  return is_missing(score) ? kMissingScoreBits : std::bit_cast<std::uint64_t>(score);
}

// Verified before anything else is read, so that the code below may trust the bytes.
void check_sum(std::string_view bytes, const LayerFile& file, std::string_view name) {
  if (bytes.size() == file.size && checksum64(bytes) == file.checksum) return;
  throw Error(ErrorKind::Corrupt,
              fmt::format("{}: its checksum differs; compute these scores again", name));
}

}  // namespace

ColumnOutput::ColumnOutput(fs::path path)
    : path_(std::move(path)), writer_(FileWriter::create(path_)) {}

void ColumnOutput::flush_if_full() {
  if (buffer.size() < kBufferBytes) return;
  writer_.write(buffer);
  buffer.clear();
}

LayerFile ColumnOutput::finish() {
  writer_.write(buffer);
  writer_.commit();
  const MappedFile written = MappedFile::open(path_);
  return {path_.filename(), written.bytes().size(), checksum64(written.bytes())};
}

NodeScoreWriter::NodeScoreWriter(fs::path path, std::uint64_t node_count) : out_(std::move(path)) {
  out_.buffer = kNodeMagic;
  append_u64(out_.buffer, node_count);
}

void NodeScoreWriter::add(double score) {
  append_u64(out_.buffer, bits_of(score));
  out_.flush_if_full();
}

NodeScoreReader::NodeScoreReader(const fs::path& path, const LayerFile& file)
    : name_(path.string()), mapping_(MappedFile::open(path)), in_(mapping_.bytes(), name_) {
  check_sum(mapping_.bytes(), file, name_);
  const bool is_ours = in_.take(kNodeMagic.size()) == kNodeMagic;
  const std::uint64_t count = in_.u64();
  if (!is_ours || count != in_.remaining() / 8) {
    throw Error(ErrorKind::Corrupt, fmt::format("{}: is not a column of scores", name_));
  }
}

double NodeScoreReader::next() { return std::bit_cast<double>(in_.u64()); }

LinkScoreWriter::LinkScoreWriter(fs::path path, std::uint64_t node_count, std::string_view note)
    : out_(std::move(path)) {
  out_.buffer = kLinkMagic;
  append_u64(out_.buffer, node_count);
  append_varint(out_.buffer, note.size());
  out_.buffer.append(note);
}

// The times of captures that scores come from; that of the row is the last.
void LinkScoreWriter::add_times(const LinkScoreRow& row) {
  times_.assign(1, row.time);
  for (const LinkScore& link : row.links) times_.push_back(link.time);
  std::sort(times_.begin(), times_.end());
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
  append_varint(out_.buffer, times_.size());
  std::uint64_t before = 0;
  for (const Time time : times_) {
    append_varint(out_.buffer, zigzag(static_cast<std::uint64_t>(time) - before));
    before = static_cast<std::uint64_t>(time);
  }
}

void LinkScoreWriter::add_value(double value) {
  const std::uint64_t bits = bits_of(value);
  const auto known = numbers_.find(bits);
  if (known != numbers_.end()) {
    append_varint(out_.buffer, known->second);
    return;
  }
  append_varint(out_.buffer, 0);
  append_u64(out_.buffer, bits);
  if (numbers_.size() < kNumberedMax) numbers_.emplace(bits, numbers_.size() + 1);
}

void LinkScoreWriter::add(const LinkScoreRow& row) {
  append_varint(out_.buffer, row.source - next_source_);
  next_source_ = row.source + 1;
  add_times(row);
  append_varint(out_.buffer, row.links.size());
  Uid before = row.source;
  for (const LinkScore& link : row.links) {
    append_varint(out_.buffer, zigzag(link.target - before));
    before = link.target;
    if (times_.size() > 1) {
      const auto time = std::lower_bound(times_.begin(), times_.end(), link.time);
      append_varint(out_.buffer, static_cast<std::uint64_t>(time - times_.begin()));
    }
    add_value(link.value);
    out_.flush_if_full();
  }
  out_.flush_if_full();
}

LinkScoreReader::LinkScoreReader(const fs::path& path, const LayerFile& file)
    : name_(path.string()), mapping_(MappedFile::open(path)), in_(mapping_.bytes(), name_) {
  check_sum(mapping_.bytes(), file, name_);
  if (in_.take(kLinkMagic.size()) != kLinkMagic) damaged("is not a column of link scores");
  node_count_ = in_.u64();
  note_ = in_.take(in_.varint());
}

void LinkScoreReader::damaged(std::string_view what) const {
  throw Error(ErrorKind::Corrupt, fmt::format("{}: {}; compute these scores again", name_, what));
}

double LinkScoreReader::read_value() {
  const std::uint64_t number = in_.varint();
  if (number > values_.size()) damaged("names a score that was not there before");
  if (number > 0) return values_[number - 1];
  const auto value = std::bit_cast<double>(in_.u64());
  if (values_.size() < kNumberedMax) values_.push_back(value);
  return value;
}

bool LinkScoreReader::next(LinkScoreRow& row) {
  if (in_.at_end()) return false;
  row.source = next_source_ + in_.varint();
  if (row.source < next_source_ || row.source >= node_count_) damaged("has a page outside");
  next_source_ = row.source + 1;
  const std::uint64_t time_count = in_.varint();
  if (time_count == 0 || time_count > in_.remaining()) damaged("has a page without a time");
  times_.clear();
  std::uint64_t time = 0;
  for (std::uint64_t i = 0; i < time_count; ++i) {
    time += unzigzag(in_.varint());
    times_.push_back(static_cast<Time>(time));
  }
  row.time = times_.back();
  const std::uint64_t link_count = in_.varint();
  if (link_count > in_.remaining()) damaged("ends inside a page");
  row.links.clear();
  Uid before = row.source;
  for (std::uint64_t i = 0; i < link_count; ++i) {
    LinkScore link;
    link.target = before + unzigzag(in_.varint());
    if (link.target >= node_count_ || (i > 0 && link.target <= before)) {
      damaged("has links out of order");
    }
    before = link.target;
    const std::uint64_t place = time_count > 1 ? in_.varint() : 0;
    if (place >= time_count) damaged("names a time that does not exist");
    link.time = times_[place];
    link.value = read_value();
    row.links.push_back(link);
  }
  return true;
}

}  // namespace webstrata
