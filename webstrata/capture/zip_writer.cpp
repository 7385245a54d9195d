// SPDX-License-Identifier: Apache-2.0

// APPNOTE.TXT of PKWARE describes the bytes. An entry is a local header and its content; the list
// at the end of the file repeats the headers. All numbers are little-endian. A field of 32 bits
// that is too small holds 0xffffffff, and the number is in an extra field (ZIP64). Tested by
// tests/capture/zip_writer_test.cpp, which reads it with zip_directory.h, and with Python's zipfile
// by tests/cli/crawl_files_test.py.

#include "webstrata/capture/zip_writer.h"

#include <libdeflate.h>

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/capture/formats/zip_signatures.h"
#include "webstrata/capture/record/digest.h"

namespace webstrata {
namespace {

constexpr std::uint16_t kLargeExtra = 0x0001;
constexpr std::uint32_t kTooLarge = 0xffffffff;
constexpr std::uint16_t kTooMany = 0xffff;
constexpr std::uint16_t kNamesAreUtf8 = 1 << 11;
constexpr std::uint16_t kPlainVersion = 20;
constexpr std::uint16_t kLargeVersion = 45;
constexpr std::size_t kZipBufferBytes = std::size_t{1} << 20;

void put16(std::string& out, std::uint64_t number) {
  out.push_back(static_cast<char>(number & 0xff));
  out.push_back(static_cast<char>(number >> 8 & 0xff));
}
void put32(std::string& out, std::uint64_t number) {
  put16(out, number & 0xffff);
  put16(out, number >> 16);
}
void put64(std::string& out, std::uint64_t number) {
  put32(out, number & 0xffffffff);
  put32(out, number >> 32);
}

// Date and time as MS-DOS had them: 7 bits of years since 1980, in steps of two seconds.
std::uint32_t dos_time_of(Time time) {
  const std::string digits = to_timestamp14(time);
  const auto part = [&](std::size_t at, std::size_t size) {
    return static_cast<std::uint32_t>(std::stoul(digits.substr(at, size)));
  };
  const std::uint32_t year = part(0, 4);
  if (year < 1980 || year > 2107) return 1 << 21 | 1 << 16;  // the first day it knows
  return (year - 1980) << 25 | part(4, 2) << 21 | part(6, 2) << 16 | part(8, 2) << 11 |
         part(10, 2) << 5 | part(12, 2) / 2;
}

// Calls `take` with the bytes of a file, piece by piece.
template <typename Take>
void each_piece(const std::filesystem::path& file, const Take& take) {
  FileReader reader = FileReader::open(file);
  std::string buffer(kZipBufferBytes, '\0');
  while (const std::size_t count = reader.read(buffer.data(), buffer.size())) {
    take(std::string_view(buffer).substr(0, count));
  }
}

}  // namespace

ZipWriter::ZipWriter(const std::filesystem::path& path, Time time, std::uint64_t large_from)
    : out_(FileWriter::create(path)), large_from_(large_from), dos_time_(dos_time_of(time)) {}

void ZipWriter::begin(const Entry& entry) {
  const bool large = is_large(entry.size);
  std::string header;
  put32(header, kZipLocalHeader);
  put16(header, large ? kLargeVersion : kPlainVersion);
  put16(header, kNamesAreUtf8);
  put16(header, 0);  // stored
  put32(header, dos_time_);
  put32(header, entry.crc);
  put32(header, large ? kTooLarge : entry.size);
  put32(header, large ? kTooLarge : entry.size);
  put16(header, entry.name.size());
  put16(header, large ? 20 : 0);
  header += entry.name;
  if (large) {
    put16(header, kLargeExtra);
    put16(header, 16);
    put64(header, entry.size);
    put64(header, entry.size);
  }
  out_.write(header);
}

ZippedEntry ZipWriter::add_bytes(const std::string& name, std::string_view bytes) {
  Sha256 sha;
  sha.add(bytes);
  const Entry entry{name, libdeflate_crc32(0, bytes.data(), bytes.size()), bytes.size(),
                    out_.size()};
  begin(entry);
  out_.write(bytes);
  entries_.push_back(entry);
  return {name, sha.hexadecimal(), bytes.size()};
}

ZippedEntry ZipWriter::add_file(const std::string& name, const std::filesystem::path& file) {
  Entry entry{name, 0, 0, out_.size()};
  Sha256 sha;
  each_piece(file, [&](std::string_view bytes) {
    sha.add(bytes);
    entry.crc = libdeflate_crc32(entry.crc, bytes.data(), bytes.size());
    entry.size += bytes.size();
  });
  begin(entry);
  std::uint64_t copied = 0;
  std::uint32_t crc = 0;
  each_piece(file, [&](std::string_view bytes) {
    out_.write(bytes);
    crc = libdeflate_crc32(crc, bytes.data(), bytes.size());
    copied += bytes.size();
  });
  if (copied != entry.size || crc != entry.crc) {
    throw Error(ErrorKind::Io, fmt::format("{}: it changed while it was copied", file.string()));
  }
  entries_.push_back(entry);
  return {name, sha.hexadecimal(), entry.size};
}

void ZipWriter::append_directory_entry(std::string& out, const Entry& entry) const {
  const bool large_size = is_large(entry.size);
  const bool large_place = is_large(entry.place);
  std::string extra;
  if (large_size) put64(extra, entry.size), put64(extra, entry.size);
  if (large_place) put64(extra, entry.place);
  const std::uint16_t version = extra.empty() ? kPlainVersion : kLargeVersion;
  put32(out, kZipDirectoryEntry);
  put16(out, version);
  put16(out, version);
  put16(out, kNamesAreUtf8);
  put16(out, 0);
  put32(out, dos_time_);
  put32(out, entry.crc);
  put32(out, large_size ? kTooLarge : entry.size);
  put32(out, large_size ? kTooLarge : entry.size);
  put16(out, entry.name.size());
  put16(out, extra.empty() ? 0 : extra.size() + 4);
  put16(out, 0);  // comment
  put16(out, 0);  // disk
  put16(out, 0);  // attributes
  put32(out, 0);
  put32(out, large_place ? kTooLarge : entry.place);
  out += entry.name;
  if (extra.empty()) return;
  put16(out, kLargeExtra);
  put16(out, extra.size());
  out += extra;
}

void ZipWriter::finish() {
  const std::uint64_t start = out_.size();
  std::string end;
  for (const Entry& entry : entries_) append_directory_entry(end, entry);
  const std::uint64_t size = end.size();
  const std::uint64_t count = entries_.size();
  const bool large = is_large(start) || is_large(size) || count >= kTooMany;
  if (large) {
    put32(end, kZip64End);
    put64(end, 44);  // bytes that follow in this record
    put16(end, kLargeVersion);
    put16(end, kLargeVersion);
    put32(end, 0);
    put32(end, 0);
    put64(end, count);
    put64(end, count);
    put64(end, size);
    put64(end, start);
    put32(end, kZip64EndLocator);
    put32(end, 0);
    put64(end, start + size);
    put32(end, 1);
  }
  put32(end, kZipEnd);
  put16(end, 0);
  put16(end, 0);
  put16(end, large ? kTooMany : count);
  put16(end, large ? kTooMany : count);
  put32(end, large ? kTooLarge : size);
  put32(end, large ? kTooLarge : start);
  put16(end, 0);
  out_.write(end);
  out_.commit();
}

}  // namespace webstrata
