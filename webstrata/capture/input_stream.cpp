// One decoder per compression behind a common window.
//
// Gzip is the hot one. A WARC holds a member per record, so a whole member is inflated at once by
// libdeflate, straight into the window: on 200 MB of HTML that measures about twice zlib's speed.
// A member that is larger than kWholeMemberMax (somebody gzipped the whole file as one stream), or
// one that libdeflate refuses, goes through zlib, which works in steps and gives everything up to
// the place of the damage. After damage the next member is searched from the byte behind the start
// of the bad one, not from where inflating stopped: a broken deflate stream may run on into the
// members behind it, and those are intact.
//
// Tested by tests/capture/input_stream_test.cpp; fuzz/input_stream_fuzz.cpp.

#include "webstrata/capture/input_stream.h"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/capture/byte_source.h"

namespace webstrata {
namespace {

constexpr std::size_t kStepBytes = std::size_t{1} << 18;
constexpr std::size_t kWholeMemberMax = std::size_t{16} << 20;
constexpr std::size_t kGzipHeaderBytes = 10;
constexpr int kZstdWindowLogMax = 27;  // zstd --long=27: 128 MB
constexpr std::uint32_t kZstdMagic = 0xfd2fb528;
constexpr std::uint32_t kZstdDictionaryFrame = 0x184d2a5d;
constexpr std::size_t kDictionaryMax = std::size_t{32} << 20;

std::uint32_t u32_at(std::string_view bytes) {
  std::uint32_t value = 0;
  if (bytes.size() >= 4) std::memcpy(&value, bytes.data(), 4);
  return value;
}

bool is_zstd_magic(std::string_view bytes) {
  const std::uint32_t magic = u32_at(bytes);
  return magic == kZstdMagic || (magic & 0xfffffff0) == 0x184d2a50;
}

Compression compression_of(std::string_view bytes) {
  if (bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b') return Compression::Gzip;
  if (is_zstd_magic(bytes)) return Compression::Zstd;
  return Compression::None;
}

// What the decoders write into.
struct Window {
  // Where a member begins (or, in a plain file, where the position in the file jumps).
  struct Mark {
    std::uint64_t position = 0;  // in the decompressed stream
    std::uint64_t offset = 0;    // in the file
    bool after_gap = false;
  };

  GrowingBuffer buffer;
  std::uint64_t position = 0;  // of the first byte in the buffer
  std::deque<Mark> marks;      // the first one covers `position`, unless nothing was read yet
  bool gap_pending = false;    // the next mark comes after a gap

  [[nodiscard]] std::uint64_t end() const noexcept { return position + buffer.size(); }
  void mark(std::uint64_t offset) {
    marks.push_back({end(), offset, std::exchange(gap_pending, false)});
  }
  // Bytes up to the next gap, or all.
  [[nodiscard]] std::size_t before_gap() const noexcept {
    for (std::size_t i = 1; i < marks.size(); ++i) {
      if (marks[i].after_gap && marks[i].position > position) return marks[i].position - position;
    }
    return buffer.size();
  }
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  // Appends some bytes to the window; false at the end. May append none and return true.
  virtual bool fill(Window& window) = 0;
  [[nodiscard]] std::uint64_t member_count() const noexcept { return member_count_; }

 protected:
  std::uint64_t member_count_ = 0;
};

// ---- plain ------------------------------------------------------------------------------------

class PlainDecoder : public Decoder {
 public:
  explicit PlainDecoder(ByteSource& source) : source_(source) {}

  bool fill(Window& window) override {
    const std::string_view first = source_.window();  // what recognising looked at
    if (!first.empty()) {
      std::memcpy(window.buffer.room(first.size()), first.data(), first.size());
      window.buffer.grow_by(first.size());
      source_.skip(first.size());
      return true;
    }
    const std::size_t count = source_.read(window.buffer.room(kStepBytes), kStepBytes);
    window.buffer.grow_by(count);
    return count > 0;
  }

 private:
  ByteSource& source_;
};

// ---- gzip -------------------------------------------------------------------------------------

// Inflates in steps; gives everything up to an error.
class SteppingInflater {
 public:
  SteppingInflater() { inflateInit2(&stream_, 15 + 16); }
  ~SteppingInflater() { inflateEnd(&stream_); }
  SteppingInflater(const SteppingInflater&) = delete;
  SteppingInflater& operator=(const SteppingInflater&) = delete;

  void reset() { inflateReset(&stream_); }

  enum class State { NeedsInput, HasMore, Finished, Failed };
  // Takes bytes off `in` and writes up to `room` bytes; sets `written`.
  State step(std::string_view& in, char* out, std::size_t room, std::size_t& written) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(std::min<std::size_t>(in.size(), 1U << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const uInt offered = stream_.avail_in;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    written = room - stream_.avail_out;
    in.remove_prefix(offered - stream_.avail_in);
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

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

class GzipDecoder : public Decoder {
 public:
  GzipDecoder(ByteSource& source, Report& report)
      : source_(source), report_(report), whole_(libdeflate_alloc_decompressor()) {}

  // Moves to the first member at or behind the source's place.
  void enter() {
    if (!inflates(source_.peek(kStepBytes))) search_member();
  }

  bool fill(Window& window) override {
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

  // Writers pad with zeros; that is no damage. False at the end of the input.
  bool skip_padding() {
    while (true) {
      const std::string_view bytes = source_.peek(kStepBytes / 4);
      if (bytes.empty()) return false;
      const auto start = std::min(bytes.find_first_not_of('\0'), bytes.size());
      source_.skip(start);
      if (start < bytes.size()) return true;
    }
  }

  // Inflates the member at the front of the source in one go, if it is of ordinary size and sound.
  bool fill_whole(Window& window) {
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

  bool begin_streaming(Window& window) {
    inflater_.reset();
    streaming_ = true;
    member_offset_ = source_.offset();
    streamed_in_ = 0;
    return fill_streaming(window);
  }

  // The source keeps the member's bytes from its start until they exceed kWholeMemberMax, so that
  // the search for the next member can begin there if this one is bad.
  bool fill_streaming(Window& window) {
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

  // Tells of the damage at the source's present offset and moves on to the next member that can be
  // inflated. False if there is none.
  bool find_next_member(Window& window, std::string reason) {
    report_.damaged(source_.offset(), std::move(reason));
    window.gap_pending = true;
    if (!search_member()) return false;
    report_.resynchronised(source_.offset());
    return true;
  }

  // Moves to the next place behind this one where a member can be inflated. False if there is none.
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

  // True if the first bytes of the member give something without an error.
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
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> whole_;
  SteppingInflater inflater_;
  bool streaming_ = false;
  std::uint64_t member_offset_ = 0;
  std::size_t streamed_in_ = 0;  // bytes of the source's window that the inflater has taken
};

// ---- zstd -------------------------------------------------------------------------------------

struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdDecoder : public Decoder {
 public:
  ZstdDecoder(ByteSource& source, Report& report)
      : source_(source), report_(report), context_(ZSTD_createDCtx()) {
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kZstdWindowLogMax);
    load_dictionary();
  }

  bool fill(Window& window) override {
    const std::string_view bytes = source_.peek(taken_ + kStepBytes);
    if (bytes.size() == taken_) return end_of_input(window);
    if (!inside_frame_) {
      if (!is_zstd_magic(bytes)) {
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
    window.buffer.grow_by(out.pos);
    taken_ = in.pos;
    if (ZSTD_isError(result) != 0) return find_next_frame(window, ZSTD_getErrorName(result));
    if (result == 0) inside_frame_ = false;
    // As with gzip, a frame's bytes stay until it has proved sound or grown large.
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
    if (ZSTD_isError(result) != 0) {
      report_.damaged(0, fmt::format("zstd dictionary: {}", ZSTD_getErrorName(result)));
    }
    source_.skip(8 + size);
  }

  static std::string decompress(std::string_view frame) {
    std::string out(kDictionaryMax, '\0');
    const auto size = ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size());
    out.resize(ZSTD_isError(size) != 0 ? 0 : size);
    return out;
  }

  bool end_of_input(Window& window) {
    return inside_frame_ && find_next_frame(window, "zstd frame is cut off by the end of the file");
  }

  bool find_next_frame(Window& window, std::string reason) {
    report_.damaged(inside_frame_ ? frame_offset_ : source_.offset(), std::move(reason));
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

// ---- the stream ---------------------------------------------------------------------------------

class InputStream::Impl {
 public:
  // `entered` is the compression of a file that is entered in the middle.
  Impl(ByteSource source, std::filesystem::path path, Report& report,
       std::optional<Compression> entered = std::nullopt)
      : source_(std::move(source)), path_(std::move(path)), report_(report) {
    compression_ = entered.value_or(compression_of(source_.peek(kStepBytes)));
    switch (compression_) {
      case Compression::None:
        decoder_ = std::make_unique<PlainDecoder>(source_);
        window_.mark(source_.offset());
        break;
      case Compression::Gzip:
        decoder_ = std::make_unique<GzipDecoder>(source_, report);
        break;
      case Compression::Zstd:
        decoder_ = std::make_unique<ZstdDecoder>(source_, report);
        break;
    }
  }

  std::string_view peek(std::size_t size) {
    assert(size <= kWindowMax);
    while (true) {
      const std::size_t shown = window_.before_gap();
      if (shown >= size || shown < window_.buffer.size()) {
        return window_.buffer.bytes().substr(0, shown);
      }
      if (ended_ || (window_.gap_pending && shown > 0)) return window_.buffer.bytes();
      ended_ = !decoder_->fill(window_);
      settle();
    }
  }

  std::uint64_t skip(std::uint64_t size) {
    const auto inside = std::min<std::uint64_t>(size, window_.before_gap());
    advance(inside);
    std::uint64_t done = inside;
    if (done < size && compression_ == Compression::None && window_.buffer.size() == 0) {
      const std::uint64_t far = source_.skip_far(size - done);
      window_.position += far;
      return done + far;
    }
    while (done < size) {
      if (at_gap()) break;
      const std::size_t available = peek(1).size();
      if (available == 0) break;
      const auto step = std::min<std::uint64_t>(size - done, available);
      advance(step);
      done += step;
    }
    return done;
  }

  std::optional<std::string_view> line(std::size_t size_max) {
    while (true) {
      std::size_t searched = 0;
      std::string_view bytes = peek(1);
      if (bytes.empty()) return std::nullopt;
      std::size_t end = bytes.find('\n');
      while (end == std::string_view::npos && bytes.size() <= size_max) {
        searched = bytes.size();
        bytes = peek(searched + 1);
        if (bytes.size() == searched) break;  // the last line, or the last before a gap
        end = bytes.find('\n', searched);
      }
      const bool found = end != std::string_view::npos;
      if ((found ? end : bytes.size()) > size_max) {
        pass_long_line(size_max);
        continue;
      }
      std::string_view text = bytes.substr(0, end);
      advance(found ? end + 1 : bytes.size());
      if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
      return text;
    }
  }

  std::uint64_t offset() {
    peek(1);
    if (window_.marks.empty() || window_.buffer.size() == 0) return source_.offset();
    const Window::Mark& mark = window_.marks.front();
    return compression_ == Compression::None ? mark.offset + (window_.position - mark.position)
                                             : mark.offset;
  }

  bool at_member_start() {
    if (compression_ == Compression::None) return true;
    peek(1);
    return !window_.marks.empty() && window_.marks.front().position == window_.position;
  }

  std::uint64_t skip_to_member_start() {
    std::uint64_t passed = 0;
    while (!at_member_start()) {
      const std::size_t available = peek(1).size();
      if (available == 0) break;
      const std::size_t step = std::min(next_member_start().value_or(available), available);
      advance(step);
      passed += step;
    }
    return passed;
  }

  [[nodiscard]] std::optional<std::size_t> next_member_start() const {
    for (const Window::Mark& mark : window_.marks) {
      if (mark.position > window_.position) return mark.position - window_.position;
    }
    return std::nullopt;
  }

  bool lost_place() {
    peek(1);
    return std::exchange(lost_, false);
  }

  [[nodiscard]] Compression compression() const noexcept { return compression_; }
  [[nodiscard]] std::uint64_t member_count() const noexcept { return decoder_->member_count(); }
  [[nodiscard]] const ByteSource& source() const noexcept { return source_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  // Whether bytes are missing before the next one to be read; skip() stops there.
  [[nodiscard]] bool at_gap() const noexcept {
    return lost_ || (window_.gap_pending && window_.buffer.size() == 0);
  }

  void advance(std::size_t size) {
    window_.buffer.drop_front(size);
    window_.position += size;
    settle();
  }

  // Drops marks that lie behind; notices gaps that were passed.
  void settle() {
    auto& marks = window_.marks;
    while (marks.size() >= 2 && marks[1].position <= window_.position) marks.pop_front();
    if (!marks.empty() && marks.front().after_gap && marks.front().position <= window_.position) {
      marks.front().after_gap = false;
      lost_ = true;
    }
  }

  void pass_long_line(std::size_t size_max) {
    report_.damaged(offset(), fmt::format("a line is longer than {} bytes", size_max));
    while (true) {
      const std::string_view bytes = peek(1);
      if (bytes.empty()) return;
      const std::size_t end = bytes.find('\n');
      advance(end == std::string_view::npos ? bytes.size() : end + 1);
      if (end != std::string_view::npos) return;
    }
  }

  ByteSource source_;
  std::filesystem::path path_;
  Report& report_;
  Compression compression_ = Compression::None;
  Window window_;
  std::unique_ptr<Decoder> decoder_;
  bool ended_ = false;
  bool lost_ = false;
};

InputStream::InputStream(const std::filesystem::path& path, Report& report, std::uint64_t start)
    : impl_(std::make_unique<Impl>(ByteSource(path, start, std::nullopt), path, report)) {}

InputStream::InputStream(const std::filesystem::path& path, Report& report, std::uint64_t start,
                         std::uint64_t size)
    : impl_(std::make_unique<Impl>(ByteSource(path, start, size), path, report)) {}

InputStream::InputStream(const std::filesystem::path& path, Report& report, std::uint64_t middle,
                         Compression compression)
    : impl_(std::make_unique<Impl>(ByteSource(path, middle, std::nullopt), path, report,
                                   compression)) {}

InputStream::InputStream(InMemory memory, Report& report)
    : impl_(std::make_unique<Impl>(ByteSource(memory.bytes), "", report)) {}

InputStream::~InputStream() = default;

std::string_view InputStream::peek(std::size_t size) { return impl_->peek(size); }
std::uint64_t InputStream::skip(std::uint64_t size) { return impl_->skip(size); }
std::optional<std::string_view> InputStream::line(std::size_t size_max) {
  return impl_->line(size_max);
}
std::uint64_t InputStream::offset() { return impl_->offset(); }
bool InputStream::at_member_start() { return impl_->at_member_start(); }
std::uint64_t InputStream::skip_to_member_start() { return impl_->skip_to_member_start(); }
std::optional<std::size_t> InputStream::next_member_start() const {
  return impl_->next_member_start();
}
bool InputStream::lost_place() { return impl_->lost_place(); }
Compression InputStream::compression() const noexcept { return impl_->compression(); }
std::uint64_t InputStream::member_count() const noexcept { return impl_->member_count(); }
std::uint64_t InputStream::bytes_read() const noexcept { return impl_->source().offset(); }
std::uint64_t InputStream::file_size() const noexcept { return impl_->source().size(); }
const std::filesystem::path& InputStream::path() const noexcept { return impl_->path(); }
std::optional<std::string_view> InputStream::memory() const noexcept {
  return impl_->source().memory();
}

}  // namespace webstrata
