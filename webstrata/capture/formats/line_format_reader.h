// SPDX-License-Identifier: Apache-2.0

// What readers of line formats share: the loop over the lines, and the place of a line.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/capture/record/reader.h"
#include "webstrata/url/url.h"

namespace webstrata {

class LineFormatReader : public CaptureReader {
 public:
  explicit LineFormatReader(const ReadContext& context) : context_(context) {}

  // Skips empty lines and those that give no fact.
  bool next(Capture& capture) final;

 protected:
  // Fills `capture`, in which crawl, file and offset of the line are set already. False if the line
  // gives no fact; if it was damaged, that has been reported.
  virtual bool read_line(std::string_view line, std::uint64_t offset, Capture& capture) = 0;
  // Whether `text` is a whole line, as far as that can be seen. Where a gzip member ends without a
  // line feed, as blocks of a ZipNum index may, the texts before and after are two lines if both
  // are whole, else one line that was cut between two members.
  [[nodiscard]] virtual bool is_whole_line(std::string_view /*text*/) const { return false; }

  ReadContext context_;
  Url url_;  // of the current line

 private:
  // A line, or the piece of one at the end of a member.
  struct Piece {
    std::string text;
    std::uint64_t offset = 0;
    bool is_open = false;  // its member ended without a line feed
    bool is_lost = false;  // bytes are missing after it
  };
  std::optional<std::string_view> take_line(std::uint64_t& offset);
  Piece take_piece();

  Piece joined_;                // the current line, if it was open
  std::optional<Piece> ahead_;  // what followed it
  bool is_joined_ = false;
};

// The first line of `bytes` that is not empty, without its end.
std::string_view first_line(std::string_view bytes) noexcept;

// Removes the word before the next `delimiter` from the front of `line`, or all of it.
std::string_view take_word(std::string_view& line, char delimiter) noexcept;

}  // namespace webstrata
