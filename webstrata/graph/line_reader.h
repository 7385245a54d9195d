// SPDX-License-Identifier: Apache-2.0

// Lines of a text file, plain or gzip, recognised by its bytes.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace webstrata {

// Bytes in memory, as opposed to the name of a file; they outlive the reader.
struct InMemoryText {
  std::string_view bytes;
};

class LineReader {
 public:
  // Readers report progress whenever they have read this many lines.
  static constexpr std::uint64_t kProgressLines = 1 << 18;

  // "-" is standard input. Throws Error(NotFound), Error(Io).
  explicit LineReader(const std::filesystem::path& path);
  explicit LineReader(InMemoryText text);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line without its end (\n or \r\n), valid until the next call; empty at the end.
  // Throws Error(Corrupt) if gzip is damaged or a line is longer than kLineBytesMax.
  std::optional<std::string_view> next();
  static constexpr std::size_t kLineBytesMax = std::size_t{1} << 30;

  // The next `size` bytes, or more, and fewer only at the end; valid until the next call. next()
  // returns them again. Throws as next() does.
  std::string_view peek(std::size_t size);
  // Of the file, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t line_number() const noexcept { return line_number_; }
  // The place in the file that reading has reached, and its size (0 for a pipe), for progress.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept;
  [[nodiscard]] std::uint64_t file_size() const noexcept;
  // Throws Error(BadInput) that names the file and the line of the last next().
  [[noreturn]] void refuse(std::string_view reason) const;

 private:
  class Source;
  bool fill();

  std::unique_ptr<Source> source_;
  std::string name_;
  std::string buffer_;
  std::size_t position_ = 0;
  std::uint64_t line_number_ = 0;
};

}  // namespace webstrata
