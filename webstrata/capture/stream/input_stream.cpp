// SPDX-License-Identifier: Apache-2.0

// The window over a decoder's bytes. The decoders of compressed files are in stream/.
// The first bytes choose the decoder; it appends to the window, which grows until a request is
// satisfied and never shows bytes from both sides of a gap. Marks in the window translate positions
// back to offsets in the file as stored.
// Tested by tests/capture/input_stream_test.cpp; fuzz/input_stream_fuzz.cpp.

#include "webstrata/capture/stream/input_stream.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "webstrata/capture/stream/stream_decoder.h"

namespace webstrata {
namespace {

constexpr std::size_t kMagicBytes = 16;

Compression compression_of(std::string_view bytes) {
  if (begins_gzip(bytes)) return Compression::Gzip;
  if (begins_zstd(bytes)) return Compression::Zstd;
  if (begins_lz4(bytes)) return Compression::Lz4;
  return Compression::None;
}

class PlainDecoder : public StreamDecoder {
 public:
  explicit PlainDecoder(ByteSource& source) : source_(source) {}

  bool fill(StreamWindow& window) override {
    const std::string_view first = source_.window();  // the bytes examined for recognition
    if (!first.empty()) {
      std::memcpy(window.buffer.room(first.size()), first.data(), first.size());
      window.buffer.grow_by(first.size());
      source_.skip(first.size());
      return true;
    }
    if (source_.window_is_last()) return false;
    const std::size_t count = source_.read(window.buffer.room(kStepBytes), kStepBytes);
    window.buffer.grow_by(count);
    return count > 0;
  }

 private:
  ByteSource& source_;
};

}  // namespace

std::unique_ptr<StreamDecoder> make_plain_decoder(ByteSource& source) {
  return std::make_unique<PlainDecoder>(source);
}

class InputStream::Impl {
 public:
  // `entered` is the compression of a file that is entered in the middle.
  Impl(ByteSource source, std::filesystem::path path, Report& report,
       std::optional<Compression> entered = std::nullopt)
      : source_(std::move(source)), path_(std::move(path)), report_(report) {
    compression_ = entered.value_or(compression_of(source_.peek(kMagicBytes)));
    switch (compression_) {
      case Compression::None:
        decoder_ = make_plain_decoder(source_);
        window_.mark(source_.offset());
        break;
      case Compression::Gzip:
        decoder_ = make_gzip_decoder(source_, report, entered.has_value());
        break;
      case Compression::Zstd:
        decoder_ = make_zstd_decoder(source_, report);
        break;
      case Compression::Lz4:
        decoder_ = make_lz4_decoder(source_, report);
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

  // `ends_with_member`: see line_in_member().
  std::optional<std::string_view> line(std::size_t size_max, bool ends_with_member) {
    line_is_open_ = false;
    while (true) {
      std::size_t searched = 0;
      std::string_view bytes = peek(1);
      if (bytes.empty()) return std::nullopt;
      std::size_t end = bytes.find('\n');
      const auto member_end = [&] { return ends_with_member ? next_member_start() : std::nullopt; };
      while (end == std::string_view::npos && bytes.size() <= size_max && !member_end()) {
        searched = bytes.size();
        bytes = peek(searched + 1);
        if (bytes.size() == searched) break;  // the last line, or the last before a gap
        end = bytes.find('\n', searched);
      }
      const std::size_t line_size = std::min(end, bytes.size());
      const std::size_t cut = member_end().value_or(bytes.size());
      const bool is_cut = member_end() && cut <= line_size;
      if (std::min(line_size, cut) > size_max) {
        pass_long_line(size_max);
        continue;
      }
      std::string_view text = bytes.substr(0, std::min(line_size, cut));
      const bool has_line_feed = !is_cut && end != std::string_view::npos;
      advance(text.size() + (has_line_feed ? 1 : 0));
      line_is_open_ = is_cut && !lost_;
      if (!line_is_open_ && !text.empty() && text.back() == '\r') text.remove_suffix(1);
      return text;
    }
  }
  [[nodiscard]] bool line_is_open() const noexcept { return line_is_open_; }

  std::uint64_t offset() {
    peek(1);
    if (window_.marks.empty() || window_.buffer.size() == 0) return source_.offset();
    const StreamWindow::Mark& mark = window_.marks.front();
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
    for (const StreamWindow::Mark& mark : window_.marks) {
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

  // Drops marks that were passed, and records gaps.
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
  StreamWindow window_;
  std::unique_ptr<StreamDecoder> decoder_;
  bool ended_ = false;
  bool lost_ = false;
  bool line_is_open_ = false;
};

InputStream::InputStream(const std::filesystem::path& path, Report& report, std::uint64_t start)
    : impl_(std::make_unique<Impl>(ByteSource(path, start, std::nullopt), path, report)) {}

InputStream::InputStream(const std::filesystem::path& path, Report& report, std::uint64_t start,
                         std::uint64_t size)
    : impl_(std::make_unique<Impl>(ByteSource(path, start, size), path, report)) {}

InputStream::InputStream(const std::filesystem::path& path, Report& report, std::uint64_t middle,
                         Compression compression, std::uint64_t likely_end)
    : impl_(std::make_unique<Impl>(ByteSource(path, middle, std::nullopt, likely_end), path, report,
                                   compression)) {}

InputStream::InputStream(InMemory memory, Report& report)
    : impl_(std::make_unique<Impl>(ByteSource(memory.bytes), "", report)) {}

InputStream::InputStream(std::unique_ptr<ByteProducer> producer, Report& report, std::uint64_t size)
    : impl_(std::make_unique<Impl>(ByteSource(std::move(producer), size), "", report)) {}

InputStream::~InputStream() = default;

std::string_view InputStream::peek(std::size_t size) { return impl_->peek(size); }
std::uint64_t InputStream::skip(std::uint64_t size) { return impl_->skip(size); }
std::optional<std::string_view> InputStream::line(std::size_t size_max) {
  return impl_->line(size_max, false);
}
std::optional<std::string_view> InputStream::line_in_member(std::size_t size_max) {
  return impl_->line(size_max, true);
}
bool InputStream::line_is_open() const noexcept { return impl_->line_is_open(); }
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
