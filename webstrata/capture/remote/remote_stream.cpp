// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/remote_stream_test.cpp and remote_test.py.

#include "webstrata/capture/remote/remote_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace webstrata {

RemoteStream::RemoteStream(std::shared_ptr<RemoteFile> file, std::uint64_t begin,
                           std::uint64_t likely_end)
    : file_(std::move(file)),
      offset_(begin),
      likely_end_(likely_end),
      attempts_(file_->options(), file_->shown()),
      block_bytes_(file_->options().first_bytes) {
  if (likely_end != UINT64_MAX) parallel_ = file_->options().parallel_max;
}

RemoteStream::~RemoteStream() { drop_blocks(); }

std::size_t RemoteStream::read(char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t count = read_some(to + done, size - done);
    if (count == 0) break;
    done += count;
  }
  return done;
}

std::size_t RemoteStream::read_some(char* to, std::size_t size) {
  if (!file_->has_ranges()) return read_whole(to, size);
  if (offset_ >= *file_->size()) return 0;
  if (offset_ < file_->first_bytes().size()) return read_first_bytes(to, size);
  return read_block(to, size);
}

std::size_t RemoteStream::read_first_bytes(char* to, std::size_t size) {
  const std::string_view bytes = file_->first_bytes().substr(offset_);
  const std::size_t count = std::min(size, bytes.size());
  std::memcpy(to, bytes.data(), count);
  offset_ += count;
  return count;
}

// ---- with ranges --------------------------------------------------------------------------------

std::size_t RemoteStream::read_block(char* to, std::size_t size) {
  while (true) {
    request_ahead();
    Block& block = blocks_.front();
    if (!block.transfer) block.transfer = file_->request(offset_, block.end);
    std::optional<Trouble> trouble;
    if (!std::exchange(block.is_judged, true)) trouble = file_->judge(*block.transfer, offset_);
    std::size_t count = 0;
    if (!trouble) {
      count = block.transfer->read(to, std::min<std::uint64_t>(size, block.end - offset_));
      if (count == 0) trouble = file_->trouble_at_end(*block.transfer);
    }
    if (trouble) {  // again, from here on
      block.transfer.reset();
      block.is_judged = false;
      attempts_.failed(*trouble);
      continue;
    }
    attempts_.succeeded();
    offset_ += count;
    if (offset_ == block.end) drop_front();
    return count;
  }
}

// The reader's own block is always requested; others if all streams together have room for them.
void RemoteStream::request_ahead() {
  if (blocks_.empty()) requested_ = offset_;
  while (requested_ < *file_->size() && blocks_.size() < parallel_) {
    const bool is_far = requested_ >= likely_end_;
    if (!blocks_.empty() && is_far && likely_end_ != UINT64_MAX) return;
    const std::uint64_t size = next_block_bytes();
    Block block{requested_, requested_ + size, nullptr, false, 0};
    if (!blocks_.empty()) {
      if (!file_->wire().reserve(size)) return;
      block.reserved = size;
    }
    block.transfer = file_->request(block.begin, block.end);
    requested_ = block.end;
    blocks_.push_back(std::move(block));
  }
}

std::uint64_t RemoteStream::next_block_bytes() const {
  const RemoteOptions& options = file_->options();
  std::uint64_t size = block_bytes_;
  if (likely_end_ != UINT64_MAX && requested_ < likely_end_) {
    const std::uint64_t share = (likely_end_ - requested_) / options.parallel_max + 1;
    size = std::clamp<std::uint64_t>(share, options.first_bytes, options.block_bytes);
    size = std::min(size, likely_end_ - requested_);
  } else if (likely_end_ != UINT64_MAX) {  // the last record, probably
    size = std::min<std::uint64_t>(size, options.block_bytes / 4);
  }
  return std::min(size, *file_->size() - requested_);
}

// Whoever has read a block will probably read on.
void RemoteStream::drop_front() {
  const Block& block = blocks_.front();
  if (block.reserved > 0) file_->wire().give_back(block.reserved);
  blocks_.pop_front();
  block_bytes_ = std::min(block_bytes_ * 2, file_->options().block_bytes);
  parallel_ = std::min(parallel_ + 1, file_->options().parallel_max);
}

void RemoteStream::drop_blocks() {
  for (const Block& block : blocks_) {
    if (block.reserved > 0) file_->wire().give_back(block.reserved);
  }
  blocks_.clear();
}

void RemoteStream::seek(std::uint64_t offset) {
  const bool is_requested = !blocks_.empty() && offset < requested_;
  if (offset >= offset_ && (is_requested || !file_->has_ranges())) {
    skip_forward(offset);
    return;
  }
  drop_blocks();
  whole_.reset();
  is_ended_ = false;
  if (offset != offset_) {
    block_bytes_ = file_->options().first_bytes;
    parallel_ = 1;
  }
  offset_ = offset;
}

void RemoteStream::skip_forward(std::uint64_t offset) {
  std::vector<char> unread(std::min<std::uint64_t>(offset - offset_, std::size_t{1} << 18));
  while (offset_ < offset) {
    if (read_some(unread.data(), std::min<std::uint64_t>(offset - offset_, unread.size())) == 0) {
      return;
    }
  }
}

// ---- without ------------------------------------------------------------------------------------

// What was given to the reader cannot be requested again, only the file from its start.
std::size_t RemoteStream::read_whole(char* to, std::size_t size) {
  std::vector<char> before;  // what lies before offset_
  while (!is_ended_) {
    if (!whole_) {
      whole_ = file_->request(0, UINT64_MAX);
      whole_offset_ = 0;
      is_judged_ = false;
    }
    const std::uint64_t missing = offset_ - whole_offset_;
    before.resize(std::min<std::uint64_t>(missing, std::size_t{1} << 18));
    std::optional<Trouble> trouble;
    if (!std::exchange(is_judged_, true)) trouble = file_->judge(*whole_, 0);
    std::size_t count = 0;
    if (!trouble) {
      count = missing > 0 ? whole_->read(before.data(), before.size()) : whole_->read(to, size);
      whole_offset_ += count;
      const bool is_whole = count == 0 && whole_->end().kind == WireEnd::Kind::Complete;
      is_ended_ = is_whole;
      if (count == 0 && !is_whole) trouble = file_->trouble_at_end(*whole_);
    }
    if (trouble) {
      whole_.reset();
      if (is_given_) {
        trouble->may_pass = false;
        trouble->reason += fmt::format(
            " after {} bytes, and the server cannot continue there; download the file first",
            offset_);
      }
      attempts_.failed(*trouble);
      continue;
    }
    attempts_.succeeded();
    if (missing > 0) continue;
    offset_ += count;
    is_given_ = is_given_ || count > 0;
    return count;
  }
  return 0;
}

}  // namespace webstrata
