// SPDX-License-Identifier: Apache-2.0

// Tested by tests/graph/graph_text_test.cpp.

#include "webstrata/graph/text_output.h"

#include <zlib.h>

#include <optional>
#include <string>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/standard_output.h"

namespace webstrata {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 16;
constexpr int kGzipLevel = 6;

}  // namespace

class TextOutput::Sink {
 public:
  explicit Sink(const std::filesystem::path& path) : is_gzip_(path.extension() == ".gz") {
    if (path != "-") file_.emplace(FileWriter::create(path));
    // The header has no file name and no time, so equal texts give equal files.
    if (is_gzip_ &&
        ::deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error(ErrorKind::Io, "zlib cannot begin");
    }
  }
  ~Sink() {
    if (is_gzip_) ::deflateEnd(&stream_);
  }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kWriteBytes) flush(false);
  }
  void finish() {
    flush(true);
    if (file_) {
      file_->commit();
    } else {
      standard_.finish();
    }
  }

 private:
  void flush(bool is_last) {
    if (is_gzip_) {
      deflate(is_last);
    } else {
      emit(buffer_);
    }
    buffer_.clear();
  }
  void deflate(bool is_last) {
    char out[kWriteBytes];
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_in = static_cast<uInt>(buffer_.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out);
      stream_.avail_out = sizeof(out);
      ::deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
      emit({out, sizeof(out) - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }
  void emit(std::string_view bytes) {
    if (file_) {
      file_->write(bytes);
    } else {
      standard_.write(bytes);
    }
  }

  bool is_gzip_;
  std::optional<FileWriter> file_;
  StandardOutput standard_;
  std::string buffer_;
  z_stream stream_ = {};
};

TextOutput::TextOutput(const std::filesystem::path& path) : sink_(std::make_unique<Sink>(path)) {}
TextOutput::~TextOutput() = default;
TextOutput::TextOutput(TextOutput&&) noexcept = default;
void TextOutput::write(std::string_view text) { sink_->write(text); }
void TextOutput::finish() { sink_->finish(); }

}  // namespace webstrata
