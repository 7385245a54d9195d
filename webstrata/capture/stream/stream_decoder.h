// SPDX-License-Identifier: Apache-2.0

// How an InputStream turns the bytes of a file into the bytes it shows: one decoder for each
// compression, all writing into a window. input_stream.h says what is promised.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "webstrata/base/report.h"
#include "webstrata/capture/stream/byte_source.h"

namespace webstrata {

// What the decoders write into.
struct StreamWindow {
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

class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;
  // Appends some bytes to the window; false at the end. May append none and return true.
  virtual bool fill(StreamWindow& window) = 0;
  [[nodiscard]] std::uint64_t member_count() const noexcept { return member_count_; }

 protected:
  std::uint64_t member_count_ = 0;
};

// How much a decoder reads or writes at a time.
inline constexpr std::size_t kStepBytes = std::size_t{1} << 18;
// Members and frames up to this size are kept until they have proved valid.
inline constexpr std::size_t kWholeMemberMax = std::size_t{16} << 20;

std::unique_ptr<StreamDecoder> make_plain_decoder(ByteSource& source);
// `is_middle`: the source may be anywhere; the first member after that place is searched for.
std::unique_ptr<StreamDecoder> make_gzip_decoder(ByteSource& source, Report& report,
                                                 bool is_middle);
std::unique_ptr<StreamDecoder> make_zstd_decoder(ByteSource& source, Report& report);

std::unique_ptr<StreamDecoder> make_lz4_decoder(ByteSource& source, Report& report);

bool begins_gzip(std::string_view bytes) noexcept;
bool begins_zstd(std::string_view bytes) noexcept;
bool begins_lz4(std::string_view bytes) noexcept;

}  // namespace webstrata
