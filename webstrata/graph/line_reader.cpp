// SPDX-License-Identifier: Apache-2.0

// Bytes are read in steps of 256 KB and inflated if the file begins like gzip, several members one
// after the other. A line is a view into the buffer until the next call. Errors name the file,
// refusals also the line.
// Tested by tests/graph/line_reader_test.cpp.

#include "webstrata/graph/line_reader.h"

#include <zlib.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 18;

}  // namespace

// Bytes in order, inflated where they are gzip. Several members follow each other as one.
class LineReader::Source {
 public:
  explicit Source(FileReader file) : file_(std::move(file)) { recognise(); }
  explicit Source(std::string_view memory) : memory_(memory) { recognise(); }
  ~Source() {
    if (is_gzip_) ::inflateEnd(&stream_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Appends more bytes to `out`; false at the end. Throws Error(Corrupt).
  bool read(std::string& out) {
    if (!is_gzip_) {
      if (raw_.empty()) raw_ = next_raw();
      out += raw_;
      const bool more = !raw_.empty();
      raw_ = {};
      return more;
    }
    const std::size_t before = out.size();
    out.resize(before + kReadBytes);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream_.avail_out = kReadBytes;
    while (stream_.avail_out == kReadBytes && inflate_some()) {
    }
    out.resize(out.size() - stream_.avail_out);
    return out.size() > before;
  }

  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  [[nodiscard]] std::uint64_t file_size() const noexcept {
    return file_ ? file_->size() : memory_.size();
  }

 private:
  void recognise() {
    raw_ = next_raw();
    is_gzip_ = raw_.starts_with("\x1f\x8b");
    if (is_gzip_ && ::inflateInit2(&stream_, 15 + 16) != Z_OK) {
      throw Error(ErrorKind::Io, "zlib cannot begin");
    }
  }

  std::string_view next_raw() {
    std::string_view bytes;
    if (file_) {
      chunk_.resize(kReadBytes);
      bytes = {chunk_.data(), file_->read(chunk_.data(), chunk_.size())};
    } else {
      bytes = std::exchange(memory_, {});
    }
    bytes_read_ += bytes.size();
    return bytes;
  }

  // One step of inflating; false at the end of the file.
  bool inflate_some() {
    if (raw_.empty()) raw_ = next_raw();
    if (raw_.empty()) {
      if (!between_members_) throw Error(ErrorKind::Corrupt, "the gzip data end too early");
      return false;
    }
    if (between_members_) ::inflateReset(&stream_);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw_.data()));
    stream_.avail_in = static_cast<uInt>(std::min<std::size_t>(raw_.size(), kReadBytes));
    const uInt given = stream_.avail_in;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) {
      throw Error(ErrorKind::Corrupt, "the gzip data are damaged");
    }
    raw_.remove_prefix(given - stream_.avail_in);
    between_members_ = result == Z_STREAM_END;
    return true;
  }

  std::optional<FileReader> file_;
  std::string_view memory_;
  std::string chunk_;
  std::string_view raw_;  // read, not yet returned
  std::uint64_t bytes_read_ = 0;
  bool is_gzip_ = false;
  bool between_members_ = false;
  z_stream stream_ = {};
};

LineReader::LineReader(const std::filesystem::path& path)
    : source_(std::make_unique<Source>(FileReader::open(path))), name_(path.string()) {}

LineReader::LineReader(InMemoryText text)
    : source_(std::make_unique<Source>(text.bytes)), name_("text") {}

LineReader::~LineReader() = default;

bool LineReader::fill() {
  buffer_.erase(0, position_);
  position_ = 0;
  if (buffer_.size() > kLineBytesMax) refuse("the line is too long");
  try {
    return source_->read(buffer_);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", name_, error.what()));
  }
}

std::optional<std::string_view> LineReader::next() {
  std::size_t end = buffer_.find('\n', position_);
  while (end == std::string::npos) {
    const std::size_t seen = buffer_.size() - position_;
    if (!fill()) {
      end = buffer_.size();
      if (end == 0) return std::nullopt;
      break;
    }
    end = buffer_.find('\n', seen);
  }
  std::string_view line = std::string_view(buffer_).substr(position_, end - position_);
  position_ = std::min(end + 1, buffer_.size());
  ++line_number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view LineReader::peek(std::size_t size) {
  while (buffer_.size() - position_ < size && fill()) {
  }
  return std::string_view(buffer_).substr(position_);
}

std::uint64_t LineReader::bytes_read() const noexcept { return source_->bytes_read(); }
std::uint64_t LineReader::file_size() const noexcept { return source_->file_size(); }

void LineReader::refuse(std::string_view reason) const {
  throw Error(ErrorKind::BadInput, fmt::format("{}: line {}: {}", name_, line_number_, reason));
}

}  // namespace webstrata
