// SPDX-License-Identifier: Apache-2.0

// Writes a ZIP file whose entries are stored as they are, so that a reader can fetch a part of one
// by its place: what WACZ asks for. Large ones (ZIP64) included.
//
//   ZipWriter zip("crawl.wacz", time);
//   const ZippedEntry entry = zip.add_file("archive/a.warc.gz", "warc/a.warc.gz");
//   zip.add_bytes("datapackage.json", text);
//   zip.finish();

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/file.h"
#include "webstrata/base/time.h"

namespace webstrata {

struct ZippedEntry {
  std::string name;
  std::string sha256;  // in hexadecimal digits
  std::uint64_t bytes = 0;
};

class ZipWriter {
 public:
  // Entries have the date `time`. Sizes and places of `large_from` bytes and more are written as
  // ZIP64 does; tests lower it.
  ZipWriter(const std::filesystem::path& path, Time time, std::uint64_t large_from = 0xffffffff);

  ZippedEntry add_bytes(const std::string& name, std::string_view bytes);
  // Reads the file twice: its checksum precedes its bytes. Throws Error(Io) if it changes
  // meanwhile.
  ZippedEntry add_file(const std::string& name, const std::filesystem::path& file);
  // Puts the file in place, durable; without this call none is left.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
    std::uint64_t place = 0;
  };
  void begin(const Entry& entry);
  [[nodiscard]] bool is_large(std::uint64_t number) const noexcept { return number >= large_from_; }
  void append_directory_entry(std::string& out, const Entry& entry) const;

  FileWriter out_;
  std::uint64_t large_from_;
  std::uint32_t dos_time_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace webstrata
