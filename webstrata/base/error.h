// SPDX-License-Identifier: Apache-2.0

// The only exception class of the library: the task cannot continue.
//
// What belongs to the work (a damaged record, a page without captures) is never an Error;
// see report.h and std::optional. The message names the thing and what to do about it.

#pragma once

#include <stdexcept>
#include <string>

namespace webstrata {

enum class ErrorKind {
  BadInput,   // the request is invalid
  NotFound,   // a file or an entry does not exist
  Corrupt,    // bytes violate an invariant
  Io,         // the operating system refused: disk full, no permission, broken pipe
  Cancelled,  // the caller asked to stop
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

// What the caller asked for is invalid.
[[noreturn]] inline void refuse(const std::string& message) {
  throw Error(ErrorKind::BadInput, message);
}

}  // namespace webstrata
