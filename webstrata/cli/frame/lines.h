// SPDX-License-Identifier: Apache-2.0

// Lines to standard output, many at a time. Control characters in them are escaped wherever they
// go: a table that was saved is looked at on a terminal later.

#pragma once

#include <string>
#include <string_view>

#include "webstrata/base/printable.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/output.h"

namespace webstrata {

class Lines {
 public:
  // An empty path means standard output.
  explicit Lines(const std::string& path = "", WhenClosed when_closed = WhenClosed::GoOn)
      : output_(path, when_closed) {}

  // `line` comes without its end. Throws Error(Cancelled) after Ctrl-C.
  void add(std::string_view line) {
    buffer_.append(line).push_back('\n');
    if (buffer_.size() >= kFlushBytes) flush();
  }
  // The names of columns; `line` has its end.
  void add_heading(std::string_view line) {
    put();
    output_.write_heading(printable(line, {.keep_columns = true, .keep_ill_formed = true}));
  }
  // For what writes whole lines itself; call written() afterwards.
  [[nodiscard]] std::string& buffer() noexcept { return buffer_; }
  void written() {
    if (buffer_.size() >= kFlushBytes) flush();
  }
  void flush() {
    interruption().check();
    put();
  }
  // Out at once, also after Ctrl-C: for what comes to an end in its own way.
  void put() {
    output_.write(printable(buffer_, {.keep_columns = true, .keep_ill_formed = true}));
    buffer_.clear();
  }
  // All lines are there: a file gets its name now. Ctrl-C comes too late: what was done is told.
  void commit() {
    put();
    output_.commit();
  }

 private:
  static constexpr std::size_t kFlushBytes = std::size_t{1} << 16;
  Output output_;
  std::string buffer_;
};

}  // namespace webstrata
