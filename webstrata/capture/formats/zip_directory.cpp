// SPDX-License-Identifier: Apache-2.0

// The layout is that of PKWARE's APPNOTE.TXT 6.3.9, sections 4.3.7 (local header), 4.3.12 (central
// directory), 4.3.14 to 4.3.16 (end records) and 4.5.3 (ZIP64 extra field).
// Tested by tests/capture/zip_directory_test.cpp.

#include "webstrata/capture/formats/zip_directory.h"

#include <algorithm>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/capture/formats/zip_signatures.h"

namespace webstrata {
namespace {

constexpr std::string_view kEndMark = "PK\5\6";
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEnd64LocatorBytes = 20;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kLocalHeaderBytes = 30;
constexpr std::size_t kCommentMax = 65535;
constexpr std::size_t kNameAndExtraMax = 2 * 65535;
constexpr std::uint64_t kDirectoryBytesMax = std::uint64_t{256} << 20;
constexpr std::uint16_t kZip64Field = 1;
constexpr std::uint32_t kIn64 = 0xffffffff;  // "see the ZIP64 field"
constexpr std::uint16_t kEncryptedFlag = 1;
constexpr std::uint16_t kSizesBehindFlag = 8;  // sizes follow the content, the header has zeros

struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

// Replaces the sizes that did not fit into 32 bits; the field contains only those, in this order.
void apply_extra(std::string_view extra, ZipEntry& entry) {
  ByteReader fields(extra, "ZIP extra field");
  while (fields.remaining() >= 4) {
    const std::uint16_t tag = fields.u16();
    const std::size_t told = fields.u16();
    ByteReader field(fields.take(std::min(told, fields.remaining())), "ZIP64 field");
    if (tag != kZip64Field) continue;
    for (std::uint64_t* value : {&entry.size, &entry.compressed_size, &entry.header_offset}) {
      if (*value == kIn64 && field.remaining() >= 8) *value = field.u64();
    }
  }
}

// Reads from after the signature of a directory entry.
ZipEntry read_directory_entry(ByteReader& bytes) {
  ZipEntry entry;
  bytes.take(4);  // versions
  entry.is_encrypted = (bytes.u16() & kEncryptedFlag) != 0;
  entry.method = static_cast<ZipMethod>(bytes.u16());
  bytes.take(4);  // time and date
  entry.crc = bytes.u32();
  entry.compressed_size = bytes.u32();
  entry.size = bytes.u32();
  const std::size_t name_size = bytes.u16();
  const std::size_t extra_size = bytes.u16();
  const std::size_t comment_size = bytes.u16();
  bytes.take(8);  // disk and attributes
  entry.header_offset = bytes.u32();
  entry.name = bytes.take(name_size);
  apply_extra(bytes.take(extra_size), entry);
  bytes.take(comment_size);
  return entry;
}

struct LocalHeader {
  ZipEntry entry;
  bool sizes_behind = false;
  std::uint64_t data_offset = 0;
};

// The local header at `offset`, if there is one.
std::optional<LocalHeader> read_local_header(RandomAccess& zip, std::uint64_t offset) {
  ByteReader bytes(zip.read(offset, kLocalHeaderBytes + kNameAndExtraMax), "ZIP local header");
  if (bytes.remaining() < kLocalHeaderBytes || bytes.u32() != kZipLocalHeader) return std::nullopt;
  LocalHeader header;
  bytes.take(2);  // version
  const std::uint16_t flags = bytes.u16();
  header.entry.is_encrypted = (flags & kEncryptedFlag) != 0;
  header.sizes_behind = (flags & kSizesBehindFlag) != 0;
  header.entry.method = static_cast<ZipMethod>(bytes.u16());
  bytes.take(4);  // time and date
  header.entry.crc = bytes.u32();
  header.entry.compressed_size = bytes.u32();
  header.entry.size = bytes.u32();
  const std::size_t name_size = bytes.u16();
  const std::size_t extra_size = bytes.u16();
  if (bytes.remaining() < name_size + extra_size) return std::nullopt;
  header.entry.name = bytes.take(name_size);
  apply_extra(bytes.take(extra_size), header.entry);
  header.entry.header_offset = offset;
  header.data_offset = offset + bytes.position();
  return header;
}

// The place of the directory according to the ZIP64 end record.
std::optional<Extent> find_directory64(RandomAccess& zip, std::uint64_t end_offset) {
  if (end_offset < kEnd64LocatorBytes) return std::nullopt;
  ByteReader locator(zip.read(end_offset - kEnd64LocatorBytes, kEnd64LocatorBytes),
                     "ZIP64 locator");
  if (locator.u32() != kZip64EndLocator) return std::nullopt;
  locator.take(4);  // disk
  ByteReader end(zip.read(locator.u64(), kEnd64Bytes), "ZIP64 end record");
  if (end.remaining() < kEnd64Bytes || end.u32() != kZip64End) return std::nullopt;
  end.take(36);  // its own size, versions, disks, counts
  Extent directory;
  directory.size = end.u64();
  directory.offset = end.u64();
  return directory;
}

std::optional<Extent> find_directory(RandomAccess& zip) {
  const std::uint64_t tail_size = std::min<std::uint64_t>(zip.size(), kEndBytes + kCommentMax);
  const std::uint64_t tail_offset = zip.size() - tail_size;
  const std::string_view tail = zip.read(tail_offset, tail_size);
  const std::size_t end = tail.rfind(kEndMark);
  if (end == std::string_view::npos || tail.size() - end < kEndBytes) return std::nullopt;
  ByteReader bytes(tail.substr(end), "ZIP end record");
  bytes.take(12);  // signature, disks, counts
  Extent directory;
  directory.size = bytes.u32();
  directory.offset = bytes.u32();
  if (const auto large = find_directory64(zip, tail_offset + end)) return large;
  return directory;
}

bool lies_inside(const Extent& extent, std::uint64_t size) {
  return extent.offset <= size && extent.size <= size - extent.offset;
}

std::vector<ZipEntry> read_entries(std::string_view directory, std::uint64_t offset,
                                   Report& report) {
  std::vector<ZipEntry> entries;
  ByteReader bytes(directory, "ZIP directory");
  try {
    while (!bytes.at_end()) {
      if (bytes.u32() != kZipDirectoryEntry)
        throw Error(ErrorKind::Corrupt, "not a ZIP directory entry");
      entries.push_back(read_directory_entry(bytes));
    }
  } catch (const Error& error) {
    report.damaged(offset + bytes.position(), error.what());
  }
  return entries;
}

// Without a directory: follows the local headers as far as their sizes are known.
std::vector<ZipEntry> walk_local_headers(RandomAccess& zip, Report& report) {
  std::vector<ZipEntry> entries;
  std::uint64_t offset = 0;
  while (auto header = read_local_header(zip, offset)) {
    ZipEntry& entry = header->entry;
    const std::uint64_t available = zip.size() - header->data_offset;
    if (header->sizes_behind && entry.compressed_size == 0) {
      report.damaged(offset, "ZIP entry " + entry.name + " does not state its size");
      entry.compressed_size = available;
      entry.size = UINT64_MAX;
    } else if (entry.compressed_size > available) {
      report.damaged(zip.size(), "ZIP entry " + entry.name + " is cut off");
      entry.compressed_size = available;
    }
    offset = header->data_offset + entry.compressed_size;
    entry.crc = 0;  // a truncated entry cannot match it
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

RandomAccess::RandomAccess(const std::filesystem::path& path) {
  if (is_remote(path.native())) {
    remote_ = std::make_unique<RemoteStream>(RemoteFile::open(path.native()), 0);
    size_ = remote_->file().size().value_or(0);
    return;
  }
  file_ = FileReader::open(path);
  size_ = file_->size();
}

std::string_view RandomAccess::read(std::uint64_t offset, std::size_t size) {
  if (offset >= size_) return {};
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
  if (!file_ && !remote_) return memory_.substr(offset, size);
  buffer_.resize(size);
  if (remote_) {
    remote_->seek(offset);
    buffer_.resize(remote_->read(buffer_.data(), size));
    return buffer_;
  }
  file_->seek(offset);
  buffer_.resize(file_->read(buffer_.data(), size));
  return buffer_;
}

std::vector<ZipEntry> read_zip_directory(RandomAccess& zip, Report& report) {
  const auto directory = find_directory(zip);
  if (!directory || !lies_inside(*directory, zip.size()) || directory->size > kDirectoryBytesMax) {
    report.damaged(zip.size(), "the ZIP directory is missing or damaged; its entries are searched");
    return walk_local_headers(zip, report);
  }
  return read_entries(zip.read(directory->offset, directory->size), directory->offset, report);
}

std::optional<std::uint64_t> find_zip_data(RandomAccess& zip, const ZipEntry& entry,
                                           Report& report) {
  const auto header = read_local_header(zip, entry.header_offset);
  if (!header || !lies_inside({header->data_offset, entry.compressed_size}, zip.size())) {
    report.damaged(entry.header_offset, "ZIP entry " + entry.name + " is not where it should be");
    return std::nullopt;
  }
  return header->data_offset;
}

}  // namespace webstrata
