// SPDX-License-Identifier: Apache-2.0

// Limits of the process that the user can raise, such as that of open files.

#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "webstrata/base/error.h"

namespace webstrata {

// Every other input would fail as well, so the task ends where a single unreadable input would be
// passed over.
class LimitError : public Error {
 public:
  explicit LimitError(const std::string& message) : Error(ErrorKind::Io, message) {}
};

inline bool is_limit_of_files(int code) noexcept { return code == EMFILE || code == ENFILE; }

// What the system says about an errno, with the remedy where it is a limit.
inline std::string reason_of(int code) {
  std::string reason = std::strerror(code);
  if (code == EMFILE) reason += "; raise the limit (ulimit -n)";
  if (code == ENFILE) reason += "; raise the limit (sysctl fs.file-max)";
  return reason;
}

}  // namespace webstrata
