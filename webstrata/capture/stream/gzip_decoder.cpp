// SPDX-License-Identifier: Apache-2.0

// Gzip is the hot one. A WARC holds a member per record, so a whole member is inflated at once by
// libdeflate, straight into the window: on 200 MB of HTML that measures about twice zlib's speed.
// A member that is larger than kWholeMemberMax (the whole file gzipped as one stream), or one that
// libdeflate rejects, goes through zlib, which works in steps and returns everything up to the
// damage. After damage the next member is searched for from the byte after the start of the bad
// one, not from where inflating stopped: a broken deflate stream may run on into the following
// members, which are intact.
//
// Tested by tests/capture/input_stream_test.cpp; fuzz/input_stream_fuzz.cpp.

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <string>

#include "webstrata/capture/stream/stream_decoder.h"

namespace webstrata {
namespace {

constexpr std::size_t kGzipHeaderBytes = 10;

// Inflates in steps; returns everything up to an error.
class SteppingInflater {
 public:
  SteppingInflater() {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~SteppingInflater() { inflateEnd(&stream_); }
  SteppingInflater(const SteppingInflater&) = delete;
  SteppingInflater& operator=(const SteppingInflater&) = delete;

  void reset() { inflateReset(&stream_); }

  enum class State { NeedsInput, HasMore, Finished, Failed };
  // Consumes bytes of `in` and writes up to `room` bytes; sets `written`. Throws std::bad_alloc:
  // too little memory must not count as damage.
  State step(std::string_view& in, char* out, std::size_t room, std::size_t& written) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(std::min<std::size_t>(in.size(), 1U << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const uInt offered = stream_.avail_in;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    written = room - stream_.avail_out;
    in.remove_prefix(offered - stream_.avail_in);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_STREAM_END) return State::Finished;
    if (code != Z_OK && code != Z_BUF_ERROR) return State::Failed;
    return stream_.avail_out == 0 ? State::HasMore : State::NeedsInput;
  }
  [[nodiscard]] std::string reason() const {
    return stream_.msg != nullptr ? stream_.msg : "gzip data is damaged";
  }

 private:
  z_stream stream_{};
};

struct FreeGzipDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

class GzipDecoder : public StreamDecoder {
 public:
  GzipDecoder(ByteSource& source, Report& report)
      : source_(source), report_(report), whole_(libdeflate_alloc_decompressor()) {
    if (whole_ == nullptr) throw std::bad_alloc();
  }

  // Moves to the first member at or after the source's position.
  void enter() {
    if (!inflates(source_.peek(kStepBytes))) search_member();
  }

  bool fill(StreamWindow& window) override {
    if (streaming_) return fill_streaming(window);
    if (!skip_padding()) return false;
    if (!looks_like_member(source_.peek(kGzipHeaderBytes))) {
      return find_next_member(window, "no gzip member where one should begin");
    }
    ++member_count_;
    window.mark(source_.offset());
    return fill_whole(window);
  }

 private:
  static bool looks_like_member(std::string_view bytes) {
    return bytes.size() >= kGzipHeaderBytes && bytes[0] == '\x1f' && bytes[1] == '\x8b' &&
           bytes[2] == 8 && (bytes[3] & 0xe0) == 0;
  }

  // Writers pad with zeros; that is not damage. False at the end of the input.
  bool skip_padding() {
    while (true) {
      const std::string_view bytes = source_.peek(kStepBytes / 4);
      if (bytes.empty()) return false;
      const auto start = std::min(bytes.find_first_not_of('\0'), bytes.size());
      source_.skip(start);
      if (start < bytes.size()) return true;
    }
  }

  // Inflates the member at the front of the source in one go, if it is of ordinary size and valid.
  bool fill_whole(StreamWindow& window) {
    std::size_t room = std::max(kStepBytes, window.buffer.room_size());
    std::size_t looked_at = source_.window().size();
    while (true) {
      const std::string_view in = source_.window();
      std::size_t used = 0;
      std::size_t written = 0;
      char* out = window.buffer.room(room);
      room = window.buffer.room_size();
      const auto result = libdeflate_gzip_decompress_ex(whole_.get(), in.data(), in.size(), out,
                                                        room, &used, &written);
      if (result == LIBDEFLATE_SUCCESS) {
        window.buffer.grow_by(written);
        source_.skip(used);
        return true;
      }
      if (result == LIBDEFLATE_INSUFFICIENT_SPACE && room < kWholeMemberMax) {
        room = std::min(room * 4, kWholeMemberMax);
      } else if (result == LIBDEFLATE_BAD_DATA && !source_.window_is_last() &&
                 looked_at < kWholeMemberMax) {
        looked_at = source_.peek(looked_at * 2).size();  // perhaps only cut by the window
      } else {
        return begin_streaming(window);
      }
    }
  }

  bool begin_streaming(StreamWindow& window) {
    inflater_.reset();
    streaming_ = true;
    member_offset_ = source_.offset();
    streamed_in_ = 0;
    return fill_streaming(window);
  }

  // The source keeps the member's bytes from its start until they exceed kWholeMemberMax, so that
  // the search for the next member can begin there if this one is bad.
  bool fill_streaming(StreamWindow& window) {
    const std::string_view available = source_.peek(streamed_in_ + kStepBytes);
    std::string_view in = available.substr(streamed_in_);
    const bool is_last = source_.window_is_last();
    char* out = window.buffer.room(kStepBytes);
    std::size_t written = 0;
    const auto state = inflater_.step(in, out, kStepBytes, written);
    window.buffer.grow_by(written);
    streamed_in_ = available.size() - in.size();
    switch (state) {
      case SteppingInflater::State::Finished:
        streaming_ = false;
        source_.skip(streamed_in_);
        return true;
      case SteppingInflater::State::Failed:
        streaming_ = false;
        return find_next_member(window, inflater_.reason());
      case SteppingInflater::State::NeedsInput:
        if (!is_last || !in.empty()) break;
        streaming_ = false;
        return find_next_member(window, "gzip member is cut off by the end of the file");
      case SteppingInflater::State::HasMore:
        break;
    }
    if (streamed_in_ > kWholeMemberMax) {
      source_.skip(streamed_in_);
      streamed_in_ = 0;
    }
    return true;
  }

  // Reports damage at the source's present offset and moves to the next member that can be
  // inflated. False if there is none.
  bool find_next_member(StreamWindow& window, std::string_view reason) {
    const std::uint64_t lost_at = source_.offset();
    report_.damaged(lost_at, reason);
    window.gap_pending = true;
    if (!search_member()) return false;
    report_.resynchronised(lost_at);
    return true;
  }

  // Moves to the next place after this one where a member can be inflated. False if there is none.
  bool search_member() {
    source_.skip(std::min<std::size_t>(1, source_.window().size()));
    while (true) {
      const std::string_view bytes = source_.peek(kStepBytes);
      const std::size_t start = bytes.find("\x1f\x8b\x08");
      if (start != std::string_view::npos) {
        source_.skip(start);
        if (inflates(source_.peek(kStepBytes))) return true;
        source_.skip(1);
      } else if (source_.window_is_last()) {
        source_.skip(bytes.size());
        return false;
      } else {
        source_.skip(bytes.size() - 2);
      }
    }
  }

  // True if the first bytes of the member can be inflated without an error.
  bool inflates(std::string_view in) {
    constexpr std::size_t kTried = 512;
    char out[kTried];
    std::size_t written = 0;
    if (!looks_like_member(in)) return false;
    inflater_.reset();
    const auto state = inflater_.step(in, out, kTried, written);
    return state == SteppingInflater::State::Finished ||
           state == SteppingInflater::State::HasMore ||
           (state == SteppingInflater::State::NeedsInput && written > 0);
  }

  ByteSource& source_;
  Report& report_;
  std::unique_ptr<libdeflate_decompressor, FreeGzipDecompressor> whole_;
  SteppingInflater inflater_;
  bool streaming_ = false;
  std::uint64_t member_offset_ = 0;
  std::size_t streamed_in_ = 0;  // bytes of the source's window that the inflater has consumed
};

}  // namespace

bool begins_gzip(std::string_view bytes) noexcept { return bytes.starts_with("\x1f\x8b"); }

std::unique_ptr<StreamDecoder> make_gzip_decoder(ByteSource& source, Report& report,
                                                 bool is_middle) {
  auto decoder = std::make_unique<GzipDecoder>(source, report);
  if (is_middle) decoder->enter();
  return decoder;
}

}  // namespace webstrata
