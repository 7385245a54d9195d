// Tested by tests/capture/wacz_reader_test.cpp.

#include "webstrata/capture/formats/zip_inflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::size_t kStepBytes = std::size_t{1} << 18;
constexpr int kRawDeflate = -15;  // no zlib or gzip header, the largest window

class Inflater {
 public:
  Inflater() : piece_(kStepBytes, '\0') {
    if (inflateInit2(&stream_, kRawDeflate) != Z_OK) {
      throw Error(ErrorKind::Io, "no memory to inflate a ZIP entry");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  void feed(std::string_view bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }
  // What the bytes fed last give; empty once they are used up or at the end.
  std::string_view next() {
    stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
    stream_.avail_out = static_cast<uInt>(piece_.size());
    state_ = inflate(&stream_, Z_NO_FLUSH);
    return std::string_view(piece_).substr(0, piece_.size() - stream_.avail_out);
  }
  [[nodiscard]] bool at_end() const { return state_ == Z_STREAM_END; }
  [[nodiscard]] bool is_damaged() const {
    return state_ != Z_OK && state_ != Z_STREAM_END && state_ != Z_BUF_ERROR;
  }

 private:
  z_stream stream_ = {};
  std::string piece_;
  int state_ = Z_OK;
};

}  // namespace

void inflate_zip_entry(RandomAccess& zip, std::uint64_t data_offset, const ZipEntry& entry,
                       Report& report, const std::function<void(std::string_view)>& give) {
  Inflater inflater;
  uLong crc = crc32(0, nullptr, 0);
  std::uint64_t given = 0;
  std::uint64_t read = 0;
  while (read < entry.compressed_size && !inflater.at_end() && !inflater.is_damaged()) {
    const auto step = std::min<std::uint64_t>(kStepBytes, entry.compressed_size - read);
    const std::string_view bytes = zip.read(data_offset + read, step);
    if (bytes.empty()) break;
    read += bytes.size();
    inflater.feed(bytes);
    for (auto piece = inflater.next(); !piece.empty(); piece = inflater.next()) {
      const bool too_much = piece.size() > entry.size - given;
      piece = piece.substr(0, entry.size - given);
      crc =
          crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
      given += piece.size();
      give(piece);
      if (too_much) {
        report.damaged(data_offset, "ZIP entry " + entry.name + " holds more than it tells");
        return;
      }
    }
  }
  if (!inflater.at_end()) {
    report.damaged(data_offset, "ZIP entry " + entry.name + " cannot be inflated to its end");
  } else if (entry.crc != 0 && crc != entry.crc) {
    report.damaged(data_offset, "checksum of ZIP entry " + entry.name + " differs");
  }
}

}  // namespace webstrata
