// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/input_stream_test.cpp.

#include "webstrata/capture/stream/byte_source.h"

#include <algorithm>
#include <cstring>
#include <memory>

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
                       std::optional<std::uint64_t> size)
    : file_(FileReader::open(path)), offset_(start) {
  if (start > 0) file_->seek(start);
  if (size) limit_ = *size;
  size_ = size ? *size : file_->size();
}

ByteSource::ByteSource(std::string_view memory) : memory_(memory), size_(memory.size()) {}

ByteSource::ByteSource(std::unique_ptr<ByteProducer> producer, std::uint64_t size)
    : producer_(std::move(producer)), size_(size) {}

std::size_t ByteSource::read_some(char* to, std::size_t size) {
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, limit_));
  std::size_t count = 0;
  if (file_) {
    count = file_->read(to, size);
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

std::uint64_t ByteSource::skip_far(std::uint64_t size) {
  const auto inside = std::min<std::uint64_t>(size, buffer_.size());
  skip(inside);
  std::uint64_t left = size - inside;
  if (left > 0 && file_ && file_->is_seekable() && !drained_) {
    const std::uint64_t end = file_->size();
    const std::uint64_t step =
        std::min({left, limit_, end > offset_ ? end - offset_ : std::uint64_t{0}});
    file_->seek(offset_ + step);
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
