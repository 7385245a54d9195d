// SPDX-License-Identifier: Apache-2.0

// Standard output, for text. Control characters are escaped (base/printable.h), also in a pipe,
// because it may end at a terminal. Bytes that are not UTF-8 are escaped only on a terminal:
// another program may know what they mean.

#pragma once

#include <string>
#include <string_view>

namespace webstrata {

// What to do when the reader of a pipe has closed it.
enum class WhenClosed {
  Stop,  // throw BrokenPipe: there is nothing left to do
  GoOn,  // write no more, and finish the work
};

class StandardOutput {
 public:
  explicit StandardOutput(WhenClosed when_closed = WhenClosed::Stop);

  // Tabs and line ends stay. Throws Error(Io).
  void write(std::string_view bytes);
  // Writes what is left of a character that was cut between two calls.
  void finish();

 private:
  void put(std::string_view text);

  WhenClosed when_closed_;
  bool is_closed_ = false;
  bool is_terminal_;
  std::string rest_;  // the first bytes of a character that is not complete yet
};

}  // namespace webstrata
