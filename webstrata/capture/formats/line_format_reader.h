// What readers of line formats share: the loop over the lines, and where a line lies.

#pragma once

#include <cstdint>
#include <string_view>

#include "webstrata/capture/reader.h"
#include "webstrata/url/url.h"

namespace webstrata {

class LineFormatReader : public CaptureReader {
 public:
  explicit LineFormatReader(const ReadContext& context) : context_(context) {}

  // Passes over empty lines and those that give no fact.
  bool next(Capture& capture) final;

 protected:
  // Fills `capture`, in which crawl, file and offset of the line are set already. False if the
  // line gives no fact; the Report has been told then, if it was damaged.
  virtual bool read_line(std::string_view line, std::uint64_t offset, Capture& capture) = 0;

  ReadContext context_;
  Url url_;  // of the line at hand
};

// The first line of `bytes` that is not empty, without its end.
std::string_view first_line(std::string_view bytes) noexcept;

// Takes the word before the next `delimiter` off the front of `line`, or all of it.
std::string_view take_word(std::string_view& line, char delimiter) noexcept;

}  // namespace webstrata
