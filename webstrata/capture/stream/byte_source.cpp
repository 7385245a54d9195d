// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/input_stream_test.cpp.

#include "webstrata/capture/stream/byte_source.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "webstrata/capture/stream/fed_inputs.h"
#include "webstrata/capture/stream/input_place.h"

namespace webstrata {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

}  // namespace

void GrowingBuffer::drop_front(std::size_t size) noexcept {
  begin_ += size;
  if (begin_ == end_) begin_ = end_ = 0;
}

char* GrowingBuffer::room(std::size_t size) {
  if (capacity_ - end_ >= size) return data_.get() + end_;
  const std::size_t used = this->size();
  if (capacity_ - used >= size && begin_ >= used) {  // half is free: moving down is cheap
    std::memcpy(data_.get(), data_.get() + begin_, used);
  } else {
    const std::size_t capacity = std::max(capacity_ + capacity_ / 2, used + size);
    std::unique_ptr<char[]> larger(new char[capacity]);
    if (used > 0) std::memcpy(larger.get(), data_.get() + begin_, used);
    data_ = std::move(larger);
    capacity_ = capacity;
  }
  begin_ = 0;
  end_ = used;
  return data_.get() + end_;
}

ByteSource::ByteSource(const std::filesystem::path& path, std::uint64_t start,
                       std::optional<std::uint64_t> size, std::uint64_t likely_end)
    : offset_(start) {
  if (size) limit_ = *size;
  if (size && *size < likely_end - std::min(start, likely_end)) likely_end = start + *size;
  if (is_remote(path.native())) {
    auto file = RemoteFile::open(path.native());
    size_ = file->size().value_or(0);
    if (file->has_ranges()) file_end_ = size_;
    remote_ = std::make_unique<RemoteStream>(std::move(file), start, likely_end);
  } else if ((producer_ = open_fed_input(path)) == nullptr) {
    refuse_unknown_scheme(path);
    file_ = FileReader::open(path);
    if (start > 0) file_->seek(start);
    size_ = file_end_ = file_->size();
  }
  if (size) size_ = *size;
}

ByteSource::ByteSource(std::string_view memory) : memory_(memory), size_(memory.size()) {}

ByteSource::ByteSource(std::unique_ptr<ByteProducer> producer, std::uint64_t size)
    : producer_(std::move(producer)), size_(size) {}

std::size_t ByteSource::read_some(char* to, std::size_t size) {
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, limit_));
  std::size_t count = 0;
  if (file_) {
    count = file_->read(to, size);
  } else if (remote_) {
    count = remote_->read(to, size);
  } else if (producer_) {
    count = producer_->produce(to, size);
  } else {
    const std::uint64_t position = offset_ + buffer_.size();
    count = std::min<std::size_t>(size, memory_->size() - position);
    if (count > 0) std::memcpy(to, memory_->data() + position, count);
  }
  limit_ -= count;
  if (count < size || limit_ == 0) drained_ = true;
  return count;
}

std::string_view ByteSource::peek(std::size_t size) {
  while (buffer_.size() < size && !drained_) {
    // Small inputs in memory come by the million in fuzzing: no large buffer for them.
    const std::size_t step = memory_ ? std::min(kReadBytes, memory_->size() + 1) : kReadBytes;
    const std::size_t wanted = std::max(step, memory_ ? 0 : size - buffer_.size());
    char* room = buffer_.room(wanted);
    buffer_.grow_by(read_some(room, wanted));
  }
  return buffer_.bytes();
}

void ByteSource::skip(std::size_t size) noexcept {
  buffer_.drop_front(size);
  offset_ += size;
}

std::size_t ByteSource::read(char* to, std::size_t size) {
  const std::size_t count = read_some(to, size);
  offset_ += count;
  return count;
}

bool ByteSource::can_seek() const noexcept {
  if (remote_) return remote_->file().has_ranges();
  return file_ && file_->is_seekable();
}

void ByteSource::seek(std::uint64_t offset) {
  if (remote_) {
    remote_->seek(offset);
  } else {
    file_->seek(offset);
  }
}

std::uint64_t ByteSource::skip_far(std::uint64_t size) {
  const auto inside = std::min<std::uint64_t>(size, buffer_.size());
  skip(inside);
  std::uint64_t left = size - inside;
  if (left > 0 && can_seek() && !drained_) {
    const std::uint64_t end = file_end_;
    const std::uint64_t step =
        std::min({left, limit_, end > offset_ ? end - offset_ : std::uint64_t{0}});
    seek(offset_ + step);
    offset_ += step;
    limit_ -= step;
    return inside + step;
  }
  while (left > 0 && !peek(1).empty()) {
    const auto step = std::min<std::uint64_t>(left, buffer_.size());
    skip(step);
    left -= step;
  }
  return size - left;
}

}  // namespace webstrata
