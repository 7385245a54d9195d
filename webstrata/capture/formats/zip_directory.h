// SPDX-License-Identifier: Apache-2.0

// The entries of a ZIP file, including large ones (ZIP64).
//
// Only what a WACZ needs: the list at the end of the file, or, where that is damaged or cut off,
// the headers before the entries. Nothing here inflates (zip_inflate.h does).

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/file.h"
#include "webstrata/base/report.h"
#include "webstrata/capture/remote/remote_stream.h"

namespace webstrata {

// Bytes at any place, in memory, in a file that can seek, or in a remote file with ranges.
class RandomAccess {
 public:
  // The bytes must outlive this.
  explicit RandomAccess(std::string_view memory) : memory_(memory), size_(memory.size()) {}
  // Throws Error(NotFound), Error(Io).
  explicit RandomAccess(const std::filesystem::path& path);

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // `size` bytes at `offset`, fewer at the end. The view lives until the next call.
  std::string_view read(std::uint64_t offset, std::size_t size);

 private:
  std::string_view memory_;
  std::optional<FileReader> file_;
  std::unique_ptr<RemoteStream> remote_;
  std::uint64_t size_ = 0;
  std::string buffer_;
};

enum class ZipMethod : std::uint16_t { Stored = 0, Deflated = 8 };

struct ZipEntry {
  std::string name;
  ZipMethod method = ZipMethod::Stored;  // other values may come from outside
  bool is_encrypted = false;
  std::uint32_t crc = 0;              // of the content; 0 if not known
  std::uint64_t compressed_size = 0;  // in the file
  std::uint64_t size = 0;             // of the content
  std::uint64_t header_offset = 0;    // where its local header begins
};

// In the order of the directory. Damage goes to the Report.
std::vector<ZipEntry> read_zip_directory(RandomAccess& zip, Report& report);

// Where the entry's bytes begin; empty, and reported as damage, if its local header is missing or
// its bytes would extend past the end of the file.
std::optional<std::uint64_t> find_zip_data(RandomAccess& zip, const ZipEntry& entry,
                                           Report& report);

}  // namespace webstrata
