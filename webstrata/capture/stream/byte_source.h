// SPDX-License-Identifier: Apache-2.0

// Raw bytes of an input through a sliding window: a file, here or on another machine, a part of
// one, standard input, memory, or a producer.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "webstrata/base/file.h"
#include "webstrata/capture/remote/remote_stream.h"
#include "webstrata/capture/stream/byte_producer.h"

namespace webstrata {

// Memory that grows without being zeroed first.
class GrowingBuffer {
 public:
  [[nodiscard]] std::string_view bytes() const noexcept { return {data_.get() + begin_, size()}; }
  [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
  void drop_front(std::size_t size) noexcept;
  void clear() noexcept { begin_ = end_ = 0; }
  // Room for at least `size` bytes after the last; invalidates views. Write there, then grow_by().
  char* room(std::size_t size);
  [[nodiscard]] std::size_t room_size() const noexcept { return capacity_ - end_; }
  void grow_by(std::size_t size) noexcept { end_ += size; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

class ByteSource {
 public:
  // `size` limits how much is read from `start`; empty means to the end. `likely_end` is where the
  // reader will probably stop, for reading ahead.
  ByteSource(const std::filesystem::path& path, std::uint64_t start,
             std::optional<std::uint64_t> size, std::uint64_t likely_end = UINT64_MAX);
  explicit ByteSource(std::string_view memory);
  // `size` is the expected number of bytes, for progress.
  ByteSource(std::unique_ptr<ByteProducer> producer, std::uint64_t size);

  // At least `size` bytes, fewer only at the end.
  std::string_view peek(std::size_t size);
  [[nodiscard]] std::string_view window() const noexcept { return buffer_.bytes(); }
  // Advances inside the window.
  void skip(std::size_t size) noexcept;
  // Advances by any distance, without reading where the input can seek; returns the distance.
  std::uint64_t skip_far(std::uint64_t size);
  // Reads past the window into `to`; only when the window is empty.
  std::size_t read(char* to, std::size_t size);

  // Everything left is in the window.
  [[nodiscard]] bool window_is_last() const noexcept { return drained_; }
  // Offset in the file of the first byte of the window.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::optional<std::string_view> memory() const noexcept { return memory_; }

 private:
  std::size_t read_some(char* to, std::size_t size);
  [[nodiscard]] bool can_seek() const noexcept;
  void seek(std::uint64_t offset);

  std::optional<FileReader> file_;
  std::unique_ptr<RemoteStream> remote_;
  std::optional<std::string_view> memory_;
  std::unique_ptr<ByteProducer> producer_;
  std::uint64_t limit_ = UINT64_MAX;  // bytes still allowed to be read
  GrowingBuffer buffer_;
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t file_end_ = UINT64_MAX;  // where seeking stops
  bool drained_ = false;
};

}  // namespace webstrata
