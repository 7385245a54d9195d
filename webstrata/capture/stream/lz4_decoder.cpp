// SPDX-License-Identifier: Apache-2.0

// LZ4 in frames, as .warc.lz4 has one for each record (FastWARC writes them so).
// Tested by tests/capture/input_stream_test.cpp and tests/capture/lz4_peers_test.py;
// fuzz/input_stream_fuzz.cpp.

#include <lz4frame.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "webstrata/capture/stream/stream_decoder.h"

namespace webstrata {
namespace {

constexpr std::string_view kLz4Magic = "\x04\x22\x4d\x18";

// Too little memory must not count as damage. The library says which error it was by name only.
bool is_out_of_memory(std::size_t result) noexcept {
  return LZ4F_isError(result) != 0 &&
         std::string_view(LZ4F_getErrorName(result)) == "ERROR_allocation_failed";
}

class Lz4Decoder : public StreamDecoder {
 public:
  Lz4Decoder(ByteSource& source, Report& report) : source_(source), report_(report) {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) {
      throw std::bad_alloc();
    }
  }
  Lz4Decoder(const Lz4Decoder&) = delete;
  Lz4Decoder& operator=(const Lz4Decoder&) = delete;
  ~Lz4Decoder() override { LZ4F_freeDecompressionContext(context_); }

  bool fill(StreamWindow& window) override {
    const std::string_view bytes = source_.peek(taken_ + kStepBytes);
    if (bytes.size() == taken_) return end_of_input(window);
    if (!inside_frame_) {
      if (!begins_lz4(bytes)) return find_next_frame(window, "no lz4 frame where one should begin");
      inside_frame_ = true;
      ++member_count_;
      window.mark(source_.offset());
      frame_offset_ = source_.offset();
    }
    std::size_t written = kStepBytes;
    std::size_t used = bytes.size() - taken_;
    char* out = window.buffer.room(kStepBytes);
    const std::size_t result =
        LZ4F_decompress(context_, out, &written, bytes.data() + taken_, &used, nullptr);
    if (is_out_of_memory(result)) throw std::bad_alloc();
    if (LZ4F_isError(result) != 0) return find_next_frame(window, LZ4F_getErrorName(result));
    window.buffer.grow_by(written);
    taken_ += used;
    if (result == 0) inside_frame_ = false;
    // As with gzip, a frame's bytes stay until it has proved valid or grown large.
    if (result == 0 || taken_ > kWholeMemberMax) {
      source_.skip(taken_);
      taken_ = 0;
    }
    return true;
  }

 private:
  // The decompressor may still have bytes when the input is used up.
  bool end_of_input(StreamWindow& window) {
    if (!inside_frame_) return false;
    std::size_t written = kStepBytes;
    std::size_t used = 0;
    char* out = window.buffer.room(kStepBytes);
    const std::size_t result = LZ4F_decompress(context_, out, &written, "", &used, nullptr);
    if (LZ4F_isError(result) == 0 && written > 0) {
      window.buffer.grow_by(written);
      return true;
    }
    return find_next_frame(window, "lz4 frame is cut off by the end of the file");
  }

  bool find_next_frame(StreamWindow& window, std::string_view reason) {
    report_.damaged(inside_frame_ ? frame_offset_ : source_.offset(), reason);
    window.gap_pending = true;
    inside_frame_ = false;
    taken_ = 0;
    LZ4F_resetDecompressionContext(context_);
    source_.skip(std::min<std::size_t>(1, source_.window().size()));
    while (true) {
      const std::string_view bytes = source_.peek(kStepBytes);
      const std::size_t start = bytes.find(kLz4Magic);
      if (start != std::string_view::npos) {
        source_.skip(start);
        report_.resynchronised(source_.offset());
        return true;
      }
      if (source_.window_is_last()) {
        source_.skip(bytes.size());
        return false;
      }
      source_.skip(bytes.size() - (kLz4Magic.size() - 1));
    }
  }

  ByteSource& source_;
  Report& report_;
  LZ4F_dctx* context_ = nullptr;
  bool inside_frame_ = false;
  std::uint64_t frame_offset_ = 0;
  std::size_t taken_ = 0;  // bytes of the source's window that the decompressor has taken
};

}  // namespace

bool begins_lz4(std::string_view bytes) noexcept { return bytes.starts_with(kLz4Magic); }

std::unique_ptr<StreamDecoder> make_lz4_decoder(ByteSource& source, Report& report) {
  return std::make_unique<Lz4Decoder>(source, report);
}

}  // namespace webstrata
