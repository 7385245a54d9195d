// SPDX-License-Identifier: Apache-2.0

// A crawl file as a stream of decompressed bytes: plain, gzip, zstd or lz4, recognised by its
// bytes.
//
// peek() shows a window, skip() advances; the window slides, so that memory stays bounded whatever
// the file's size. offset() is always the place in the *file* that the next byte comes from: the
// byte itself in a plain file, the gzip member or zstd or lz4 frame that holds it in a compressed
// one. That is the offset a CDX names.
//
// Damage does not stop the stream. Of a member that cannot be inflated, the stream returns what
// could be recovered; it then continues at the next valid member and adds the damage to the Report.
// The place where bytes are missing is a gap: peek() never shows bytes from both sides of one, and
// lost_place() says once that one was passed, so that a record reader can find its place again.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/base/report.h"

namespace webstrata {

class ByteProducer;

enum class Compression : std::uint8_t { None, Gzip, Zstd, Lz4 };

// Bytes in memory, as opposed to the name of a file.
struct InMemory {
  std::string_view bytes;
};

class InputStream {
 public:
  // "-" is standard input; http://, https:// and s3:// are read over the network. `start` must be
  // the start of a member or frame (or any byte of a plain file) in a seekable file; offsets still
  // count from the start of the file. The Report must outlive the stream. Throws Error(NotFound),
  // Error(Io), Error(BadInput) for a folder.
  InputStream(const std::filesystem::path& path, Report& report, std::uint64_t start = 0);
  // From the first member that begins at or after `middle`; nothing before it counts as damage. In
  // a plain file, from that byte. `likely_end` is where reading will probably stop.
  InputStream(const std::filesystem::path& path, Report& report, std::uint64_t middle,
              Compression compression, std::uint64_t likely_end = UINT64_MAX);
  // Bytes in memory, for tests, fuzzing and archives inside archives. They must outlive the stream.
  InputStream(InMemory memory, Report& report);
  // The same for a part of a file: a file stored uncompressed inside a WACZ.
  InputStream(const std::filesystem::path& path, Report& report, std::uint64_t start,
              std::uint64_t size);
  // Bytes from a producer: a file stored compressed inside a WACZ. `size` is for progress.
  InputStream(std::unique_ptr<ByteProducer> producer, Report& report, std::uint64_t size);
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;
  ~InputStream();

  // At least `size` bytes, fewer only before a gap or at the end; there may be more.
  // The view lives until the next peek() or skip(). `size` is at most kWindowMax.
  std::string_view peek(std::size_t size);
  static constexpr std::size_t kWindowMax = std::size_t{64} << 20;

  // Advances by `size` bytes, or to the next gap or the end; returns the distance.
  std::uint64_t skip(std::uint64_t size);
  [[nodiscard]] bool at_end() { return peek(1).empty(); }

  // The next line without its end (\n or \r\n); empty optional at the end of the stream. A line
  // longer than `size_max` is skipped and reported, and the one after it is returned.
  std::optional<std::string_view> line(std::size_t size_max = std::size_t{32} << 20);

  // The same, but a line ends also with its gzip member or frame: the blocks of an index may lack
  // the last line feed. line_is_open() says whether the last line ended that way and another member
  // follows, which may or may not continue it.
  std::optional<std::string_view> line_in_member(std::size_t size_max = std::size_t{32} << 20);
  [[nodiscard]] bool line_is_open() const noexcept;

  // Where in the file the next byte comes from (see above).
  [[nodiscard]] std::uint64_t offset();
  // True if the next byte is the first of a gzip member or zstd frame; in plain files always.
  [[nodiscard]] bool at_member_start();
  // Moves to the next member (compressed streams; nothing happens at a member start or in plain
  // files). Returns the number of bytes of the present one that were skipped.
  std::uint64_t skip_to_member_start();
  // The distance to the next member, if it is known: inside what peek() showed.
  [[nodiscard]] std::optional<std::size_t> next_member_start() const;
  // True once after a gap was passed: bytes are missing before the next one.
  bool lost_place();

  [[nodiscard]] Compression compression() const noexcept;
  [[nodiscard]] std::uint64_t member_count() const noexcept;
  // The place in the file that reading has reached, for progress.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept;
  // Bytes of the file or part; 0 if it is a pipe.
  [[nodiscard]] std::uint64_t file_size() const noexcept;
  // Empty for bytes in memory and for standard input.
  [[nodiscard]] const std::filesystem::path& path() const noexcept;
  // The whole input, if it is in memory.
  [[nodiscard]] std::optional<std::string_view> memory() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace webstrata
