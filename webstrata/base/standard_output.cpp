// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/control_characters_test.py, in a terminal of its own.

#include "webstrata/base/standard_output.h"

#include <unistd.h>

#include <algorithm>

#include "webstrata/base/broken_pipe.h"
#include "webstrata/base/file.h"
#include "webstrata/base/printable.h"

namespace webstrata {
namespace {

// How many bytes at the end may begin a character of UTF-8, or a line end, that continues after
// them.
std::size_t begun_character(std::string_view bytes) {
  if (bytes.ends_with('\r')) return 1;
  const std::size_t longest = std::min<std::size_t>(3, bytes.size());
  for (std::size_t length = 1; length <= longest; ++length) {
    const auto first = static_cast<unsigned char>(bytes[bytes.size() - length]);
    if (first < 0x80) return 0;
    if (first < 0xc0) continue;  // not the first byte of a character
    const std::size_t whole = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return length < whole ? length : 0;
  }
  return 0;
}

}  // namespace

StandardOutput::StandardOutput(WhenClosed when_closed)
    : when_closed_(when_closed), is_terminal_(::isatty(STDOUT_FILENO) == 1) {}

void StandardOutput::write(std::string_view bytes) {
  rest_ += bytes;
  const std::size_t whole = rest_.size() - begun_character(rest_);
  put(std::string_view(rest_).substr(0, whole));
  rest_.erase(0, whole);
}

void StandardOutput::finish() {
  put(rest_);
  rest_.clear();
}

void StandardOutput::put(std::string_view text) {
  if (is_closed_) return;
  const PrintableOptions options{.keep_columns = true, .keep_ill_formed = !is_terminal_};
  try {
    write_all(STDOUT_FILENO, printable(text, options), "standard output", true);
  } catch (const BrokenPipe&) {
    if (when_closed_ == WhenClosed::Stop) throw;
    is_closed_ = true;
  }
}

}  // namespace webstrata
