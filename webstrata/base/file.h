// SPDX-License-Identifier: Apache-2.0

// Files: mapped for random reading, streamed for sequential reading, and written so that a
// reader sees the whole new content or the old one, never a part.
//
// All throw Error(NotFound) or Error(Io) with the path and the system's reason.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "webstrata/base/progress.h"

namespace webstrata {

// Once `token` is cancelled, waiting for a pipe or a terminal ends with Error(Cancelled). For the
// program alone: one token for the whole process, or null. A file on disk is never waited for.
void interrupt_files_by(const CancelToken* token);

// A whole file in memory, read-only. The file must not shrink while it is mapped.
class MappedFile {
 public:
  static MappedFile open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  MappedFile() = default;
  std::string_view bytes_;
};

// Bytes in order from a file, or from standard input by the name "-".
class FileReader {
 public:
  static FileReader open(const std::filesystem::path& path);
  FileReader(FileReader&& other) noexcept;
  FileReader& operator=(FileReader&& other) noexcept;
  ~FileReader();

  // Reads until `buffer` is full or the input ends; returns the number of bytes, 0 only at the end.
  std::size_t read(char* buffer, std::size_t size);
  // Moves to an absolute offset. Only where is_seekable().
  void seek(std::uint64_t offset);
  [[nodiscard]] bool is_seekable() const noexcept { return seekable_; }
  // Bytes of a regular file; 0 for pipes.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  FileReader() = default;
  int descriptor_ = -1;
  bool seekable_ = false;
  std::uint64_t size_ = 0;
  std::string name_;
};

// Writes next to `path` under a temporary name; commit() makes it durable and renames it. Without
// commit() the destructor removes it, and whatever was at `path` stays. A device or a pipe
// (/dev/null, /dev/stdout) is written to directly. Links that another process put in the folder are
// never followed: one under the temporary name is skipped, and one at `path` is replaced.
class FileWriter {
 public:
  // `mode` is narrowed by the process's umask.
  static FileWriter create(const std::filesystem::path& path, unsigned mode = 0666);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();

  void write(std::string_view bytes);
  // Writes what is buffered, fsyncs, renames, fsyncs the folder.
  void commit();
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  FileWriter() = default;
  void flush();
  void discard() noexcept;

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty: `path_` itself is written to
  int descriptor_ = -1;
  std::string buffer_;
  std::uint64_t size_ = 0;
};

// Call it before any file is opened. A standard stream that is closed (`<&-`) would otherwise
// become the number of the next file, and be read or written in its place. Using one then fails.
void hold_standard_streams();

// Writes all bytes to an open descriptor, such as standard output. `name` is for messages.
void write_all(int descriptor, std::string_view bytes, std::string_view name,
               bool is_interruptible = false);

// Makes the names in a folder durable: after a rename, before it is reported.
void sync_folder(const std::filesystem::path& folder);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view bytes, unsigned mode = 0666);

}  // namespace webstrata
