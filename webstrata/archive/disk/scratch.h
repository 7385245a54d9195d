// SPDX-License-Identifier: Apache-2.0

// Scratch files: written once, read once in order, never durable. Runs and sorted spills consist of
// them; they are in an archive's work folder or where --temp says.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "webstrata/base/file.h"

namespace webstrata {

class ScratchWriter {
 public:
  explicit ScratchWriter(std::filesystem::path path, std::size_t buffer_bytes = 1 << 18);
  ScratchWriter(ScratchWriter&& other) noexcept;
  ScratchWriter& operator=(ScratchWriter&&) = delete;
  ~ScratchWriter();

  // Append to buffer() and call flush_if_full() now and then.
  [[nodiscard]] std::string& buffer() noexcept { return buffer_; }
  void flush_if_full() {
    if (buffer_.size() >= buffer_bytes_) flush();
  }
  // Throws Error(Io) if the disk is full.
  void flush();
  [[nodiscard]] std::uint64_t size() const noexcept { return written_ + buffer_.size(); }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::size_t buffer_bytes_;
  std::uint64_t written_ = 0;
  std::string buffer_;
};

// Reads through a small buffer, with the interface of ByteReader.
class ScratchReader {
 public:
  explicit ScratchReader(const std::filesystem::path& path, std::size_t buffer_bytes = 1 << 16);

  [[nodiscard]] bool at_end();
  std::uint8_t u8();
  std::uint64_t varint();
  // The view lives until the next call.
  std::string_view take(std::size_t size);

 private:
  void ask(std::size_t size);  // loads this many bytes, if the file has them, after position_

  FileReader file_;
  std::string buffer_;
  std::size_t buffer_bytes_;
  std::size_t position_ = 0;
  bool is_drained_ = false;
};

}  // namespace webstrata
