// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/wacz_reader_test.cpp.

#include "webstrata/capture/formats/zip_inflate.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <string>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr std::size_t kZipStepBytes = std::size_t{1} << 18;
constexpr int kRawDeflate = -15;  // no zlib or gzip header, the largest window

class ZipInflater : public ByteProducer {
 public:
  ZipInflater(RandomAccess& zip, std::uint64_t data_offset, ZipEntry entry, Report& report)
      : zip_(zip), data_offset_(data_offset), entry_(std::move(entry)), report_(report) {
    if (inflateInit2(&stream_, kRawDeflate) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ZipInflater(const ZipInflater&) = delete;
  ZipInflater& operator=(const ZipInflater&) = delete;
  ~ZipInflater() override { inflateEnd(&stream_); }

  std::size_t produce(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done < size && !ended_) {
      const std::size_t count = inflate_some(to + done, size - done);
      done += keep(to + done, count);
    }
    return done;
  }

 private:
  // Inflates up to `size` bytes, perhaps none; sets ended_.
  std::size_t inflate_some(char* to, std::size_t size) {
    const bool has_input =
        stream_.avail_in > 0 || feed();  // if not, zlib may still have some bytes
    const auto room = static_cast<uInt>(std::min<std::size_t>(size, kZipStepBytes));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = room;
    const int state = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t count = room - stream_.avail_out;
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_STREAM_END) {
      is_whole_ = true;
      ended_ = true;
    } else if ((state != Z_OK && state != Z_BUF_ERROR) || (!has_input && count == 0)) {
      end(" cannot be inflated to its end");
    }
    return count;
  }

  // Reads more of the entry; false at its end. The bytes are copied, because the next read of the
  // ZIP by any caller overwrites them.
  bool feed() {
    const auto step = std::min<std::uint64_t>(kZipStepBytes, entry_.compressed_size - read_);
    if (step == 0) return false;
    packed_ = zip_.read(data_offset_ + read_, step);
    read_ += packed_.size();
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = static_cast<uInt>(packed_.size());
    return !packed_.empty();
  }

  // Compares the inflated bytes with the entry; returns how much of them is valid.
  std::size_t keep(const char* bytes, std::size_t count) {
    const auto kept =
        static_cast<std::size_t>(std::min<std::uint64_t>(count, entry_.size - given_));
    crc_ = crc32(crc_, reinterpret_cast<const Bytef*>(bytes), static_cast<uInt>(kept));
    given_ += kept;
    if (kept < count) {
      is_whole_ = false;
      end(" holds more than it declares");
    } else if (std::exchange(is_whole_, false) && entry_.crc != 0 && crc_ != entry_.crc) {
      report_.damaged(data_offset_, "checksum of ZIP entry " + entry_.name + " differs");
    }
    return kept;
  }

  void end(const std::string& problem) {
    if (!std::exchange(is_reported_, true)) {
      report_.damaged(data_offset_, "ZIP entry " + entry_.name + problem);
    }
    ended_ = true;
  }

  RandomAccess& zip_;
  std::uint64_t data_offset_;
  ZipEntry entry_;
  Report& report_;
  z_stream stream_ = {};
  std::string packed_;
  uLong crc_ = crc32(0, nullptr, 0);
  std::uint64_t read_ = 0;   // of the packed bytes
  std::uint64_t given_ = 0;  // of the content
  bool ended_ = false;
  bool is_whole_ = false;  // the last bytes have just arrived
  bool is_reported_ = false;
};

}  // namespace

std::unique_ptr<ByteProducer> inflate_zip_entry(RandomAccess& zip, std::uint64_t data_offset,
                                                const ZipEntry& entry, Report& report) {
  return std::make_unique<ZipInflater>(zip, data_offset, entry, report);
}

}  // namespace webstrata
