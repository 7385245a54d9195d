// The one exception of the library: the task cannot go on.
//
// What belongs to the work (a damaged record, a page without captures) is never an Error;
// see report.h and std::optional. The message names the thing and what to do about it.

#pragma once

#include <stdexcept>
#include <string>

namespace webstrata {

enum class ErrorKind {
  BadInput,   // the caller asked for something that makes no sense
  NotFound,   // a file or an entry is not there
  Corrupt,    // bytes that must hold an invariant do not
  Io,         // the operating system refused: disk full, no permission, broken pipe
  Cancelled,  // somebody asked us to stop
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace webstrata
