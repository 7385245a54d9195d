// SPDX-License-Identifier: Apache-2.0

// Zstd in frames, as .warc.zst has one for each record, with or without a leading dictionary.
// Tested by tests/capture/input_stream_test.cpp; fuzz/input_stream_fuzz.cpp.

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include <fmt/format.h>

#include "webstrata/capture/stream/stream_decoder.h"

namespace webstrata {
namespace {

constexpr int kZstdWindowLogMax = 27;  // zstd --long=27: 128 MB
constexpr std::uint32_t kZstdMagic = 0xfd2fb528;
constexpr std::uint32_t kZstdDictionaryFrame = 0x184d2a5d;
constexpr std::size_t kDictionaryMax = std::size_t{32} << 20;

std::uint32_t u32_at(std::string_view bytes) noexcept {
  std::uint32_t value = 0;
  if (bytes.size() >= 4) std::memcpy(&value, bytes.data(), 4);
  return value;
}

// Too little memory must not count as damage.
void throw_if_out_of_memory(std::size_t result) {
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
}

struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdDecoder : public StreamDecoder {
 public:
  ZstdDecoder(ByteSource& source, Report& report)
      : source_(source), report_(report), context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kZstdWindowLogMax);
    load_dictionary();
  }

  bool fill(StreamWindow& window) override {
    const std::string_view bytes = source_.peek(taken_ + kStepBytes);
    const bool is_used_up = bytes.size() == taken_;
    if (is_used_up && !inside_frame_) return false;
    if (!inside_frame_) {
      if (!begins_zstd(bytes)) {
        return find_next_frame(window, "no zstd frame where one should begin");
      }
      inside_frame_ = true;
      frame_offset_ = source_.offset();
      ++member_count_;
      window.mark(frame_offset_);
    }
    ZSTD_inBuffer in{bytes.data(), bytes.size(), taken_};
    ZSTD_outBuffer out{window.buffer.room(kStepBytes), kStepBytes, 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
    throw_if_out_of_memory(result);
    window.buffer.grow_by(out.pos);
    taken_ = in.pos;
    // The decompressor may still have bytes of the last block when the input is used up.
    if (is_used_up && out.pos == 0 && result != 0) {
      return find_next_frame(window, "zstd frame is cut off by the end of the file");
    }
    if (ZSTD_isError(result) != 0) return find_next_frame(window, ZSTD_getErrorName(result));
    if (result == 0) inside_frame_ = false;
    // As with gzip, a frame's bytes stay until it has proved valid or grown large.
    if (result == 0 || taken_ > kWholeMemberMax) {
      source_.skip(taken_);
      taken_ = 0;
    }
    return true;
  }

 private:
  // The file may begin with a skippable frame that holds the dictionary of all other frames.
  void load_dictionary() {
    const std::string_view head = source_.peek(8);
    if (u32_at(head) != kZstdDictionaryFrame || head.size() < 8) return;
    const std::size_t size = u32_at(head.substr(4));
    if (size > kDictionaryMax || source_.peek(8 + size).size() < 8 + size) {
      report_.damaged(0, "the zstd dictionary frame is cut off or too large");
      return;
    }
    std::string dictionary(source_.window().substr(8, size));
    if (u32_at(dictionary) == kZstdMagic) dictionary = decompress(dictionary);
    const auto result =
        ZSTD_DCtx_loadDictionary(context_.get(), dictionary.data(), dictionary.size());
    throw_if_out_of_memory(result);
    if (ZSTD_isError(result) != 0) {
      report_.damaged(0, fmt::format("zstd dictionary: {}", ZSTD_getErrorName(result)));
    }
    source_.skip(8 + size);
  }

  static std::string decompress(std::string_view frame) {
    std::string out(kDictionaryMax, '\0');
    const auto size = ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size());
    throw_if_out_of_memory(size);
    out.resize(ZSTD_isError(size) != 0 ? 0 : size);
    return out;
  }

  bool find_next_frame(StreamWindow& window, std::string_view reason) {
    report_.damaged(inside_frame_ ? frame_offset_ : source_.offset(), reason);
    window.gap_pending = true;
    inside_frame_ = false;
    taken_ = 0;
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    source_.skip(std::min<std::size_t>(1, source_.window().size()));
    while (true) {
      const std::string_view bytes = source_.peek(kStepBytes);
      const std::size_t start = bytes.find("\x28\xb5\x2f\xfd");
      if (start != std::string_view::npos) {
        source_.skip(start);
        report_.resynchronised(source_.offset());
        return true;
      }
      if (source_.window_is_last()) {
        source_.skip(bytes.size());
        return false;
      }
      source_.skip(bytes.size() - 3);
    }
  }

  ByteSource& source_;
  Report& report_;
  std::unique_ptr<ZSTD_DCtx, FreeZstd> context_;
  bool inside_frame_ = false;
  std::uint64_t frame_offset_ = 0;
  std::size_t taken_ = 0;  // bytes of the source's window that the decompressor has taken
};

}  // namespace

bool begins_zstd(std::string_view bytes) noexcept {
  const std::uint32_t magic = u32_at(bytes);
  return magic == kZstdMagic || (magic & 0xfffffff0) == 0x184d2a50;
}

std::unique_ptr<StreamDecoder> make_zstd_decoder(ByteSource& source, Report& report) {
  return std::make_unique<ZstdDecoder>(source, report);
}

}  // namespace webstrata
